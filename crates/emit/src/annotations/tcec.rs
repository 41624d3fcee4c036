//! TCEC's comments: `d=24, sd=35, mt=63000, tl=…, s=…, n=…, pv=…, tb=…, wv=0.25, …`.

use std::time::Duration;

use san::Color;

use super::{Engine, as_mover, clock, number, score};

/// Reads a comment on a move by `mover`. `wv` is White's view; mates are counted in plies.
pub(super) fn engine(text: &str, mover: Color) -> Option<Engine<'_>> {
    let mut engine = Engine::default();
    for field in text.split(',') {
        let Some((name, value)) = field.trim().split_once('=') else { continue };
        match name {
            "d" => engine.depth = number(value),
            "n" => engine.nodes = number(value),
            // Milliseconds, or hours, minutes and seconds in older files.
            "mt" if value.contains(':') => engine.time = clock(value),
            "mt" => engine.time = number(value).map(Duration::from_millis),
            "pv" => engine.line = Some(value),
            "wv" => engine.evaluation = score(value, Some).map(|white| as_mover(white, mover)),
            _ => {}
        }
    }
    engine.evaluation.is_some().then_some(engine)
}

#[cfg(test)]
mod tests {
    use super::super::engine;
    use super::*;

    #[test]
    fn the_score_is_whites_and_becomes_the_movers() {
        let comment = |score: &str| {
            format!(
                "d=29, sd=72, pd=Qd2, mt=2341, tl=1218074, n=14419014, pv=Bxg5 Nxg5, tb=3, wv={score}, R50=50,"
            )
        };
        // as printed, after a move of White, after a move of Black
        let cases = [
            ("0.26", 26, -26),
            ("-1.14", -114, 114),
            // White mates on the twelfth ply: Black moves first.
            ("M12", 32755, -32755),
            ("-M11", -32756, 32756),
        ];
        for (text, white, black) in cases {
            for (mover, expected) in [(Color::White, white), (Color::Black, black)] {
                let text = comment(text);
                let found = engine(text.as_bytes(), mover).unwrap();
                assert_eq!(found.evaluation.unwrap().get(), expected, "{text}");
                assert_eq!((found.depth, found.nodes), (Some(29), Some(14_419_014)));
                assert_eq!(found.time, Some(Duration::from_millis(2341)));
                assert_eq!(found.line, Some("Bxg5 Nxg5"));
            }
        }
    }

    #[test]
    fn older_files_write_times_with_colons() {
        let found =
            engine(b" d=28, mt=00:02:46, s=14000 kN/s, n=5, pv=d4, wv=0.24, ", Color::White);
        assert_eq!(found.unwrap().time, Some(Duration::from_secs(166)));
    }
}
