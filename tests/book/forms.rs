//! The formats of a book.

use super::{GAMES, python};
use crate::support::{program, run_in};

fn book(args: &[&str]) -> String {
    let outcome =
        program().file("games.pgn", GAMES).arg("book").args(args).arg("games.pgn").run_quietly();
    outcome.text().to_owned()
}

#[test]
fn each_form_is_the_reviewed_one() {
    for (name, args) in [
        ("epd", "--ply 1..4 --min-games 2"),
        ("preset", "--preset match --last"),
        ("pgn", "--format pgn --ply 4"),
        ("strongest", "--format pgn --ply 4 --best-rated"),
        ("csv", "--format csv --ply 0..1"),
        ("jsonl", "--format jsonl --ply 4"),
    ] {
        insta::assert_snapshot!(format!("book-{name}"), book(&args.split(' ').collect::<Vec<_>>()));
    }
}

#[test]
fn a_position_is_shown_as_an_explorer_shows_it() {
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 9 9";
    for (name, args) in [("show", &[][..]), ("show-fen", &["--fen", fen])] {
        let program = program().file("games.pgn", GAMES).args(["book", "show", "games.pgn"]);
        insta::assert_snapshot!(format!("book-{name}"), program.args(args).run().text());
    }
}

/// Entries of a Polyglot book: key, move, weight, learning data.
fn polyglot(entries: &[(u64, u16, u16, u32)]) -> Vec<u8> {
    let entry = |(key, code, weight, learn): &(u64, u16, u16, u32)| {
        let (key, code) = (key.to_be_bytes(), code.to_be_bytes());
        [&key[..], &code, &weight.to_be_bytes(), &learn.to_be_bytes()].concat()
    };
    entries.iter().flat_map(entry).collect()
}

/// The keys of the starting position, and of a position in which both sides can castle.
const START: u64 = 0x463b_9618_1691_fc9c;
const CASTLES: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

#[test]
fn a_polyglot_book_is_shown_with_its_weights() {
    let castles = pgn2epd::Position::from_fen(CASTLES).unwrap().key();
    // e2e4, d2d4 and an illegal e2e5; castling as e1h1, e1a1, and as e1g1.
    let start = [(START, 0x031c, 300, 0), (START, 0x02db, 700, 5), (START, 0x0324, 1, 0)];
    let castling = [(castles, 0x0107, 2, 0), (castles, 0x0100, 1, 0), (castles, 0x0106, 1, 0)];
    let mut book = [start, castling].concat();
    book.sort_by_key(|(key, ..)| *key);
    let show = |args: &[&str]| {
        program().file("b.bin", polyglot(&book)).args(["book", "show", "b.bin"]).args(args).run()
    };
    let outcome = show(&[]);
    assert_eq!(outcome.status, 1);
    let number = book.iter().position(|entry| entry.1 == 0x0324).unwrap() + 1;
    assert_eq!(
        outcome.stderr,
        format!("pgn2epd: b.bin: entry {number}: e2e5 is illegal in this position\n")
    );
    insta::assert_snapshot!(outcome.text(), @r"
    rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -
    move        weight   share      learn
    d4             700   70.0%          5
    e4             300   30.0%          0
    ");
    insta::assert_snapshot!(show(&["--fen", CASTLES]).text(), @r"
    r3k2r/8/8/8/8/8/8/R3K2R w KQkq -
    move        weight   share      learn
    O-O              2   50.0%          0
    O-O-O            1   25.0%          0
    O-O              1   25.0%          0
    ");
    let missing = show(&["--moves", "e4"]);
    assert_eq!(
        (missing.status, missing.text()),
        (
            0,
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\nthe book does not have this position\n"
        )
    );
}

#[test]
fn metadata_are_written_next_to_the_book() {
    let outcome = program()
        .file("games.pgn", GAMES)
        .args(["book", "--ply", "1..4", "--metadata", "-o", "b.epd", "games.pgn"])
        .run_quietly();
    let metadata: serde_json::Value = outcome.string("b.epd.json").parse().unwrap();
    // An entry of books.json.
    let metadata = &metadata["b.epd"];
    let book = outcome.file("b.epd").unwrap();
    let lines = book.split(|byte| *byte == b'\n').count() - 1;
    assert_eq!(metadata["total"], lines);
    let white = metadata["white"].as_u64().unwrap();
    assert_eq!(white + metadata["black"].as_u64().unwrap(), lines as u64);
    assert_eq!((&metadata["min_depth"], &metadata["max_depth"]), (&1.into(), &4.into()));
    let hash: String = {
        use sha2::Digest;
        sha2::Sha384::digest(&book).iter().map(|byte| format!("{byte:02x}")).collect()
    };
    assert_eq!(metadata["sha384"], hash);
    // Four characters per three bytes.
    assert_eq!(metadata["sri"].as_str().unwrap().len(), 64);
    assert_eq!(metadata["versions"]["pgn2epd"], env!("CARGO_PKG_VERSION"));
}

#[test]
fn a_published_book_names_its_inputs_without_their_folders() {
    for form in ["epd", "csv", "jsonl", "pgn"] {
        let name = format!("b.{form}");
        let outcome = program()
            .file("secret/games.pgn", GAMES)
            .args(["book", "--metadata", "--format", form])
            .arg(format!("--output={name}"))
            .arg("secret/games.pgn")
            .run_quietly();
        let book = outcome.string(&name);
        let metadata = outcome.string(&format!("{name}.json"));
        assert!(!book.contains("secret") && !metadata.contains("secret"), "{book}{metadata}");
        assert_eq!(book.contains("games.pgn"), form != "pgn", "{book}");
        assert!(
            metadata.contains("\"games.pgn\"") && metadata.contains(&format!("--output={name}"))
        );
    }
}

#[test]
fn the_hash_equals_that_in_the_list_of_the_stockfish_books() {
    let epd = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    let outcome = program()
        .stdin(epd)
        .args(["book", "--ops", "none", "--metadata", "-o", "startpos.epd"])
        .run();
    let metadata: serde_json::Value = outcome.string("startpos.epd.json").parse().unwrap();
    // printf '%s\n' "$epd" | openssl dgst -sha384 -binary | base64
    assert_eq!(
        metadata["startpos.epd"]["sri"],
        "lWd6vQEzhvUcacW6MtnrmGpGguvbZUWAYuMHsKXsLxPvuT1vNZPmHnsxIjMU7zq1"
    );
}

/// Reads a Polyglot book and compares it with the table.
const READ_POLYGLOT: &str = r#"
import chess, chess.polyglot, json
rows = [json.loads(line) for line in open("book.jsonl")]
entries = 0
with chess.polyglot.open_reader("book.bin") as reader:
    for row in rows:
        board = chess.Board(row["epd"] + " 0 1")
        side = "white" if board.turn else "black"
        points = {m["uci"]: 2 * m[side] + m["draws"] for m in row["moves"] if m["uci"]}
        expected = {uci: p for uci, p in points.items() if p > 0}
        found = {e.move.uci(): e.weight for e in reader.find_all(board)}
        assert found == expected, (row["epd"], found, expected)
        assert all(e.key == chess.polyglot.zobrist_hash(board) for e in reader.find_all(board))
        entries += len(found)
    assert entries == len(reader), (entries, len(reader))
    keys = [e.key for e in reader]
    assert keys == sorted(keys)
print(entries)
"#;

#[test]
fn python_chess_reads_the_polyglot_book() {
    if !python::has(&["chess"]) {
        return;
    }
    let mut games = GAMES.to_owned().into_bytes();
    if let Some(file) = testkit::shared::corpus_file("worldcup2005") {
        games.extend_from_slice(b"\n");
        games.extend(file.read().unwrap());
    }
    let program = program().file("games.pgn", &games);
    let folder = program.folder();
    for name in ["book.bin", "book.jsonl"] {
        let args = "book -q --ply ..24 --unknown-result skip games.pgn -o";
        run_in(folder, &[&args.split(' ').collect::<Vec<_>>()[..], &[name]].concat());
    }
    let entries: u64 = python::run(READ_POLYGLOT, folder).trim().parse().unwrap();
    assert!(entries >= 8, "{entries}");
}
