//! The functions of Perl's Chess::PGN::EPD, compared with the module's results, or with the correct
//! ones if the module is wrong.
//!
//! `../shared/oracle/perl` has the results of version 0.31. Without it only the faults are tested.

use std::fs;

use pgn2epd::EpdListError;
use pgn2epd::chess::{Piece, Square};
use pgn2epd::perl::{self, Board, Code, FromTo, Placement, Tables, Taxonomy, look};
use serde_json::Value;
use testkit::shared::shared;

use crate::support::fixture;

/// The lines of a file of the oracle; none if it is missing.
fn oracle(name: &str) -> Vec<Value> {
    let Some(shared) = shared() else { return Vec::new() };
    let text = fs::read_to_string(shared.join("oracle/perl").join(name)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Asserts a minimum number of comparisons, if there were any.
#[track_caller]
fn assert_many(compared: usize, expected: usize) {
    assert!(shared().is_none() || compared >= expected, "only {compared} were compared");
}

fn texts(value: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    value.as_array().unwrap().iter().map(text).collect()
}

fn from_to(value: &Value) -> FromTo {
    let text = |key: &str| value[key].as_str().unwrap().to_owned();
    FromTo {
        piece: text("piece"),
        from: text("from"),
        to: text("to"),
        promotion: text("promotion"),
        enpassant: text("enpassant"),
        castles: text("castles"),
    }
}

fn all_from_to(value: &Value) -> Vec<FromTo> {
    value.as_array().unwrap().iter().map(from_to).collect()
}

#[test]
fn every_game_has_the_positions_and_the_moves_of_the_module() {
    let games = oracle("games.jsonl");
    for game in &games {
        let moves = texts(&game["moves"]);
        assert_eq!(perl::epdlist(&moves).unwrap(), texts(&game["epdlist"]), "game {}", game["id"]);
        let expected = all_from_to(&game["fromto"]);
        assert_eq!(perl::epdfromto(&moves).unwrap(), expected, "game {}", game["id"]);
    }
    assert_many(games.len(), 307);
}

/// The tables of the module, if available.
fn tables() -> Option<Tables> {
    let folder = shared()?.join("openings/perl");
    let mut tables = Tables::default();
    for (code, file) in
        [(Code::Eco, "ECO.txt"), (Code::Nic, "NIC.txt"), (Code::Opening, "Opening.txt")]
    {
        tables.load(code, &fs::read_to_string(folder.join(file)).unwrap()).unwrap();
    }
    Some(tables)
}

const EVERYTHING: Taxonomy =
    Taxonomy { all: true, eco: false, nic: false, opening: false, astags: false };

#[test]
fn with_its_tables_every_game_has_the_name_given_by_the_module() {
    let Some(tables) = tables() else { return };
    for game in oracle("games.jsonl") {
        let moves = texts(&game["moves"]);
        let expected = ["eco", "nic", "opening"].map(|key| game[key].as_str().unwrap());
        assert_eq!(tables.epdtaxonomy(&moves, EVERYTHING).unwrap(), expected, "{}", game["id"]);
        let tags = Taxonomy { astags: true, ..EVERYTHING };
        let found = tables.epdtaxonomy(&moves, tags).unwrap();
        assert_eq!(found, texts(&game["tags"]), "{}", game["id"]);
    }
}

/// The games in the module's own tests (`t/01_epdcode.t`: it loads, and six answers), the module's
/// answers, and their opening families.
const LOOKED_UP: [(&str, [&str; 3], &str); 2] = [
    (
        "e4 e6 f4 d5 e5 c5 Nf3 Nc6 d3 Be7 Be2 Nh6 c3 O-O O-O f6 exf6 Bxf6 d4 cxd4 cxd4 Qb6 Nc3 Bxd4+ Kh1 Bxc3 bxc3 Ng4 Nd4 \
         Nxd4 cxd4 Nf6 Ba3 Rf7 Rb1 Qd8 Bd3 Bd7 Qf3 Bc6 f5 Ne4 Bxe4 dxe4 Qd1 exf5 Rb2 Qd5 Rbf2 e3 Re2 Bb5",
        ["C00", "FR 1", "French: Labourdonnais variation"],
        "French Defense",
    ),
    (
        "d4 Nf6 c4 e6 Nc3 Bb4 e3 b6 Ne2 Bb7 a3 Be7 f3 d5 cxd5 exd5 Ng3 O-O Bd3 c5 O-O Re8 Nf5 Bf8 g4 g6 Ng3 Nc6 g5 cxd4 \
         exd4 Nd7 Nge2 Bg7 Nb5 Nf8 f4 a6 f5 axb5 f6 Bh8 Bxb5 Ba6 Bxa6 Rxa6 Bf4 Qd7 Rc1 Raa8 Rc3 Re4 Ng3 Rxd4 Qc2 Na5 Be3 \
         Rg4 Qd1 Nc4 Bc1 b5 Rd3 d4 Re1 h5 b3 Nb6 Re7 Qd6 Re4 Rxe4 Nxe4 Qc6 Nd2 Ne6 Nf3 Rd8 Be3 Qe4",
        ["E44", "NI 13", "Nimzo-Indian: Fischer variation, 5.Ne2"],
        "Nimzo-Indian Defense",
    ),
];

#[test]
fn lookups_of_the_module_tests_succeed() {
    for (moves, answers, family) in LOOKED_UP {
        let moves: Vec<&str> = moves.split_whitespace().collect();
        let eco = Taxonomy { eco: true, ..Taxonomy::default() };
        // The built-in table has the same family and code.
        let opening = Taxonomy { opening: true, ..Taxonomy::default() };
        let name = perl::epdtaxonomy(&moves, opening).unwrap().concat();
        assert!(name.starts_with(family), "{name}");
        assert_eq!(perl::epdtaxonomy(&moves, eco).unwrap(), answers[..1]);

        let Some(tables) = tables() else { continue };
        assert_eq!(tables.epdtaxonomy(&moves, EVERYTHING).unwrap(), answers);
        let mut positions = perl::epdlist(&moves).unwrap();
        positions.reverse();
        for (code, answer) in [Code::Eco, Code::Nic, Code::Opening].into_iter().zip(answers) {
            assert_eq!(tables.epdcode(code, positions.clone()), answer);
        }
    }
}

#[test]
fn codes_equal_those_of_the_module() {
    let Some(tables) = tables() else { return };
    let mut compared = 0;
    for answer in oracle("board.jsonl") {
        compared += 1;
        match answer["call"].as_str().unwrap() {
            "epdcode" => {
                let code: Code = answer["key"].as_str().unwrap().parse().unwrap();
                let ours = tables.epdcode(code, texts(&answer["epds"]));
                // The header of the table is not a row.
                let expected = answer["answer"].as_str().unwrap();
                assert_eq!(ours, if expected == "CODE" { "Unknown" } else { expected });
            }
            "epdTaxonomy" => {
                let is_set = |name: &str| answer["options"].get(name).is_some();
                let options = Taxonomy {
                    all: is_set("all"),
                    eco: is_set("eco"),
                    nic: is_set("nic"),
                    opening: is_set("opening") || is_set("Opening"),
                    astags: is_set("astags"),
                };
                let ours = tables.epdtaxonomy(texts(&answer["moves"]), options).unwrap();
                if answer["perl_bug"] == true {
                    let asked = [options.eco, options.nic, options.opening];
                    assert_eq!(ours.len(), asked.into_iter().filter(|asked| *asked).count());
                } else {
                    assert_eq!(ours, texts(&answer["answer"]), "{options:?}");
                }
            }
            _ => compared -= 1,
        }
    }
    assert_many(compared, 21);
}

#[test]
fn each_part_of_a_taxonomy_can_be_requested() {
    let najdorf = ["e4", "c5", "Nf3", "d6", "d4", "cxd4", "Nxd4", "Nf6", "Nc3", "a6"];
    let ask = |options| perl::epdtaxonomy(najdorf, options).unwrap();
    let nothing = Taxonomy::default();
    assert_eq!(ask(Taxonomy { eco: true, ..nothing }), ["B90"]);
    let opening = ask(Taxonomy { opening: true, ..nothing });
    assert_eq!(opening, ["Sicilian Defense: Najdorf Variation"]);
    // The built-in table has no NIC codes.
    assert_eq!(ask(Taxonomy { nic: true, astags: true, ..nothing }), ["[NIC \"Unknown\"]"]);
    assert!(ask(nothing).is_empty() && ask(Taxonomy { astags: true, ..nothing }).is_empty());
}

#[test]
fn an_invalid_table_is_reported() {
    let load = |table: &str| Tables::default().load(Code::Eco, table).unwrap_err().to_string();
    assert_eq!(load("\"A00\",\"x\"\n\"A01\"\n"), "line 2: a row is a code and a position");
}

/// A line of `fixtures/perl/faults.tsv`: a list of moves that the module handles wrongly, and the
/// correct result.
struct Fault {
    name: String,
    moves: Vec<String>,
    right: String,
}

fn faults() -> Vec<Fault> {
    let table = String::from_utf8(fixture("perl/faults.tsv")).unwrap();
    let rows = table.lines().skip(1).map(|line| {
        let columns: Vec<&str> = line.split('\t').collect();
        // One of the moves contains a space.
        let moves = columns[1].split(' ').map(|token| token.replace('␠', " ")).collect();
        Fault { name: columns[0].to_owned(), moves, right: columns[2].to_owned() }
    });
    rows.collect()
}

#[test]
fn errors_of_the_module_are_corrected() {
    let faults = faults();
    assert!(faults.len() >= 53);
    for Fault { name, moves, right } in faults {
        let ours = match perl::epdlist(&moves) {
            Ok(positions) => positions.last().unwrap().clone(),
            Err(error) => error.to_string(),
        };
        assert_eq!(ours, right, "{name}");
    }
}

#[test]
fn every_fault_of_the_oracle_is_listed_and_corrected_like_in_python_chess() {
    let known = faults();
    let all = oracle("faults.jsonl");
    for fault in &all {
        let name = fault["name"].as_str().unwrap();
        let moves = texts(&fault["moves"]);
        let ours = known.iter().find(|known| known.name == name);
        assert_eq!(ours.map(|known| &known.moves), Some(&moves), "{name}");
        let right = &fault["right"];
        let positions = texts(&right["epdlist"]);
        match (perl::epdlist(&moves), right["error"]["index"].as_u64()) {
            // Several check marks are accepted here, but not by python-chess.
            (Ok(ours), Some(6)) if name == "plus-mate" => assert_eq!(ours[..6], positions),
            (Ok(ours), None) => {
                assert_eq!(ours, positions, "{name}");
                let moved = perl::epdfromto(&moves).unwrap();
                assert_eq!(moved, all_from_to(&right["fromto"]), "{name}");
            }
            (Err(EpdListError::Move { index, .. }), Some(expected)) => {
                assert_eq!(index as u64, expected, "{name}");
                assert_eq!(perl::epdlist(&moves[..index]).unwrap(), positions, "{name}");
            }
            (ours, expected) => panic!("{name}: {ours:?}, expected an error at {expected:?}"),
        }
    }
    assert_many(all.len(), 53);
}

#[test]
fn moves_start_from_a_given_position() {
    let board = perl::epdset("8/8/8/4k3/8/8/4P3/4K3 w - -").unwrap();
    assert_eq!(board.epdlist(["e4"]).unwrap(), ["8/8/8/4k3/4P3/8/8/4K3 b - e3"]);
    // The board is a value: a second list starts from the same position.
    assert_eq!(board.epdlist(["Kd2"]).unwrap(), ["8/8/8/4k3/8/8/3KP3/8 b - -"]);
    let black = perl::epdset("4k3/3p4/8/8/8/8/8/4K3 b - -").unwrap();
    assert_eq!(black.epdfromto(["d5"]).unwrap()[0].piece, "p");
    let en_passant = perl::epdset("4k3/8/8/3pP3/8/8/8/4K3 w - d6 sm exd6;").unwrap();
    assert_eq!(en_passant.epdfromto(["exd6"]).unwrap()[0].enpassant, "d5");
}

#[test]
fn an_impossible_position_is_set_up_but_not_played() {
    let board = perl::epdset("8/8/8/8/8/8/8/8 w KQkq -").unwrap();
    assert!(board.castling('K') && board.squares().iter().next().is_none());
    let error = board.epdlist(["e4"]).unwrap_err();
    assert_eq!(error.to_string(), "FEN: White has no king");
    let error = perl::epdset("8/8/8/8/8/8/8 w - -").unwrap_err();
    assert_eq!(error.to_string(), "7 ranks, not 8");
}

#[test]
fn castling_in_chess960_names_the_squares_of_king_and_rook() {
    let board = perl::epdset("1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1 w GBgb -").unwrap();
    let moves = board.epdfromto(["O-O", "O-O-O"]).unwrap();
    assert_eq!((&*moves[0].from, &*moves[0].to), ("c1g1", "g1f1"));
    assert_eq!((&*moves[1].from, &*moves[1].to), ("c8b8", "c8d8"));
}

#[test]
fn boards_and_squares_equal_those_of_the_module() {
    let mut compared = 0;
    for answer in oracle("board.jsonl") {
        let call = answer["call"].as_str().unwrap();
        let epd = || answer["epd"].as_str().unwrap();
        let is_list = |moves: &[&str]| {
            assert_eq!(perl::epdlist(moves).unwrap(), texts(&answer["epdlist"]), "{call}");
        };
        compared += 1;
        match call {
            "epdgetboard" => {
                let board = perl::epdgetboard(epd()).unwrap();
                assert_eq!(u64::from(board.white()), answer["white"], "{}", epd());
                for letter in ["K", "Q", "k", "q"] {
                    let ours = board.castling(letter.chars().next().unwrap());
                    assert_eq!(u64::from(ours), answer[letter], "{}: {letter}", epd());
                }
                assert_eq!(*board.squares(), placement(&answer["board"]), "{}", epd());
            }
            "psquares" => {
                let piece = answer["piece"].as_str().unwrap().chars().next().unwrap();
                let board = perl::epdgetboard(epd()).unwrap();
                let squares = perl::psquares(piece, board.squares());
                let names: Vec<String> = squares.map(|square| square.to_string()).collect();
                assert_eq!(names, texts(&answer["squares"]), "{}: {piece}", epd());
            }
            "%font2map" => {
                let map = answer["map"].as_object().unwrap();
                assert_eq!(map.len(), perl::FONT2MAP.len());
                for (font, kind) in map {
                    assert_eq!(perl::font2map(font), kind.as_str(), "{font}");
                }
            }
            "epdset() then epdgetboard()" => {
                assert_eq!(Board::default().squares().iter().count(), 32)
            }
            "epdlist('e4','','0','e5')" => is_list(&["e4", "", "0", "e5"]),
            "epdlist(\"e4\\n\",\"e5\")" => is_list(&["e4\n", "e5"]),
            "epdlist()" => is_list(&[]),
            "epdfromto()" => assert_eq!(perl::epdfromto([""; 0]).unwrap(), []),
            _ => compared -= 1,
        }
    }
    assert_many(compared, 110);
}

fn placement(board: &Value) -> Placement {
    let pieces = board.as_object().unwrap().iter().map(|(square, piece)| {
        let letter = piece.as_str().unwrap().chars().next().unwrap();
        (square.parse::<Square>().unwrap(), Piece::from_char(letter).unwrap())
    });
    pieces.collect()
}

#[test]
fn every_diagram_equals_that_of_the_module_or_its_documentation() {
    let diagrams = oracle("epdstr.jsonl");
    for diagram in &diagrams {
        let text = |key: &str| diagram[key].as_str().unwrap();
        let look = look(text("border"), text("corner"), text("legend"));
        let ours = perl::epdstr(text("epd"), text("type"), look).unwrap();
        let expected = diagram.get("right").unwrap_or(&diagram["rows"]);
        assert_eq!(ours, texts(expected), "{} {look:?}", text("type"));
        assert!(ours.concat().chars().all(|c| u32::from(c) < 256));
    }
    assert_many(diagrams.len(), 702);
}

#[test]
fn unusual_calls_of_epdstr_return_the_result_of_the_module_or_an_error() {
    let calls = oracle("epdstr_calls.jsonl");
    for call in &calls {
        let name = call["name"].as_str().unwrap();
        let argument = |key: &str| call["args"].get(key).and_then(Value::as_str);
        let or = |key: &str, default| argument(key).unwrap_or(default).to_owned();
        let look = look(&or("border", "single"), &or("corner", "square"), &or("legend", "no"));
        let kind = or("type", "");
        let ours = match call["args"].get("board") {
            Some(board) => perl::epdstr(placement(board), &kind, look),
            None => perl::epdstr(argument("epd").unwrap_or_default(), &kind, look),
        };
        match name {
            "unknown type" | "no type" | "no position" | "dummy" => {
                assert!(ours.is_err(), "{name}");
            }
            _ => assert_eq!(ours.unwrap(), texts(&call["rows"]), "{name}"),
        }
    }
    assert_many(calls.len(), 12);
}

#[test]
fn broken_types_follow_their_documentation() {
    let rows = |kind, corner, legend| {
        perl::epdstr("8/8/8/8/8/8/8/Q6K w - -", kind, look("single", corner, legend)).unwrap()
    };
    // The module only knows the spelling `hicky`.
    assert_eq!(rows("hickey", "square", "no"), rows("hicky", "square", "no"));
    assert_eq!(rows("hickey", "square", "no")[8], "4Q:@:@:@k5");
    // In the module an empty black square is a line feed.
    assert_eq!(
        rows("tilburg", "square", "no")[7],
        "\u{ef}\u{dc}\u{dd}\u{dc}\u{dd}\u{dc}\u{dd}\u{f2}"
    );
    // In the module the fifth row has a control character.
    assert_eq!(rows("marroquin", "square", "yes")[5].chars().next(), Some('\u{c4}'));
    // Fonts without round corners or legends ignore these options.
    for kind in ["scott1", "bodlaender", "katch"] {
        assert_eq!(rows(kind, "rounded", "no"), rows(kind, "square", "no"), "{kind}");
    }
    assert_eq!(rows("scott2", "square", "yes"), rows("scott2", "square", "no"));
    let error = perl::epdstr("8/8/8/8/8/8/8/8", "nosuch", perl::Look::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "unknown chess font \"nosuch\"; the other types are diagram, text, palview and latex"
    );
}
