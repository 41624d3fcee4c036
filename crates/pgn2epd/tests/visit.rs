//! Visitors see each game as with pgn-reader, whatever the threads.

use std::fmt::Write;
use std::ops::ControlFlow;

use pgn_reader::{Nag, Outcome, RawTag, Reader, SanPlus, Skip, Visitor};
use pgn2epd::visit;
use pgn2epd::{Observer, Options};
use testkit::generate::{Generator, Style};

use crate::support::{Problems, jobs};

/// Writes what it receives of a game.
struct Transcript;

impl Visitor for Transcript {
    type Tags = String;
    type Movetext = String;
    type Output = String;

    fn begin_tags(&mut self) -> ControlFlow<String, String> {
        ControlFlow::Continue(String::new())
    }

    fn tag(&mut self, seen: &mut String, name: &[u8], value: RawTag<'_>) -> ControlFlow<String> {
        let value = value.decode_utf8_lossy();
        write!(seen, "[{} {value}]", String::from_utf8_lossy(name)).unwrap();
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, seen: String) -> ControlFlow<String, String> {
        ControlFlow::Continue(seen)
    }

    fn san(&mut self, seen: &mut String, san: SanPlus) -> ControlFlow<String> {
        write!(seen, " {san}").unwrap();
        ControlFlow::Continue(())
    }

    fn nag(&mut self, seen: &mut String, nag: Nag) -> ControlFlow<String> {
        write!(seen, " {nag}").unwrap();
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, seen: &mut String) -> ControlFlow<String, Skip> {
        seen.push_str(" (");
        ControlFlow::Continue(Skip(false))
    }

    fn end_variation(&mut self, seen: &mut String) -> ControlFlow<String> {
        seen.push_str(" )");
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, seen: &mut String, outcome: Outcome) -> ControlFlow<String> {
        write!(seen, " {outcome}").unwrap();
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, seen: String) -> String {
        seen
    }
}

fn visited(pgn: &[u8], options: &Options, observer: &mut dyn Observer) -> Vec<String> {
    let mut seen = Vec::new();
    let mut take = |_, games| {
        seen.extend::<Vec<String>>(games);
        ControlFlow::Continue(())
    };
    visit(pgn, options, || Transcript, &mut take, observer).unwrap();
    seen
}

#[test]
fn every_game_is_seen_as_by_pgn_reader() {
    for style in [Style::Plain, Style::Lichess, Style::Annotated, Style::Chess960] {
        let pgn = Generator::text(style, 5, 200_000);
        let mut reader = Reader::new(&pgn[..]);
        let games: Vec<String> = reader.read_games(&mut Transcript).map(Result::unwrap).collect();
        assert!(games.len() > 10, "{style:?}");
        for (threads, chunk_bytes) in [(1, 256 << 10), (1, 500), (3, 500), (2, 7_000)] {
            let options = Options::default().jobs(jobs(threads)).chunk_bytes(chunk_bytes);
            let seen = visited(&pgn, &options, &mut ());
            assert!(seen == games, "{style:?}, {threads} threads, chunks of {chunk_bytes}");
        }
    }
}

#[test]
fn a_game_that_is_too_large_is_a_problem_and_the_others_are_seen() {
    let long = format!("1. e4 {{{}}} *", "long ".repeat(100));
    let pgn = format!(
        "[White \"A\"]\n\n1. d4 *\n\n[White \"B\"]\n\n{long}\n\n[White \"C\"]\n\n1. c4 *\n"
    );
    let options = Options::default().max_game_bytes(300);
    let mut problems = Problems::default();
    let seen = visited(pgn.as_bytes(), &options, &mut problems);
    assert_eq!(seen, ["[White A] d4 *", "[White C] c4 *"]);
    let messages = problems.messages();
    assert!(messages.len() == 1 && messages[0].contains("game 2"), "{messages:?}");
}
