//! The ordered pipeline delivers the result of one scan of the whole text, whatever the chunk size,
//! the number of threads and the order in which they finish.

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use pgn::{Chunk, ChunkEnd, Game, GameCutter, Games, Scanner, games};
use proptest::prelude::*;
use stream::ordered::{ChunkInput, ChunkWorker, Pipeline, Threads, in_order};
use testkit::generate::{Generator, Style};
use testkit::hostile::{PIECES, hostile};

/// Lists games: start, tags, tokens and faults of each.
struct ListGames {
    max_game_bytes: usize,
    /// Whether every third chunk takes longer than those after it.
    is_uneven: bool,
    shows_faults: bool,
}

const LIST: ListGames =
    ListGames { max_game_bytes: usize::MAX, is_uneven: false, shows_faults: true };

impl ListGames {
    /// Lists the faults found since the last call, each as an element, because text between games
    /// may end a chunk.
    fn diagnostics(&self, chunk: Chunk<'_>, scanner: &mut Scanner<'_>, games: &mut Vec<String>) {
        let faults = scanner.diagnostics().filter(|_| self.shows_faults);
        games.extend(faults.map(|f| format!(" {:?}@{}", f.kind, chunk.place(f.span.start).byte)));
    }
}

impl ChunkWorker for ListGames {
    type Cutter = GameCutter;
    type Output = Vec<String>;

    fn chunk(&self, chunk: Chunk<'_>, games: &mut Vec<String>) -> ChunkEnd {
        games.clear();
        if self.is_uneven && chunk.bytes().len() % 3 == 0 {
            std::thread::sleep(Duration::from_millis(2));
        }
        let mut scanner = Scanner::of_chunk(chunk);
        while scanner.next_game() {
            let complete = games.len();
            scanner.limit_preamble(self.max_game_bytes);
            self.diagnostics(chunk, &mut scanner, games);
            let start = scanner.game_start();
            let values: Vec<_> = scanner.tags().iter().map(|tag| tag.raw_value()).collect();
            let mut game = format!("{:?} {values:?}", chunk.place(start));
            while let Some(token) = scanner.next_token() {
                game += &format!(" {token:?}");
            }
            if scanner.is_cut() {
                games.truncate(complete);
                continue;
            }
            let is_too_large = scanner.position() - start > self.max_game_bytes;
            games.push(if is_too_large { too_large(chunk, start) } else { game });
            self.diagnostics(chunk, &mut scanner, games);
        }
        if !scanner.is_cut() {
            self.diagnostics(chunk, &mut scanner, games);
        }
        scanner.chunk_end()
    }

    fn too_large(&self, chunk: Chunk<'_>, games: &mut Vec<String>) {
        games.clear();
        let mut scanner = Scanner::of_chunk(chunk);
        scanner.next_game();
        scanner.limit_preamble(self.max_game_bytes);
        games.push(too_large(chunk, scanner.game_start()));
    }
}

fn too_large(chunk: Chunk<'_>, start: usize) -> String {
    format!("too large: {}", chunk.place(start).byte)
}

/// How reading ended, what was delivered of each chunk, and the number of bytes that it covers.
type Delivered = (io::Result<()>, Vec<Vec<String>>, u64);

/// Runs work with this number of threads, bytes in a chunk and in a game.
fn run(
    mut input: impl Read,
    work: &impl ChunkWorker<Output = Vec<String>>,
    [workers, chunk_bytes, max_item_bytes]: [usize; 3],
) -> Delivered {
    let pipeline = Pipeline { threads: Threads::new(workers), chunk_bytes, max_item_bytes };
    let (mut chunks, mut bytes) = (Vec::new(), 0);
    let outcome = in_order(ChunkInput::Stream(&mut input), &pipeline, work, &mut |output, read| {
        chunks.push(std::mem::take(output));
        bytes += read;
        ControlFlow::Continue(())
    });
    (outcome, chunks, bytes)
}

/// Returns the delivered games, and the number of bytes that they report to cover.
fn delivered(
    input: impl Read,
    work: &ListGames,
    workers: usize,
    chunk_bytes: usize,
) -> (io::Result<()>, Vec<String>, u64) {
    let (outcome, chunks, bytes) = run(input, work, [workers, chunk_bytes, work.max_game_bytes]);
    (outcome, chunks.concat(), bytes)
}

/// Returns the result of one scan of the whole text.
fn expected(text: &[u8], work: &ListGames) -> Vec<String> {
    let mut games = Vec::new();
    work.chunk(Chunk::whole(text), &mut games);
    games
}

#[track_caller]
fn assert_is_one_scan(name: &str, text: &[u8], work: &ListGames, chunk_sizes: &[usize]) {
    assert_is_one_scan_with(&[1, 2, 5], name, text, work, chunk_sizes);
}

#[track_caller]
fn assert_is_one_scan_with(
    workers: &[usize],
    name: &str,
    text: &[u8],
    work: &ListGames,
    chunk_sizes: &[usize],
) {
    let expected = expected(text, work);
    for chunk_bytes in chunk_sizes {
        for workers in workers.iter().copied() {
            let (outcome, games, bytes) = delivered(text, work, workers, *chunk_bytes);
            outcome.unwrap();
            let case = format!("{name}, {workers} workers, chunks of {chunk_bytes} bytes");
            for (game, wanted) in games.iter().zip(&expected) {
                assert_eq!(game, wanted, "{case}");
            }
            assert_eq!(games.len(), expected.len(), "{case}");
            assert_eq!(bytes, text.len() as u64, "{case}");
        }
    }
}

/// Lists the places and the movetext of games as values.
struct ListValues;

fn value(game: &Game<'_>) -> String {
    format!("{:?} {:?}", game.place(), game.movetext().collect::<Vec<_>>())
}

impl ChunkWorker for ListValues {
    type Cutter = GameCutter;
    type Output = Vec<String>;

    fn chunk(&self, chunk: Chunk<'_>, values: &mut Vec<String>) -> ChunkEnd {
        values.clear();
        let mut games = Games::of_chunk(chunk);
        values.extend(games.by_ref().map(|game| value(&game)));
        games.chunk_end()
    }

    fn too_large(&self, _: Chunk<'_>, _: &mut Vec<String>) {}
}

#[test]
fn games_of_chunks_are_those_of_the_text() {
    for style in [Style::Plain, Style::Annotated] {
        let text = Generator::text(style, 4, 60_000);
        let expected: Vec<String> = games(&text).map(|game| value(&game)).collect();
        assert!(expected.len() > 4);
        for chunk_bytes in [300, 5_000, 1 << 20] {
            let (read, found, _) = run(&text[..], &ListValues, [2, chunk_bytes, usize::MAX]);
            read.unwrap();
            assert!(found.concat() == expected, "{style:?}, chunks of {chunk_bytes}");
        }
    }
}

#[test]
fn games_are_delivered_in_input_order() {
    let work = ListGames { is_uneven: true, ..LIST };
    for style in Style::ALL {
        let text = Generator::text(style, 4, 30_000);
        assert_is_one_scan(style.name(), &text, &work, &[500, 4000, 1 << 20]);
    }
}

#[test]
fn hostile_texts_are_delivered_as_by_one_scan() {
    for (name, text) in hostile().into_iter().filter(|(_, text)| text.len() < 50_000) {
        assert_is_one_scan(name, &text, &LIST, &[64, 1000]);
    }
}

#[test]
fn a_tag_on_several_lines_is_read_as_by_one_scan() {
    let sizes: Vec<usize> = (64..200).collect();
    for fen in ["4k3/8/8/8/\n8/8/4P3/4K3 w - - 0 1", "4k3/8/8\n/8/8/8\n/4P3/4K3 w - - 0 1"] {
        let text =
            format!("[Event \"a\"]\n[FEN \"{fen}\"]\n[White \"w\"]\n\n1. e4 *\n\n").repeat(5);
        let games = expected(text.as_bytes(), &LIST);
        let value = format!("{:?}", fen.as_bytes());
        assert_eq!(games.iter().filter(|game| game.contains(&value)).count(), 5, "{games:?}");
        assert_is_one_scan_with(&[1], fen, text.as_bytes(), &LIST, &sizes);
    }
}

#[test]
fn hostile_texts_with_games_above_the_limit_are_delivered_as_by_one_scan() {
    // Text outside of games that is above the limit is reported in fewer faults.
    for max_game_bytes in [20, 100] {
        let work = ListGames { max_game_bytes, shows_faults: false, ..LIST };
        for (name, text) in hostile().into_iter().filter(|(_, text)| text.len() < 20_000) {
            let name = format!("{name}, limit {max_game_bytes}");
            assert_is_one_scan(&name, &text, &work, &[64, 1000]);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: testkit::shared::cases(1500), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_fragments_are_delivered_as_by_one_scan(
        pieces in prop::collection::vec(prop::sample::select(PIECES), 0..100),
        chunk_bytes in 64..100_usize,
    ) {
        let text = pieces.concat();
        assert_is_one_scan_with(&[1], &text, text.as_bytes(), &LIST, &[chunk_bytes]);
    }

    #[test]
    fn any_fragments_with_games_above_the_limit_are_delivered_as_by_one_scan(
        pieces in prop::collection::vec(prop::sample::select(PIECES), 0..100),
        max_game_bytes in 0..100_usize,
    ) {
        let text = pieces.concat();
        let work = ListGames { max_game_bytes, shows_faults: false, ..LIST };
        assert_is_one_scan_with(&[1], &text, text.as_bytes(), &work, &[64]);
    }
}

#[test]
fn a_game_above_the_limit_that_is_cut_after_a_comment_between_tags_ends_where_one_scan_ends_it() {
    let work = ListGames { max_game_bytes: 0, shows_faults: false, ..LIST };
    let long = "x".repeat(40);
    for after in [
        "[White \"open\n", "[White \"b\"]\n", "[Event \"b\"]\n", "{second}\n", "; line\n",
        "1. e4 *\n",
    ] {
        for lines in ["\n", "\n\n", "\n% escaped {\n", " \n\n% escaped\n\n"] {
            let text =
                format!("[Event \"a\"]\n\n{{{long}}}{lines}{after}[White \"c\"]\n\n1. d4 *\n");
            for cut in 64..100 {
                assert_is_one_scan_with(&[1], &text, text.as_bytes(), &work, &[cut]);
            }
        }
    }
}

#[test]
fn a_wrong_cut_is_processed_again() {
    let in_a_comment = "[Event \"A\"]\n\n1. e4 {\n[Event \"no\"]\n\n1. d4 *\n} e5 *\n\n";
    let in_tags =
        "[Event \"A\"]\n{ c }\n[Event \"B\"]\n\n[White \"x\"]\n[Event \"C\"]\n\n1. e4 *\n";
    // A move number after a result does not begin a game inside parentheses.
    let after_a_result = "1. e4 e5 1-0 ( 0-1\n1. d4 d5 *\n2. c4 *\n)\n1. c4 *\n";
    let in_a_variation = "1. e4 ( 1. d4 1-0\n1... d5 *\n2. c4 ) e5 *\n";
    let between_games = "1. e4 *\n\n{ 1. d4 *\n1. c4 *\n}\n1. e4 *\n\n{ [ }\n[Event \"A\"]\n\n*\n";
    for text in [in_a_comment, in_tags, after_a_result, in_a_variation, between_games] {
        let sizes: Vec<usize> = (64..64 + text.len()).collect();
        assert_is_one_scan(text, text.repeat(20).as_bytes(), &LIST, &sizes);
    }
}

#[test]
fn a_game_above_the_limit_is_reported_and_those_around_it_are_delivered() {
    let large = format!("[Event \"large\"]\n\n1. e4 {{{}}} e5 *\n\n", "word ".repeat(400));
    let small = "[Event \"small\"]\n\n1. e4 e5 *\n\n";
    for max_game_bytes in [0, 30, 60, 1000, 2036, 2037, 3000] {
        let work = ListGames { max_game_bytes, ..LIST };
        for text in [
            format!("{small}{large}{small}{large}{large}{small}"),
            format!("{large}{small}"),
            format!("{small}{large}"),
        ] {
            let name = format!("limit {max_game_bytes}");
            assert_is_one_scan(&name, text.as_bytes(), &work, &[64, 100, 700, 1 << 20]);
        }
    }
}

#[test]
fn whole_games_before_an_error_of_the_input_are_delivered() {
    let text = Generator::text(Style::Annotated, 2, 6_000);
    let work = ListGames { shows_faults: false, ..LIST };
    let all = expected(&text, &work);
    for cut in (0..text.len()).step_by(97) {
        for workers in [1, 3] {
            let input = text[..cut].chain(Broken);
            let (outcome, games, _) = delivered(input, &work, workers, 300);
            assert_eq!(outcome.unwrap_err().to_string(), "the disk is gone", "{cut}");
            assert_eq!(games, all[..games.len()], "{cut}, {workers} workers");
            // The last game may be torn and is then dropped.
            let whole = expected(&text[..cut], &work).len();
            assert!(games.len() + 1 >= whole, "{cut}: {} of {whole} games", games.len());
        }
    }
}

#[test]
fn a_game_before_an_error_of_the_input_is_whole_if_nothing_can_change_it() {
    // The text before the error, and the number of its games that are delivered.
    let cases = [
        ("1. e4 *", 1),
        ("1. e4 * {a", 1),
        ("1. e4 * 1. d4", 1),
        ("1. e4 e5", 0),
        ("1. e4 e5 {a} ", 0),
        ("1. e4 (1. d4 *", 0),
        // `1` may be the beginning of `1-0`.
        ("1. e4 e5\n\n1", 0),
        ("1. e4 e5\n\n1. ", 1),
        ("1. e4 e5\n\n1. d4 *", 2),
        ("[A \"\"]\n\n1. e4\n\n[B", 0),
        ("[A \"\"]\n\n1. e4\n\n[B \"x", 0),
        ("[A \"\"]\n\n1. e4\n\n[B \"x\"", 0),
        ("[A \"\"]\n\n1. e4\n\n[B \"x\"]", 1),
        ("[A \"\"]\n\n1. e4\n\n[B \"x\"\n", 1),
        // A tag section without movetext.
        ("[A \"\"]\n\n", 0),
        ("[A \"\"]\n\n[A \"x\"", 0),
        ("[A \"\"]\n\n[A \"x\"]", 1),
        ("[A \"\"]\n\n[Event \"x\"]\n", 1),
        ("{a} ", 0),
    ];
    let work = ListGames { shows_faults: false, ..LIST };
    for (text, whole) in cases {
        let (outcome, games, _) = delivered(text.as_bytes().chain(Broken), &work, 1, 1000);
        assert!(outcome.is_err());
        assert_eq!(games.len(), whole, "{text:?}: {games:?}");
    }
}

struct Broken;

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("the disk is gone"))
    }
}

/// Counts the bytes of the chunks that are processed.
struct CountBytes(AtomicUsize);

impl ChunkWorker for CountBytes {
    type Cutter = GameCutter;
    type Output = Vec<String>;

    fn chunk(&self, chunk: Chunk<'_>, games: &mut Vec<String>) -> ChunkEnd {
        self.0.fetch_add(chunk.bytes().len(), Ordering::Relaxed);
        LIST.chunk(chunk, games)
    }

    fn too_large(&self, _: Chunk<'_>, _: &mut Vec<String>) {}
}

#[test]
fn games_in_standard_form_are_processed_once() {
    let standard = "[Event \"a\"]\n[Site \"\"]\n\n1. e4 {c} e5\n2. Nf3 *\n\n".repeat(40);
    let bare = "1. e4 e5\n2. Nf3 1-0\n".repeat(40);
    for text in
        [&standard, &standard.replace("\n", "\r\n"), &standard.replace("Event", "White"), &bare]
    {
        let work = CountBytes(AtomicUsize::new(0));
        let (outcome, chunks, _) = run(text.as_bytes(), &work, [1, 300, usize::MAX]);
        outcome.unwrap();
        assert_eq!(work.0.into_inner(), text.len(), "{text:?}");
        assert!(chunks.len() >= text.len() / 300, "{} chunks", chunks.len());
    }
}

#[test]
fn a_game_of_many_chunks_is_not_scanned_again_for_each_of_them() {
    let text = format!("[Event \"x\"]\n\n1. e4 {} *\n", "{word} e5 \n".repeat(250_000));
    let work = CountBytes(AtomicUsize::new(0));
    let (outcome, chunks, _) = run(text.as_bytes(), &work, [1, 64, usize::MAX]);
    outcome.unwrap();
    assert_eq!(chunks.concat().len(), 1);
    // A chunk that is twice as large is tried each time; trying the next 64 bytes each time would
    // read 60 GB.
    let scanned = work.0.into_inner();
    assert!(scanned <= 4 * text.len(), "{scanned} of {} bytes", text.len());
}

#[test]
fn text_around_comments_that_are_too_large_is_read_as_by_one_scan() {
    let texts = [
        // Padding after the comment.
        "{[Event \"a\"]\n[Event \"b\"]\n\n1. e4 e5 *\n\n} \x001-0\n\n\r\n% escaped {\ne4 1/2-1/2hello \n",
        // Another comment after it, in the next chunk.
        "{[Event \"a long name of a tournament\"]\n[Event \"b\"]\n1. e4 e5 [Event \"c\"]\n[[Event \"d\"]\n}\n\
         % escaped {\n\n;[Event \"e\"]\n1. e4 e5 [Event \"f\"]\n[Event \"g\"]\n",
    ];
    for text in texts {
        for max_game_bytes in 0..150 {
            let work = ListGames { max_game_bytes, shows_faults: false, ..LIST };
            assert_is_one_scan(text, text.as_bytes(), &work, &[64]);
        }
    }
}
