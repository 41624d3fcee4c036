//! The same visitor, driven by our scanner and by pgn-reader.
//!
//! On well-formed text, both must report the same. Malformed text is deliberately read differently;
//! such games are counted.

use std::ops::ControlFlow;

use pgn_reader::{Nag, Outcome, RawComment, RawTag, Reader, SanPlus, Skip, Visitor};
use testkit::generate::{Generator, Style};
use testkit::shared::corpus_file;

/// Records all calls; with `variations` also those for variations.
struct Recorder {
    variations: bool,
}

impl Visitor for Recorder {
    type Tags = Vec<String>;
    type Movetext = Vec<String>;
    type Output = Vec<String>;

    fn begin_tags(&mut self) -> ControlFlow<Vec<String>, Vec<String>> {
        ControlFlow::Continue(Vec::new())
    }

    fn tag(
        &mut self,
        seen: &mut Vec<String>,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<Vec<String>> {
        let name = String::from_utf8_lossy(name);
        seen.push(format!("[{name} {}]", value.decode_utf8_lossy()));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, mut seen: Vec<String>) -> ControlFlow<Vec<String>, Vec<String>> {
        seen.push("moves".to_owned());
        ControlFlow::Continue(seen)
    }

    fn san(&mut self, seen: &mut Vec<String>, san: SanPlus) -> ControlFlow<Vec<String>> {
        seen.push(san.to_string());
        ControlFlow::Continue(())
    }

    fn nag(&mut self, seen: &mut Vec<String>, nag: Nag) -> ControlFlow<Vec<String>> {
        seen.push(nag.to_string());
        ControlFlow::Continue(())
    }

    fn comment(
        &mut self,
        seen: &mut Vec<String>,
        comment: RawComment<'_>,
    ) -> ControlFlow<Vec<String>> {
        seen.push(format!("{{{}}}", String::from_utf8_lossy(comment.as_bytes())));
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, seen: &mut Vec<String>) -> ControlFlow<Vec<String>, Skip> {
        seen.push("(".to_owned());
        ControlFlow::Continue(Skip(!self.variations))
    }

    fn end_variation(&mut self, seen: &mut Vec<String>) -> ControlFlow<Vec<String>> {
        seen.push(")".to_owned());
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, seen: &mut Vec<String>, outcome: Outcome) -> ControlFlow<Vec<String>> {
        seen.push(outcome.to_string());
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, mut seen: Vec<String>) -> Vec<String> {
        seen.push("end".to_owned());
        seen
    }
}

fn theirs(pgn: &[u8], variations: bool) -> Vec<Vec<String>> {
    let mut reader = Reader::build(pgn)
        .set_supported_comment_length(1 << 18)
        .set_supported_tag_line_length(1 << 12)
        .finish();
    let mut recorder = Recorder { variations };
    reader.read_games(&mut recorder).map(Result::unwrap).collect()
}

fn ours(pgn: &[u8], variations: bool) -> Vec<Vec<String>> {
    pgn::games(pgn).map(|game| game.visit(&mut Recorder { variations })).collect()
}

/// Returns the number of games, and of those that are reported differently.
#[track_caller]
fn compare(name: &str, pgn: &[u8], variations: bool) -> (usize, usize) {
    let (ours, theirs) = (ours(pgn, variations), theirs(pgn, variations));
    assert_eq!(ours.len(), theirs.len(), "{name}: number of games");
    let differ = ours.iter().zip(&theirs).filter(|(ours, theirs)| ours != theirs).count();
    (ours.len(), differ)
}

#[test]
fn generated_games_are_reported_as_by_pgn_reader() {
    for style in Style::ALL {
        let pgn = Generator::text(style, 77, 300_000);
        for variations in [false, true] {
            let (ours, theirs) = (ours(&pgn, variations), theirs(&pgn, variations));
            for (ours, theirs) in ours.iter().zip(&theirs) {
                assert_eq!(ours, theirs, "{style:?}");
            }
            assert_eq!(ours.len(), theirs.len(), "{style:?}");
        }
    }
}

/// Files of the corpus, and how many of their games pgn-reader reports differently, with the
/// reason.
///
/// Files in which pgn-reader finds a different number of games are excluded: tags with bare quotes
/// (`chess_db/scca`), or games without moves (`fwwrc_tags_only_first302`).
const FILES: &[(&str, usize)] = &[
    ("2moves_v2_first2000", 0),
    ("8moves_v3_first20000", 0),
    ("chesscom_cancer0707_first800", 0),
    ("lichess_2025-05_first219", 0),
    ("mate_in_2", 0),
    ("tcec", 0),
    ("twic1599_first555", 0),
    ("worldcup2005", 0),
    ("chess960/champshow3018", 0),
    ("chess960/champshow518", 0),
    ("chess960/freeweissko25", 0),
    ("chess960/wchfischera22", 0),
    // A tag without its closing quote: pgn-reader includes the end of the line.
    ("chess_db/GM_games", 1),
    ("chess_db/hartwig", 1),
    ("chess_db/kramnik", 0),
    ("chess_db/middleg", 0),
    ("lichess_studies/beautiful-chess-studies-1", 0),
    ("lichess_studies/game-puzzles-with-interactive-lessons", 0),
];

#[test]
fn corpus_files_are_reported_as_by_pgn_reader() {
    let mut wrong = String::new();
    for (name, expected) in FILES {
        let Some(file) = corpus_file(name) else { continue };
        let pgn = file.read().unwrap();
        for variations in [false, true] {
            let (games, differ) = compare(name, &pgn, variations);
            assert!(games > 0, "{name}");
            if differ != *expected {
                wrong += &format!("{name}: {differ} of {games} games differ, not {expected}\n");
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}
