//! Letters and digits of coordinates as paths, so that pictures do not depend on fonts.

use std::fmt::Write as _;

/// Each glyph is 6 units wide and 9 units high; `g` extends below the baseline.
const GLYPHS: &[(char, &str)] = &[
    ('a', "M6 3V9M6 6A3 3 0 1 1 0 6A3 3 0 1 1 6 6"),
    ('b', "M0 0V9M0 6A3 3 0 1 1 6 6A3 3 0 1 1 0 6"),
    ('c', "M5.3 4.1A3 3 0 1 0 5.3 7.9"),
    ('d', "M6 0V9M6 6A3 3 0 1 1 0 6A3 3 0 1 1 6 6"),
    ('e', "M0 6H6A3 3 0 1 0 5.1 8.1"),
    ('f', "M5 .2C3.2-.3 2.2.6 2.2 2.4V9M.4 3.3H4.6"),
    ('g', "M6 3V9.2A3 3 0 0 1 .5 10.8M6 6A3 3 0 1 1 0 6A3 3 0 1 1 6 6"),
    ('h', "M0 0V9M0 6A3 3 0 0 1 6 6V9"),
    ('1', "M1.2 1.7L3.6 0V9"),
    ('2', "M.3 2.5C.5.9 1.5 0 3 0C4.7 0 5.8 1.1 5.8 2.6C5.8 4.6 3.4 5.8.2 9H6"),
    (
        '3',
        "M.5 1.4C1 .5 1.9 0 3 0C4.6 0 5.6.9 5.6 2.1C5.6 3.4 4.5 4.2 2.6 4.2C4.7 4.2 6 5.1 6 6.6C6 8 4.8 9 3 9C1.7 9 .6 8.4.1 7.3",
    ),
    ('4', "M4.5 9V0L0 6.3H6"),
    (
        '5',
        "M5.4 0H1.2L.7 4.1C1.4 3.6 2.2 3.3 3 3.3C4.8 3.3 6 4.5 6 6.1C6 7.8 4.8 9 3 9C1.6 9 .5 8.4 0 7.4",
    ),
    ('6', "M5.2.5C2.3.1 0 2.6 0 6A3 3 0 1 0 6 6A3 3 0 1 0 0 6"),
    ('7', "M0 0H6L2.2 9"),
    (
        '8',
        "M3 4.1A2.05 2.05 0 1 0 3 0A2.05 2.05 0 1 0 3 4.1A2.45 2.45 0 1 0 3 9A2.45 2.45 0 1 0 3 4.1",
    ),
];

/// Picture units per glyph unit.
const SCALE: f64 = 2.5;

/// Writes a letter or digit centred on a point.
pub(super) fn write(character: char, x: u32, y: u32, svg: &mut String) {
    let Some((_, path)) = GLYPHS.iter().find(|(known, _)| *known == character) else { return };
    let (x, y) = (f64::from(x) - 3.0 * SCALE, f64::from(y) - 4.5 * SCALE);
    let _ = write!(svg, "<path transform=\"translate({x} {y})scale({SCALE})\" d=\"{path}\"/>");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_and_rank_has_a_glyph() {
        for character in "abcdefgh12345678".chars() {
            let mut svg = String::new();
            write(character, 20, 20, &mut svg);
            assert!(svg.contains(" d=\"M"), "{character}");
        }
    }
}
