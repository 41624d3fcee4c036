//! For each rule, one line to which it applies and one to which it does not.

use san::Keyword;

use super::rules::rules_of;
use super::*;
use crate::read::line::read_line;
use crate::read::record_ref::ReadOptions;
use crate::severity::Severity;

const POSITION: &str = "4k3/8/8/8/8/8/4P3/4K3 w - -";

/// Program and rule, a line that is reported with this message, and a line that is not. `{}` is
/// replaced with the fields of a position.
const CASES: &[(&str, &str, &str, &str)] = &[
    ("cutechess comment", "# {}", "refuses a comment", "{}"),
    ("cutechess crafty", "4k/8/8/8/8/8/4P/4K/ w -", "refuses Crafty's old form", "{}"),
    (
        "cutechess side",
        "4k3/8/8/8/8/8/8/4K3 W - -",
        "refuses the side to move W: it needs a small letter",
        "{}",
    ),
    ("cutechess en-passant", "{}; bm e4;", "refuses the en passant field -;", "{} ; bm e4;"),
    (
        "cutechess empty-operation",
        "{} hmvc 0;; fmvn 8;",
        "refuses a semicolon without an operation",
        "{} 0 1; bm e4;",
    ),
    (
        "cutechess quote",
        "{} id a\"b\";",
        "refuses a quote inside an operand of id",
        "{} tcri \"a;b\" \"c d\"; id \"\";",
    ),
    ("cutechess clocks", "{} 5 39", "loses the clocks 5 and 39 and starts with 0 and 1", "{} 0 1"),
    (
        "cutechess semicolon",
        "{} hmvc 0; fmvn 8",
        "loses fmvn, which has no semicolon",
        "{} fmvn 8;",
    ),
    (
        "cutechess string-semicolon",
        "{} c0 \"a;b\";",
        "loses the semicolon in the string of c0",
        "{} c0 \"a\";",
    ),
    (
        "cutechess hyphen",
        "{} - hmvc 5;",
        "takes the hyphen for an opcode and loses hmvc",
        "{} hmvc 5;",
    ),
    (
        "cutechess game-over",
        "7k/5Q2/6K1/8/8/8/8/8 b - -",
        "starts a game that is over: no legal move",
        "{}",
    ),
    ("cutechess line", "{} fmvn +x;", "refuses  fmvn +x;", "{} fmvn 9;hmvc 0;"),
    ("fastchess comment", "# {}", "refuses a comment", "{}"),
    ("fastchess blank-line", "  \r", "refuses a line of blanks", "\r"),
    ("fastchess byte-order-mark", "\u{feff}{}", "refuses a byte order mark", "{}"),
    ("fastchess crafty", "4k/8/8/8/8/8/4P/4K/ w -", "refuses Crafty's old form", "{}"),
    (
        "fastchess blanks",
        "4k3/8/8/8/8/8/8/4K3  w - -",
        "takes every blank as the end of a field, and a tab for part of one",
        " {}  ",
    ),
    (
        "fastchess side",
        "4k3/8/8/8/8/8/8/4K3 B - -",
        "refuses the side to move B: it needs a small letter",
        "{}",
    ),
    ("fastchess en-passant", "{};", "refuses the en passant field -;", "{} hmvc 0;"),
    ("fastchess fullmove", "{} 0 0", "takes a fullmove number of 0 for move 32768", "{} 0 1"),
    (
        "fastchess clocks",
        "{} 5 39 bm e4;",
        "loses the clocks 5 and 39 and starts with 0 and 1: a line with a semicolon has them as hmvc and fmvn",
        "{} 5 39",
    ),
    (
        "fastchess castling",
        "r3k2r/8/8/8/8/8/8/R3K2R w HAha -",
        "loses the castling rights HAha unless the games are Chess960",
        "r3k2r/8/8/8/8/8/8/R3K2R w kqKQ -",
    ),
    (
        "fastchess game-over",
        "4k3/8/8/8/8/8/8/4K3 w - -",
        "starts a game that is over: no side can win",
        "{}",
    ),
    (
        "fastchess word",
        "{} c0 \"hmvc 5\";",
        "takes the word hmvc in a string for the operation",
        "{} hmvc 5;",
    ),
    ("fastchess line", "{} fmvn 9;hmvc 0;", "refuses 9;hmvc", "{} fmvn 9; hmvc 0;"),
    ("python-chess comment", "# {}", "refuses a comment", "{}"),
    ("python-chess byte-order-mark", "\u{feff}{}", "refuses a byte order mark", "{}"),
    ("python-chess crafty", "4k/8/8/8/8/8/4P/4K/ w -", "refuses Crafty's old form", "{}"),
    (
        "python-chess digits",
        "4k3/44/8/8/8/8/8/4K3 w - -",
        "refuses digits next to each other in 4k3/44/8/8/8/8/8/4K3",
        "{}",
    ),
    (
        "python-chess side",
        "4k3/8/8/8/8/8/8/4K3 W - -",
        "refuses the side to move W: it needs a small letter",
        "{}",
    ),
    (
        "python-chess castling",
        "r3k2r/8/8/8/8/8/8/R3K2R w kqKQ -",
        "refuses the castling rights kqKQ: at most two of White, then at most two of Black",
        "r3k2r/8/8/8/8/8/8/R3K2R w QKqk -",
    ),
    ("python-chess en-passant", "{}; bm e4;", "refuses the en passant field -;", "{} ; bm e4;"),
    (
        "python-chess clocks",
        "{} 0 1",
        "refuses the fifth field 0: from_epd wants four fields",
        "{} fmvn 1;",
    ),
    ("python-chess label", "{} [0.5]", "loses the label [0.5]", "{} c9 \"1-0\";"),
    (
        "python-chess operand",
        "{} c1 1-0;",
        "refuses 1-0, which is neither a string nor a number nor a move",
        "{} ce +5; x1 1.5e3; sm e4; c0;",
    ),
    (
        "python-chess castling-move",
        "4k3/8/8/8/8/8/8/1K5R w K - sm O-O;",
        "refuses sm: in operands it knows no castling of Chess960",
        "4k3/8/8/8/8/8/8/4K2R w K - sm O-O;",
    ),
    (
        "python-chess second-string",
        "{} tcri \"a@b.c\" \"A B\";",
        "refuses a second operand of tcri that contains a space",
        "{} tcri \"a\" \"b\";",
    ),
    (
        "python-chess second-operand",
        "{} tcri \"a\" \"b\";",
        "loses all operands of tcri but the first",
        "{} c0 \"a\";",
    ),
    (
        "python-chess backslash",
        "{} c0 \"C:\\x\";",
        "reads the backslash in the string of c0 as an escape",
        "{} c0 \"say \\\"hi\\\"\";",
    ),
    (
        "python-chess chess960",
        "4k3/8/8/8/8/8/8/1R2K3 w Q -",
        "loses castling rights of Q unless the board is one of Chess960",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -",
    ),
    ("python-chess line", "{} sm e4 ;", "refuses e4 ", "{} bm e4 ;"),
];

/// Returns the reports of one rule for a line.
fn reported(line: &str, name: &str) -> Vec<(Severity, String)> {
    let line = line.replace("{}", POSITION);
    let read = read_line(&line, &ReadOptions::default(), &mut |_| {});
    let consumer = name.split(' ').next().unwrap().parse().unwrap();
    let mut reported = Vec::new();
    misread(&line, &read, consumer, &mut |fault| {
        assert!(line.get(fault.at.clone()).is_some(), "{line}: {fault:?}");
        let EpdDiagnosticKind::Misread(misreading) = fault.kind else { panic!("{fault:?}") };
        if format!("{consumer} {}", misreading.rule()) == name {
            reported.push((misreading.severity(), misreading.to_string()));
        }
    });
    reported
}

#[test]
fn each_rule_is_found_where_it_holds_and_not_elsewhere() {
    for (name, line, message, other) in CASES {
        let consumer = name.split(' ').next().unwrap();
        let found = reported(line, name);
        assert_eq!(found.len(), 1, "{name}: {line}: {found:?}");
        assert_eq!(found[0].1, format!("{consumer} {message}"), "{name}: {line}");
        assert_eq!(reported(other, name), [], "{name}: {other}");
    }
    let names: Vec<String> = Consumer::ALL
        .iter()
        .flat_map(|of| rules_of(*of).iter().map(move |rule| format!("{of} {}", rule.name)))
        .collect();
    let tested: Vec<&str> = CASES.iter().map(|case| case.0).collect();
    assert_eq!(names, tested);
}

#[test]
fn a_rule_is_an_error_if_the_program_refuses_the_line() {
    for rule in Consumer::ALL.iter().flat_map(|consumer| rules_of(*consumer)) {
        let is_refusal = rule.message.starts_with("refuses") && !rule.message.contains("unless");
        let is_shifted = rule.name == "blanks";
        assert_eq!(rule.level == Severity::Error, is_refusal || is_shifted, "{}", rule.message);
    }
}

/// Program and rule, a line, and the texts that are reported.
const PLACES: &[(&str, &str, &[&str])] = &[
    ("cutechess comment", " # {} ", &["# 4k3/8/8/8/8/8/4P3/4K3 w - -"]),
    ("cutechess comment", "", &[]),
    ("cutechess side", "4k3/8/8/8/8/8/8/4K3 B - -", &["B"]),
    ("cutechess en-passant", "{}; bm e4;", &["-;"]),
    ("cutechess empty-operation", "{} hmvc 0;; fmvn 8;; id \"x\";", &[";"]),
    ("cutechess empty-operation", "{} 0 1; ; bm e4;", &[";"]),
    ("cutechess empty-operation", "{} bm e4;", &[]),
    ("cutechess quote", "{} id a\"b\"; c0 \"a\"; c1 \"a\"b\";", &["id a\"b\"", "c1 \"a\"b\""]),
    ("cutechess quote", "{} noop \"a\" \"b;c\" d;", &[]),
    ("cutechess clocks", "{} 5 39", &[""]),
    ("cutechess clocks", "{} 0 2", &[""]),
    ("cutechess clocks", "{} 1 1", &[""]),
    ("cutechess clocks", "{} hmvc 5;", &[]),
    ("cutechess semicolon", "{} bm e4 id \"x\"; resign", &["bm e4", "resign"]),
    ("cutechess semicolon", "{} bm e4; resign;", &[]),
    (
        "cutechess string-semicolon",
        "{} c0 \"a;b\"; c1 \"c\"; id \";\";",
        &["c0 \"a;b\"", "id \";\""],
    ),
    ("cutechess hyphen", "{} - hmvc 5;", &["-"]),
    ("cutechess hyphen", "{} -", &[]),
    ("cutechess hyphen", "{} - - hmvc 5;", &["-"]),
    ("fastchess comment", "; {}", &["; 4k3/8/8/8/8/8/4P3/4K3 w - -"]),
    ("fastchess blank-line", "  ", &["  "]),
    ("fastchess blank-line", "", &[]),
    ("fastchess blank-line", "{}", &[]),
    ("fastchess byte-order-mark", "\u{feff}{}", &["\u{feff}"]),
    ("fastchess crafty", " 4k/8/8/8/8/8/4P/4K/ w - ", &["4k/8/8/8/8/8/4P/4K/ w -"]),
    ("fastchess blanks", "4k3/8/8/8/8/8/8/4K3 w  - -", &["4k3/8/8/8/8/8/8/4K3 w  - -"]),
    ("fastchess blanks", "4k3/8/8/8/8/8/8/4K3 w - - \t", &["4k3/8/8/8/8/8/8/4K3 w - -"]),
    ("fastchess blanks", " {} bm e4;", &["4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;"]),
    ("fastchess blanks", "{} bm  e4;", &[]),
    ("fastchess blanks", "\u{feff}{} bm e4;\r", &[]),
    ("fastchess fullmove", "{} 0 0", &["0"]),
    ("fastchess fullmove", "{} 0 0 bm e4;", &[]),
    ("fastchess fullmove", "{} 0 1", &[]),
    ("fastchess fullmove", "{}", &[]),
    ("fastchess clocks", "{} 5 39 bm e4;", &[""]),
    ("fastchess clocks", "{} 0 1 bm e4;", &[]),
    ("fastchess castling", "r3k2r/8/8/8/8/8/8/R3K2R w HAha -", &["HAha"]),
    ("fastchess castling", "{}", &[]),
    ("fastchess word", "{} c0 \"a hmvc\"; c1 \"fmvn 3\"; id \"hmvcx\";", &["hmvc\"", "\"fmvn"]),
    ("python-chess digits", "4k3/44/8/8/8/8/8/4K3 w - -", &["4k3/44/8/8/8/8/8/4K3"]),
    ("python-chess castling", "r3k2r/8/8/8/8/8/8/R3K2R w kqKQ -", &["kqKQ"]),
    ("python-chess castling", "r3k2r/8/8/8/8/8/8/R3K2R w KkQ -", &["KkQ"]),
    ("python-chess castling", "r3k2r/8/8/8/8/8/8/R3K2R w kqQ -", &["kqQ"]),
    ("python-chess castling", "r3k2r/8/8/8/8/8/8/R3K2R w Kkq -", &[]),
    ("python-chess castling", "{}", &[]),
    ("python-chess clocks", "{} 0 1", &["0"]),
    ("python-chess clocks", "{} | 35 | 0.5", &["|"]),
    ("python-chess clocks", "{} [0.5]", &[]),
    ("python-chess clocks", "{} bm e4;", &[]),
    ("python-chess label", "{} [0.5] 12", &["[0.5]"]),
    ("python-chess label", "{} | 35 | 0.5", &[]),
    ("python-chess label", "{} x [0.5];", &[]),
    ("python-chess operand", "{} bm #2; c1 1-0; x +; y 1e; z 1e9;", &["#2", "1-0", "+", "1e"]),
    (
        "python-chess operand",
        "{} bm e5; x e4; y e5; z \"e5\"; zz 1.5; zzz .5; zzzz 1.x;",
        &["e5", "1.x"],
    ),
    ("python-chess operand", "{} 0 1 c1 1-0;", &[]),
    ("python-chess operand", "{} x -5; y 1e999;", &["1e999"]),
    ("python-chess castling-move", "4k3/8/8/8/8/8/8/1K5R w K - bm O-O; id \"O-O\";", &["bm O-O"]),
    ("python-chess castling-move", "r4k2/8/8/8/8/8/8/4K2R b Kq - sm O-O-O;", &["sm O-O-O"]),
    ("python-chess castling-move", "4k1r1/8/8/8/8/8/8/4K2R b Kg - sm O-O;", &["sm O-O"]),
    ("python-chess castling-move", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - am O-O; pm O-O-O;", &[]),
    (
        "python-chess second-string",
        "{} noop \"a\" \"b c\"; tcri \"a\" \"b\";",
        &["noop \"a\" \"b c\""],
    ),
    ("python-chess second-string", "{} noop \"a\" b c;", &[]),
    (
        "python-chess second-operand",
        "{} noop \"a\" b; x \"a\\\" b\" c; y \"a\";",
        &["noop \"a\" b", "x \"a\\\" b\" c"],
    ),
    ("python-chess second-operand", "{} noop a b; x \"a\\\\\" c;", &["x \"a\\\\\" c"]),
    ("python-chess backslash", "{} c0 \"a\\b\"; x a\\b; c1 \"a\";", &["c0 \"a\\b\""]),
    // Every step of each reader.
    ("fastchess line", "{} hmvc 0;fmvn  9;", &[]),
    ("fastchess line", "{} fmvn  9;", &[""]),
    ("fastchess line", "{} fmvn +9;", &["+9;"]),
    ("fastchess line", "{} id 5; fmvn", &["fmvn"]),
    ("fastchess line", "{} id 5; hmvc", &["hmvc"]),
    ("fastchess line", "{} hmvc x;", &[]),
    ("fastchess line", "4k3/8/8/8/8/8/4P3/4K3 w -- bm e4;", &["bm"]),
    ("fastchess line", "4k3/8/8/8/8/8/4P3/4K3 w - -bm e4;", &["-bm"]),
    ("fastchess line", "4k3/8/8/ 8/8/8/4P3/4K3 w - - bm e4;", &["8/8/8/4P3/4K3"]),
    ("fastchess line", "4k3/8/8/8/8/8/4P3/4K3w - -", &[]),
    ("cutechess line", "4k3/44/8/8/8/8/8/4K3 w - -", &["4k3/44/8/8/8/8/8/4K3"]),
    ("cutechess line", "4k3/8/8/8/8/8/4P3/4K3 w -- bm e4;", &["--"]),
    ("cutechess line", "4k3/8/8/8/8/8/4P3/4K3 w - -bm e4;", &["-bm"]),
    ("cutechess line", "{} id=\"33\";", &["\""]),
    ("cutechess line", "{} hmvc; fmvn 0;", &[" hmvc; fmvn 0;"]),
    ("cutechess line", "{} hmvc \"5\"; fmvn 9", &[]),
    ("cutechess line", "4k3/8/8/8/8/8/4P3/4K3   w - -", &[]),
    ("python-chess line", "{} bm o-o;", &["o-o"]),
    ("python-chess line", "4k3/8/8/8/8/8/8/4K2R w K - bm o-o;", &["o-o"]),
    ("python-chess line", "4k3/P7/8/8/8/8/8/4K3 w - - bm a8(Q);", &["a8(Q)"]),
    ("python-chess line", "4k3/P7/8/8/8/8/8/4K3 w - - bm a8=Q+ a8=R; sm a8Q+;", &[]),
    ("python-chess line", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 bm exd6ep;", &["exd6ep"]),
    ("python-chess line", "{} [0.5] 12", &["[0.5]"]),
    ("python-chess line", "{} hmvc; bm e4;", &["hmvc"]),
    ("python-chess line", "{} hmvc 5; fmvn \"9\"; id \"x\"", &[]),
    ("python-chess line", "4k3/8/8/8/8/8/4P3/4K3 w - -bm e4;", &["-bm"]),
    ("python-chess line", "{} pv e4 Kd7 e6;", &["e6"]),
];

#[test]
fn each_finding_is_placed_at_the_text_that_is_misread() {
    let mut wrong = Vec::new();
    for (name, line, expected) in PLACES {
        let line = line.replace("{}", POSITION);
        let read = read_line(&line, &ReadOptions::default(), &mut |_| {});
        let consumer = name.split(' ').next().unwrap().parse().unwrap();
        let mut places = Vec::new();
        misread(&line, &read, consumer, &mut |fault| {
            let EpdDiagnosticKind::Misread(misreading) = fault.kind else { panic!("{fault:?}") };
            if format!("{consumer} {}", misreading.rule()) == *name {
                places.push(&line[fault.at]);
            }
        });
        if places != *expected {
            wrong.push(format!("{name}: {line:?}: {places:?}, not {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
