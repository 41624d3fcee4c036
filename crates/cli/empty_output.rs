//! Why a run wrote nothing.

use pgn2epd::game::Unstorable;
use pgn2epd::options::{Format, Keyword, LabelForm};
use pgn2epd::{Options, Summary};

use super::report::{self, count};

/// Returns why a run of a command selected nothing, unless errors in games were the reason, which
/// have been printed. `limits` are the options given that select positions, as `--ply, --where`.
pub(super) fn selected_nothing(done: &Summary, limits: &str) -> Option<String> {
    let games = count(done.games, if done.records > 0 { "record" } else { "game" });
    if done.games == 0 {
        return (done.bad_games == 0).then(|| "the input has no games and no positions".to_owned());
    }
    Some(if done.left_out == done.games {
        format!("--where excludes all of {games}")
    } else if done.bad_games == done.games {
        return None;
    } else if limits.is_empty() {
        format!("no position of {games} is selected")
    } else {
        format!("no position of {games} meets {limits}")
    })
}

/// Prints why a run wrote no records; see [`selected_nothing`].
pub(super) fn explain(done: &Summary, options: &Options, limits: &[String]) {
    if let Some(reason) = reason(done, options, &limits.join(", ")) {
        report::note(&format!("no records: {reason}"));
    }
}

fn reason(done: &Summary, options: &Options, limits: &str) -> Option<String> {
    let none = [("limit", options.limit), ("sample", options.sample)];
    if let Some((name, _)) = none.iter().find(|(_, number)| *number == Some(0)) {
        return Some(format!("--{name} 0 selects none"));
    }
    if done.unlabelled > 0 {
        let games = count(done.games, if done.records > 0 { "record" } else { "game" });
        let Unstorable { castling, clocks, evaluations, moves, results, .. } = done.unstorable;
        let (format, needs) = (options.format.word(), needs(options.format));
        let positions = |number| count(number, "position");
        let named = [(evaluations, "an evaluation"), (moves, "a move"), (results, "a result")];
        let lacking = named.into_iter().filter(|(number, _)| *number > 0);
        let lacking: Vec<String> =
            lacking.map(|(number, what)| format!("{} without {what}", positions(number))).collect();
        let lacking = match lacking.is_empty() {
            _ if evaluations == done.unlabelled => {
                format!("needs {needs}: no position of {games} has an evaluation")
            }
            true => format!("needs {needs}, which {} of {games} lack", positions(done.unlabelled)),
            false => format!("needs {needs}: {} in {games}", lacking.join(", ")),
        };
        let parts = [
            (
                castling,
                format!("has no castling rights of Chess960, as {} have", positions(castling)),
            ),
            (clocks, format!("has no room for the clocks of {}", positions(clocks))),
            (done.unlabelled - castling - clocks, lacking),
        ];
        let parts = parts.into_iter().filter(|(number, _)| *number > 0).map(|(_, text)| text);
        return Some(format!("--format {format} {}", parts.collect::<Vec<_>>().join("; it ")));
    }
    selected_nothing(done, limits)
}

/// Returns what a label is made from.
fn needs(format: Format) -> &'static str {
    match format {
        Format::Label(LabelForm::Plain) | Format::Training(_) => {
            "a result, an evaluation and a move"
        }
        Format::Label(form) if form.needs_evaluation() => "a result and an evaluation",
        _ => "a result",
    }
}
