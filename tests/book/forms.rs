//! The formats of a book.

use super::{GAMES, python};
use crate::support::program;

fn book(args: &[&str]) -> String {
    let outcome = program().file("games.pgn", GAMES).arg("book").args(args).arg("games.pgn").run();
    assert_eq!((outcome.status, &*outcome.stderr), (0, ""), "{args:?}");
    outcome.text().to_owned()
}

#[test]
fn records_contain_the_counts() {
    insta::assert_snapshot!("book-epd", book(&["--ply", "1..4", "--min-games", "2"]));
}

#[test]
fn records_of_the_match_preset_have_counters_only() {
    insta::assert_snapshot!("book-preset", book(&["--preset", "match", "--last"]));
}

#[test]
fn each_line_is_a_game() {
    insta::assert_snapshot!("book-pgn", book(&["--format", "pgn", "--ply", "4"]));
}

#[test]
fn the_strongest_game_is_kept_with_its_result() {
    insta::assert_snapshot!(
        "book-strongest",
        book(&["--format", "pgn", "--ply", "4", "--best-rated"])
    );
}

#[test]
fn tables_have_a_line_for_each_move() {
    insta::assert_snapshot!("book-csv", book(&["--format", "csv", "--ply", "0..1"]));
}

#[test]
fn json_lines_contain_everything() {
    insta::assert_snapshot!("book-jsonl", book(&["--format", "jsonl", "--ply", "4"]));
}

#[test]
fn castling_of_chess960_is_the_king_taking_its_rook_in_csv_and_json_lines() {
    // One rook is in its corner, so e1c1 would be read as chess.
    let game = "[Variant \"Chess960\"]\n[SetUp \"1\"]\n\
        [FEN \"r3k1r1/8/8/8/8/8/8/R3K1R1 w GAga - 0 1\"]\n\n1. O-O-O *\n";
    let run = |form| {
        let args = ["book", "--format", form, "games.pgn"];
        program().file("games.pgn", game).args(args).run().text().to_owned()
    };
    let csv = run("csv");
    assert_eq!(csv.lines().nth(1).unwrap().split(',').nth(2), Some("e1a1"), "{csv}");
    let json = run("jsonl");
    let row: serde_json::Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    assert_eq!(row["moves"][0]["uci"], "e1a1", "{json}");
}

#[test]
fn a_position_is_shown_as_an_explorer_shows_it() {
    let outcome = program().file("games.pgn", GAMES).args(["book", "show", "games.pgn"]).run();
    insta::assert_snapshot!("book-show", outcome.text());
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 9 9";
    let outcome =
        program().file("games.pgn", GAMES).args(["book", "show", "games.pgn", "--fen", fen]).run();
    insta::assert_snapshot!("book-show-fen", outcome.text());
}

#[test]
fn a_position_is_found_by_the_moves_that_lead_to_it() {
    let show = |args: &[&str]| {
        program().file("games.pgn", GAMES).args(["book", "show", "games.pgn"]).args(args).run()
    };
    let after_e4_e5 =
        show(&["--fen", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"]);
    assert!(after_e4_e5.text().contains("Nf3"), "{}", after_e4_e5.text());
    let after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    for args in [
        &["--moves", "e4 e5"][..],
        &["--moves", "1. e4 e5"],
        &["--moves", "1.e2-e4 1...e7e5"],
        &["--fen", after_e4, "--moves", "e5"],
    ] {
        let outcome = show(args);
        assert_eq!((outcome.status, outcome.text()), (0, after_e4_e5.text()), "{args:?}");
    }
    for (moves, message) in [
        ("e4 e5 Ke3", "--moves: 2. Ke3: illegal: no white king can reach e3"),
        ("e4 Frankfurt", "--moves: 1... Frankfurt: illegal: not a move"),
    ] {
        let outcome = show(&["--moves", moves]);
        assert_eq!((outcome.status, outcome.stderr), (2, format!("pgn2epd: {message}\n")));
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
fn a_polyglot_book_is_read_back_as_it_was_written() {
    let book = program()
        .file("games.pgn", GAMES)
        .args(["book", "games.pgn", "--ply", "..6", "-o", "b.bin"])
        .run();
    let bytes = book.file("b.bin").unwrap();
    let show = |moves| {
        let outcome =
            program().file("b.bin", &bytes).args(["book", "show", "b.bin", "--moves", moves]).run();
        assert_eq!((outcome.status, &*outcome.stderr), (0, ""));
        let words = |line: &str| line.split_whitespace().take(2).map(str::to_owned).collect();
        outcome.text().lines().skip(2).map(words).collect::<Vec<Vec<String>>>()
    };
    // Two points per win of the side to move, one per draw, and one for a game without a result.
    assert_eq!(show(""), [["e4", "3"], ["Nf3", "1"]]);
    assert_eq!(show("e4 e5 Nf3 Nc6"), [["Bb5", "2"], ["Bc4", "1"]]);
}

#[test]
fn a_damaged_polyglot_book_is_one_clear_error() {
    let sorted = polyglot(&[(1, 0, 1, 0), (3, 0, 1, 0), (2, 0, 1, 0)]);
    let cases = [
        (&sorted[..], "entries are sorted by key, and entry 3 has a smaller key than entry 2"),
        (&sorted[..31], "31 bytes are not a multiple of 16, the size of an entry"),
    ];
    for (bytes, reason) in cases {
        let outcome = program().file("b.BIN", bytes).args(["book", "show", "b.BIN"]).run();
        assert_eq!((outcome.status, outcome.text()), (2, ""));
        assert_eq!(
            outcome.stderr,
            format!(
                "pgn2epd: cannot read b.BIN: it is not a Polyglot book, or it is damaged: {reason}\n"
            )
        );
    }
}

#[test]
fn control_characters_in_names_are_shown_as_codes() {
    let games =
        "[White \"W\u{1b}[31mred\"]\n[Black \"B\u{1b}]52;c;aGk=\u{7}\u{9b}\u{202e}\"]\n\n1. e4 *\n";
    let outcome = program().file("in.pgn", games).args(["book", "show", "in.pgn"]).run();
    assert_eq!((outcome.status, &*outcome.stderr), (0, ""));
    let names = r"W\u{1b}[31mred - B\u{1b}]52;c;aGk=\u{7}\u{9b}\u{202e}, in.pgn:1";
    assert!(outcome.text().contains(names), "{}", outcome.text());
}

#[test]
fn a_book_in_pgn_has_the_positions_of_its_games() {
    let pgn = book(&["--format", "pgn", "--last"]);
    let again = program()
        .stdin(&*pgn)
        .args(["book", "--last", "--preset", "match", "--order", "key"])
        .run();
    assert_eq!(again.text(), book(&["--last", "--preset", "match", "--order", "key"]));
}

#[test]
fn the_format_is_chosen_by_the_file_name() {
    for (name, begins) in [
        ("b.epd", "rnbqkbnr"),
        ("b.pgn", "[Event"),
        ("b.csv", "epd,move"),
        ("b.jsonl", "{\"epd\""),
        ("b.txt", "rnbqkbnr"),
    ] {
        let outcome = program()
            .file("games.pgn", GAMES)
            .args(["book", "--ply", "1", "-o", name, "games.pgn"])
            .run();
        let text = outcome.file(name).unwrap();
        assert!(text.starts_with(begins.as_bytes()), "{name}");
    }
}

#[test]
fn an_unknown_suffix_is_an_error_that_lists_the_known_ones() {
    let run = |args: &[&str]| {
        let games = program().file("g.pgn", GAMES).file("a.part", "x");
        games.arg("book").args(args).run()
    };
    for (args, message) in [
        (
            &["g.pgn", "-o", "x.abk"][..],
            "x.abk: unknown suffix .abk; known suffixes of books: .epd, .txt, .pgn, .bin, .explorer, .csv, .jsonl, .ndjson, .arrow, .arrows, .parquet; --format selects a format for any name",
        ),
        (
            &["merge", "a.part", "-o", "x.xlsx"],
            "x.xlsx: unknown suffix .xlsx; known suffixes of books: .epd, .txt, .pgn, .bin, .explorer, .csv, .jsonl, .ndjson, .arrow, .arrows, .parquet; --format selects a format for any name",
        ),
        (
            &["g.pgn", "--partial", "-o", "x.epd"],
            "x.epd: unknown suffix .epd; known suffixes of partial results: .part",
        ),
    ] {
        let outcome = run(args);
        assert_eq!(
            (outcome.status, outcome.stderr.as_str()),
            (2, &*format!("pgn2epd: {message}\n"))
        );
        assert!(outcome.file(args.last().unwrap()).is_none());
    }
    for args in [
        &["g.pgn", "-o", "x.abk", "--format", "epd"][..],
        &["g.pgn", "-o", "x.EPD"],
        &["g.pgn", "-o", "x"],
        &["g.pgn", "--partial", "-o", "x"],
    ] {
        let outcome = run(args);
        assert_eq!((outcome.status, &*outcome.stderr), (0, ""), "{args:?}");
    }
}

#[test]
fn metadata_are_written_next_to_the_book() {
    let outcome = program()
        .file("games.pgn", GAMES)
        .args(["book", "--ply", "1..4", "--metadata", "-o", "b.epd", "games.pgn"])
        .run();
    assert_eq!((outcome.status, &*outcome.stderr), (0, ""));
    let metadata: serde_json::Value =
        serde_json::from_slice(&outcome.file("b.epd.json").unwrap()).unwrap();
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
            .run();
        assert_eq!((outcome.status, &*outcome.stderr), (0, ""), "{form}");
        let book = String::from_utf8(outcome.file(&name).unwrap()).unwrap();
        let metadata = String::from_utf8(outcome.file(&format!("{name}.json")).unwrap()).unwrap();
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
    let metadata: serde_json::Value =
        serde_json::from_slice(&outcome.file("startpos.epd.json").unwrap()).unwrap();
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
    let folder = program.folder().to_owned();
    for name in ["book.bin", "book.jsonl"] {
        let run = std::process::Command::new(env!("CARGO_BIN_EXE_pgn2epd"))
            .args([
                "book",
                "-q",
                "--ply",
                "..24",
                "--unknown-result",
                "skip",
                "-o",
                name,
                "games.pgn",
            ])
            .current_dir(&folder)
            .status();
        assert!(run.unwrap().success());
    }
    let entries: u64 = python::run(READ_POLYGLOT, &folder).trim().parse().unwrap();
    assert!(entries >= 8, "{entries}");
}

#[test]
fn positions_are_selected_by_evaluations_from_the_view_of_the_side_to_move() {
    let games = "1. e4 {[%eval 0.9]} e5 {[%eval 0.2]} 2. Nf3 {+1.00/12 1.0s} Nc6 {[%eval #3]} *";
    let after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\n";
    let after_e5 = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\n";
    let after_nc6 = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -\n";
    for (args, expected) in [
        (&["--eval", "-100..-80"][..], after_e4),
        // The evaluation of the engine that moves takes precedence over a comment on the preceding
        // move. It is written after the window.
        (&["--eval", "90..110"], after_e5),
        (&["--eval", "90..110", "--ply", "2"], after_e5),
        (&["--eval", "90..110", "--ply", "..2", "-j", "2"], after_e5),
        (&["--eval", "1000.."], after_nc6),
        (&["--eval", "1000..", "--last"], after_nc6),
        (&["--eval", "1..50"], ""),
    ] {
        let outcome = program().args(["book", "--ops", "none"]).args(args).stdin(games).run();
        let status = i32::from(expected.is_empty());
        assert_eq!((outcome.status, outcome.text()), (status, expected), "{args:?}");
    }
    let book = "4k3/8/8/8/8/8/4P3/4K3 w - - ce 95;\n4k3/8/8/8/8/8/3P4/4K3 w - - ce -95;\n\
        4k3/8/8/8/8/8/2P5/4K3 w - -\n";
    let outcome = program().args(["book", "--ops", "none", "--eval", "90.."]).stdin(book).run();
    assert_eq!(outcome.text(), "4k3/8/8/8/8/8/4P3/4K3 w - -\n");
}
