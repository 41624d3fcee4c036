//! Files of positions as values of options.

use std::fs;

use pgn2epd::Options;

use crate::support::converted;

/// The records of games after reaching a position of a file with this name and content, or the
/// error.
fn reached(name: &str, content: &str) -> Result<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, content).unwrap();
    let named = [("reach", path.to_str().unwrap()), ("ops", "none"), ("format", "fen")];
    let options = Options::from_names(named)
        .map_err(|error| error.to_string().rsplit("\": ").next().unwrap().to_owned())?;
    assert!(options.to_names().unwrap().contains(&("reach", path.to_str().unwrap().to_owned())));
    let games = b"1. e4 e5 2. Nf3 *\n\n1. Nf3 e5 2. e4 *\n\n1. d4 *\n";
    Ok(String::from_utf8(converted(games, &options)).unwrap())
}

#[test]
fn the_positions_of_a_file_are_those_that_games_reach() {
    const E5: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq";
    const NF3: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq";
    let both = format!("{NF3} - 1 2\n{NF3} e3 0 2\n");
    assert_eq!(reached("a.epd", &format!("{NF3} - id \"x\";\n")).unwrap(), both);
    // All of a file of positions, but of games only the last ones.
    let records = format!("{E5} -\n{NF3} -\n");
    assert_eq!(reached("a.epd", &records).unwrap(), format!("{E5} e6 0 2\n{both}"));
    assert_eq!(reached("a.pgn", "1. e4 e5 2. Nf3 (2. f4) *\n").unwrap(), both);
}

#[test]
fn a_file_without_positions_or_with_an_error_is_refused() {
    let cases = [
        ("a.pgn", "", "the file has no positions"),
        ("a.epd", "8/8/8/8/8/k7/8/K7 w - -\n8/8/8 w - -\n", "2:1: "),
        ("a.pgn", "1. e4 Ke6 *\n", "1:7: game 1, 1... Ke6: illegal"),
        ("a.pgn", "[Variant \"Atomic\"]\n\n1. e4 *\n", "1:11: game 1, Atomic: games of variants"),
    ];
    for (name, content, message) in cases {
        let error = reached(name, content).unwrap_err();
        assert!(error.starts_with(message), "{error}");
    }
}
