//! Real games beside the repository, compared with the names given by other programs.

use openings::Openings;
use pgn::Token;
use testkit::shared::corpus_file;

/// Returns the moves of the main line, and the values of two tags.
fn moves_and_tags(game: &pgn::Game<'_>) -> (Vec<String>, Option<String>, Option<String>) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut moves = Vec::new();
    let mut depth = 0;
    for token in game.movetext() {
        match token {
            Token::Open => depth += 1,
            Token::Close => depth -= 1,
            Token::Move(token) if depth == 0 => moves.push(text(token)),
            _ => {}
        }
    }
    let tag = |name: &[u8]| {
        let tag = game.tags().iter().find(|tag| tag.name() == name)?;
        Some(text(&tag.value()))
    };
    (moves, tag(b"ECO"), tag(b"Opening"))
}

#[test]
fn the_openings_of_a_book_are_those_that_esca_finds() {
    let Some(file) = corpus_file("8moves_v3_first20000") else { return };
    let pgn = file.read().unwrap();
    let mut games = 0;
    for game in pgn::games(&pgn) {
        let (moves, ..) = moves_and_tags(&game);
        let ours = Openings::embedded().classify_game(&moves).unwrap();
        let mut theirs = esca::Game::new(esca::classic());
        for token in &moves {
            theirs.play_san(token).unwrap();
        }
        let theirs = theirs.opening().map(|opening| (opening.eco, opening.name));
        assert_eq!(ours.eco().zip(ours.opening()), theirs, "{moves:?}");
        games += 1;
    }
    assert_eq!(games, 20_000);
}

/// Lichess named these games from an earlier version of our table's source: some names have changed
/// since.
#[test]
fn codes_are_those_that_lichess_gives() {
    let Some(file) = corpus_file("lichess_2025-05_first219") else { return };
    let pgn = file.read().unwrap();
    let (mut games, mut codes, mut names) = (0, 0, 0);
    for game in pgn::games(&pgn) {
        let (moves, eco, opening) = moves_and_tags(&game);
        if game.tags().iter().any(|tag| tag.name() == b"FEN") || eco.as_deref() == Some("?") {
            continue;
        }
        let ours = Openings::embedded().classify_game(&moves).unwrap();
        games += 1;
        codes += u32::from(ours.eco() == eco.as_deref());
        names += u32::from(ours.opening() == opening.as_deref());
    }
    assert!(games > 200);
    assert!(codes * 100 >= games * 99, "{codes} of {games}");
    assert!(names * 100 >= games * 96, "{names} of {games}");
}
