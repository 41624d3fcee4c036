//! Findings of the checker: severity, column and kind, with the section of the standard on which
//! the severity is based.

use epd::{Line, ReadOptions, read_line};

const POSITION: &str = "4k3/8/8/8/8/8/4P3/4K3 w - -";

/// A line and its expected findings. `{}` is replaced with the fields of a position. Lines whose
/// text and message are compared are in `messages` alone.
const LINES: &[(&str, &str)] = &[
    // 3.1: “the digit used represents the count of contiguous empty squares along a rank”.
    ("4k3/11111111/8/8/8/8/4P3/4K3 w - -", "warning 1 placement-form"),
    ("4k3/8/8/8/8/8/44P/4K3 w - -", "error 15 position"),
    // 4.1: “the last operand has an appended semicolon”, “a semicolon character is appended to the
    // opcode”.
    ("{} bm e4 ;", "warning 34 blanks"),
    ("{} c0 ; c1 \"x\" ;", "warning 31 blanks, warning 40 blanks"),
    // 2: “composed of four data fields followed by zero or more operations”.
    ("  {}", "warning 1 blanks"),
    ("{} bm e4; ", "note 35 blanks"),
    ("{} bm e4;\r", ""),
    ("{} bm e4; \r", "note 35 blanks"),
    ("{} bm e4;\0", "note 35 blanks"),
    ("\u{feff}{}", "warning 1 byte-order-mark"),
    ("{}\u{b}bm e4;", "warning 28 blanks"),
    // 4.2: “only lower case letters, digits, and the underscore character […] at least two
    // characters in length”.
    ("{} x_1 5;", ""),
    ("{} X 5;", ""),
    ("{} Ae \"x\"; Rav 7;", ""),
    ("{} Id \"x\";", "warning 29 opcode-form"),
    // The introduction: “using the ASCII character set”; 4.1: “a set of contiguous printing
    // characters”.
    ("{} c0 \"Müller\"; id \"Ä\";", "note 34 not-ascii"),
    ("{} c0 \"a\u{85}b\";", "note 34 not-ascii, error 34 control-character"),
    ("{} c0 \"é\u{2028}b\";", "note 33 not-ascii, error 34 control-character"),
    ("{} c0 \"\u{2029}\";", "note 33 not-ascii, error 33 control-character"),
    // 5.6: “a mate in ((2 * N) – 1) halfmoves”, “a mate in (2 * N) halfmoves”.
    ("{} ce 32766;", ""),
    ("{} ce -32765;", ""),
    ("{} ce 32000;", ""),
    ("{} ce 32001;", "error 32 mate-parity"),
    // 5.6: “A stalemate position has a centipawn evaluation of zero as does a position drawn due to
    // insufficient mating material.”
    ("7k/5Q2/6K1/8/8/8/8/8 b - - ce 0;", ""),
    ("7k/6Q1/6K1/8/8/8/8/8 b - - ce -3;", "warning 31 game-over"),
    // 5.7: “the number of fullmoves until checkmate is to be delivered by the active color”.
    ("7k/5Q2/6K1/8/8/8/8/8 w - - ce 32766; dm 1;", ""),
    ("7k/5Q2/6K1/8/8/8/8/8 w - - ce -32765; dm 1;", "warning 42 mates-differ"),
    ("7k/5Q2/6K1/8/8/8/8/8 w - - ce 900; dm 1;", ""),
    // 5.6: “a value of -32767 indicates an illegal position”; a checkmate has no other value.
    ("{} ce -32767;", "warning 32 legal-position"),
    ("7k/6Q1/6K1/8/8/8/8/8 b - - ce 50;", "warning 31 game-over"),
    ("7k/6Q1/6K1/8/8/8/8/8 b - - ce 0;", "warning 31 game-over"),
    ("7k/6Q1/6K1/8/8/8/8/8 b - - ce -32765;", "warning 31 game-over"),
    ("7k/6Q1/6K1/8/8/8/8/8 b - - ce -32767;", ""),
    // 4.1: “a digit sequence (with at least one digit), a radix point […], and a final digit
    // sequence (with at least one digit)”.
    ("{} foo .5;", "note 33 number-form"),
    ("{} foo e4 -5. \"x .5\";", "note 36 number-form"),
    ("{} foo 5. Nf3;", ""),
    ("{} foo 0.5;", ""),
    // 5.13, 5.14: what “is present by default in FEN” as the fifth and sixth field.
    ("{} 5 39 fmvn 39; hmvc 5;", "warning 29 dialect"),
    // 5.3, 5.4: moves “that are to be avoided”, and those “judged to the best available”.
    ("{} am e4; bm e4;", "warning 32 best-and-avoided"),
    ("{} am Kd1; bm e4;", ""),
    (
        "{} bm e2e4; am e4;",
        "warning 32 not-canonical, warning 38 order, warning 41 best-and-avoided",
    ),
    // 3.3: “potential future castling that may or may not be possible at the moment”.
    ("r5k1/8/8/8/8/8/8/R3K2R w KQq -", "warning 26 moved-king"),
    // Chess960: R..K..R. on both sides; one rook has moved.
    ("r3kr2/8/8/8/8/8/8/R3KR2 w Qkq -", "warning 27 chess960"),
    ("r4k1r/8/8/8/8/8/8/R4K1R w KQkq -", ""),
    ("r4k1r/8/8/8/8/8/8/R3K2R w HAha -", ""),
    ("r4k1r/8/8/8/8/8/8/R3K2R w kq -", ""),
    ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq -", ""),
    // Crafty's form: “8” for an empty rank, and a hyphen at the end.
    ("4k/8/8/8/8/8/4P/4K/ w", "warning 1 dialect, warning 22 missing-hyphen"),
    ("4k/8/8/8/8/8/4P/4K/ w - bm e4;", "warning 1 dialect"),
];

fn reported(line: &str) -> String {
    let mut reported = Vec::new();
    let read = read_line(line, &ReadOptions::default(), &mut |fault| reported.push(fault));
    assert!(!matches!(read, Line::Blank | Line::Comment), "{line}");
    reported.sort_by_key(|fault| fault.at.start);
    let report = reported.iter().map(|fault| {
        let level = fault.kind.severity().as_str();
        format!("{level} {} {}", fault.column(line), fault.kind.name())
    });
    report.collect::<Vec<_>>().join(", ")
}

#[test]
fn every_departure_is_reported_with_its_level_place_and_kind() {
    let wrong: Vec<String> = LINES
        .iter()
        .map(|(line, expected)| (line.replace("{}", POSITION), expected))
        .filter(|(line, expected)| reported(line) != **expected)
        .map(|(line, expected)| format!("{line:?}\n  is {}\n  not {expected}", reported(&line)))
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
