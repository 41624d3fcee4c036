//! The messages of all kinds of fault, and the text that each is about.

use epd::{ReadOptions, read_line};

const POSITION: &str = "4k3/8/8/8/8/8/4P3/4K3 w - -";

/// A severity and kind, the text to which the message applies, and the message.
type Message = (&'static str, &'static str, &'static str);

/// A line and its messages. `{}` is replaced with the fields of a position.
#[rustfmt::skip]
const LINES: &[(&str, &[Message])] = &[
    ("4k3/8/8/8/8/8/4PX2/4K3 w - -", &[
        ("error position", "X", "the pieces: rank 2: X is not a piece")
    ]),
    ("4k3/8/8/8/8/8/4Pé2/4K3 w - -", &[
        ("error position", "é", "the pieces: rank 2: byte 0xc3 is not a piece")
    ]),
    ("4k3/8/8/8/8/8/4P2/4K3 w - -", &[
        ("error position", "4P2", "the pieces: rank 2 has 7 squares, not 8")
    ]),
    ("4k3/8/8/8 w - -", &[("error position", "4k3/8/8/8", "the pieces: 4 ranks, not 8")]),
    ("4k3/8/8/8/8/8/8/P3K3 w - -", &[("error position", "P3K3", "a pawn on a1")]),
    ("4k3/8/8/8/8/8/8/8 w - -", &[("error position", "4k3/8/8/8/8/8/8/8", "White has no king")]),
    ("4k3/8/8/8/8/8/8/4K3 x - - bm e4;", &[
        ("error position", "x", "the side to move is neither w nor b")
    ]),
    ("4k3/8/8/8/8/8/8/4K3 w X - bm e4;", &[
        ("error position", "X", "the castling field is neither - nor a list of castling rights")
    ]),
    ("4k3/8/8/8/8/8/8/4K3 w - x9 bm e4;", &[
        ("error position", "x9", "the en passant field is neither - nor a square")
    ]),
    ("4k3/4R3/8/8/8/8/8/4K3 w - - bm e4;", &[
        ("error position", "4k3/4R3/8/8/8/8/8/4K3 w - -", "Black is in check, but it is White's turn")
    ]),
    ("4k3/8/8/8/8/3n1n2/8/4K3 w - - bm Kd1;", &[
        ("warning unreachable", "4k3/8/8/8/8/3n1n2/8/4K3 w - -", "no game leads to this position: no move can have given the checks to the king on e1")
    ]),
    ("4k3/8/8/8/8/2B5/PPPPPPPP/B3K3 w - -", &[
        ("warning unreachable", "4k3/8/8/8/8/2B5/PPPPPPPP/B3K3", "no game leads to this position: White has more pieces than eight pawns can become")
    ]),
    ("4k3/8/8/8/8/8/8/4K3", &[
        ("error missing-field", "", "the side to move is missing: a record has four fields, the pieces, the side to move, castling rights and the en passant square")
    ]),
    ("4k3/8/8/8/8/8/8/4K3 w", &[
        ("error missing-field", "", "the castling field is missing: a record has four fields, the pieces, the side to move, castling rights and the en passant square")
    ]),
    ("4k3/8/8/8/8/8/8/4K3 w -", &[
        ("error missing-field", "", "the en passant field is missing: a record has four fields, the pieces, the side to move, castling rights and the en passant square")
    ]),
    ("4k3/8/8/8/8/8/8/4K3 B - -", &[
        ("warning capital-side", "B", "the side to move is a capital letter: the standard has w and b")
    ]),
    ("4k3/8/8/8/8/8/8/4K3 w Kk e3 bm Kd1;", &[
        ("error castling-right", "Kk", "White cannot have the right to castle kingside: king and rook are not in place"),
        ("error castling-right", "Kk", "Black cannot have the right to castle kingside: king and rook are not in place"),
        ("error en-passant", "e3", "no pawn has just advanced over the en passant square e3")
    ]),
    ("4k2r/8/8/8/8/8/8/4K2R w kK -", &[
        ("warning castling-order", "kK", "castling rights are written in the order KQkq, each once")
    ]),
    ("4k3/8/8/ 8/8/8/4P3/4K3 w - - bm e4;", &[
        ("warning placement-blank", " ", "the piece placement contains a space")
    ]),
    ("r4k1r/8/8/8/8/8/8/R3K2R w KQkq -", &[
        ("warning moved-king", "KQkq", "Black's king is not on its initial square: it cannot castle in standard chess (EPD 3.3); read as Chess960")
    ]),
    ("r3k2r/8/8/8/8/8/8/R4K1R w KQkq -", &[
        ("warning moved-king", "KQkq", "White's king is not on its initial square: it cannot castle in standard chess (EPD 3.3); read as Chess960")
    ]),
    ("4k3/44/8/8/8/8/4P3/4K3 w - -", &[
        ("warning placement-form", "4k3/44/8/8/8/8/4P3/4K3", "the pieces: digits next to each other: one digit counts adjacent empty squares (EPD 3.1)")
    ]),
    ("4k//8/8/8/8/4P/4K/ w -", &[
        ("warning dialect", "4k//8/8/8/8/4P/4K/", "the old format of Crafty: without trailing empty squares, a hyphen at the end"),
        ("warning placement-form", "4k//8/8/8/8/4P/4K/", "the pieces: an empty rank is written 8")
    ]),
    ("/4k/8/8/8/8/4P/4K/ w -", &[
        ("warning dialect", "/4k/8/8/8/8/4P/4K/", "the old format of Crafty: without trailing empty squares, a hyphen at the end"),
        ("warning placement-form", "/4k/8/8/8/8/4P/4K/", "the pieces: an empty rank is written 8")
    ]),
    ("4k/8/8/8/8/8/4P/4K/ w bm e4;", &[
        ("warning dialect", "4k/8/8/8/8/8/4P/4K/", "the old format of Crafty: without trailing empty squares, a hyphen at the end"),
        ("warning missing-hyphen", "", "the hyphen after the fields is missing")
    ]),
    ("\u{feff}  {} bm e4; \r", &[
        ("warning byte-order-mark", "\u{feff}", "a byte order mark: fields consist of printing ASCII characters (EPD 3)"),
        ("warning blanks", "  ", "spaces at the beginning of the line"),
        ("note blanks", " ", "spaces or control characters at the end of the line")
    ]),
    ("{} bm e4 ; id \"x\"  ;", &[
        ("warning blanks", " ", "a space before the semicolon: it is appended to the last operand (EPD 4.1)"),
        ("warning blanks", "  ", "a space before the semicolon: it is appended to the last operand (EPD 4.1)")
    ]),
    ("{} c0 ; c1 \"x\";", &[
        ("warning blanks", " ", "a space before the semicolon: it is appended to the last operand (EPD 4.1)")
    ]),
    ("{} 5 39 hmvc 4;", &[
        ("warning dialect", "5", "six fields, as FEN has them: EPD has hmvc and fmvn in their place"),
        ("warning clocks-differ", "4", "hmvc is 4, but the halfmove clock is 5: the operation counts")
    ]),
    ("{} 5 39 fmvn 40; hmvc 5;", &[
        ("warning dialect", "5", "six fields, as FEN has them: EPD has hmvc and fmvn in their place"),
        ("warning clocks-differ", "40", "fmvn is 40, but the fullmove number is 39: the operation counts")
    ]),
    ("{} fmvn 2; hmvc 3;", &[
        ("warning clocks", "", "no game is at move 2 with 3 plies since the last capture or pawn move")
    ]),
    ("4k3/8/8/8/4P3/8/8/4K3 b - e3 fmvn 9; hmvc 3;", &[
        ("warning clocks", "", "a pawn has just advanced over the en passant square, but the halfmove clock is 3, not 0")
    ]),
    ("{} 0 0", &[
        ("warning clock", "0", "the fullmove number is 0: the first move is 1"),
        ("warning dialect", "0", "six fields, as FEN has them: EPD has hmvc and fmvn in their place")
    ]),
    ("{} 99999999999 1", &[
        ("error clock", "99999999999", "the halfmove clock \"99999999999\" is not a number"),
        ("warning dialect", "99999999999", "six fields, as FEN has them: EPD has hmvc and fmvn in their place")
    ]),
    ("{} 1 99999999999", &[
        ("error clock", "99999999999", "the fullmove number \"99999999999\" is not a number"),
        ("warning dialect", "1", "six fields, as FEN has them: EPD has hmvc and fmvn in their place"),
        ("warning clocks", "", "no game is at move 1 with 1 ply since the last capture or pawn move")
    ]),
    ("{}  bm e4;", &[("warning blanks", "  ", "several spaces instead of one space")]),
    ("{} bm  e4;", &[("warning blanks", "  ", "several spaces instead of one space")]),
    ("{} bm\te4;", &[("warning blanks", "\t", "a tab instead of one space")]),
    ("{} bm \u{b}e4;", &[("warning blanks", " \u{b}", "a control character instead of one space")]),
    ("{} bm e3  e4;", &[("warning blanks", "  ", "several spaces instead of one space")]),
    ("{} bm e3\te4;", &[("warning blanks", "\t", "a tab instead of one space")]),
    ("{} am e3;bm e4;", &[("warning blanks", "", "a space is missing")]),
    ("{} am e3;  bm e4;", &[("warning blanks", "  ", "several spaces instead of one space")]),
    ("4k3/8/8/8/8/8/4P3/4K3\tw - -", &[("warning blanks", "\t", "a tab instead of one space")]),
    ("4k3/8/8/8/8/8/4P3/4K3 w -  - bm e4;", &[
        ("warning blanks", "  ", "several spaces instead of one space")
    ]),
    ("4k3/8/8/8/8/8/4P3/4K3 w - -bm e4;", &[("warning blanks", "", "a space is missing")]),
    ("4k3/8/8/8/8/8/4P3/4K3 w - -; bm e4;", &[
        ("warning blanks", "", "a space is missing"),
        ("warning empty-operation", ";", "a semicolon without an operation")
    ]),
    ("position fen {}", &[
        ("error uci", "position fen", "a command of the UCI protocol, not a record: remove \"position fen\"")
    ]),
    ("position startpos moves e2e4", &[
        ("error uci", "position startpos", "a command of the UCI protocol, not a record: remove \"position startpos\"")
    ]),
    ("fen {}", &[
        ("error uci", "fen", "a command of the UCI protocol, not a record: remove \"fen\"")
    ]),
    ("position", &[
        ("error missing-field", "", "the side to move is missing: a record has four fields, the pieces, the side to move, castling rights and the en passant square")
    ]),
    ("{} [1.0] 12", &[
        ("warning dialect", "[1.0]", "a label for tuning: EPD has c9 for a result and ce for an evaluation")
    ]),
    ("{} [2]", &[
        ("warning dialect", "[2]", "a label for tuning: EPD has c9 for a result and ce for an evaluation"),
        ("error label", "[2]", "\"[2]\" is not a label: a result is [1.0], [0.5] or [0.0], or | centipawns | result")
    ]),
    ("{} | 35", &[
        ("warning dialect", "|", "a label for tuning: EPD has c9 for a result and ce for an evaluation"),
        ("error label", "| 35", "\"| 35\" is not a label: a result is [1.0], [0.5] or [0.0], or | centipawns | result")
    ]),
    ("{} ;D1 6 ;D2 30", &[
        ("warning dialect", ";D1", "a semicolon before each operation, as perft suites have it")
    ]),
    ("4k3/8/8/8/8/8/8/4K3[Q] w - - bm Q@d7+;", &[]),
    ("4k3/8/8/8/8/8/8/4K3[X] w - - bm e4;", &[
        ("error position", "4k3/8/8/8/8/8/8/4K3[X] w - -", "not a FEN")
    ]),
    ("4k3/8/8/8/8/8/8/4K3 w - - 3+3 bm Kd1", &[
        ("warning semicolon", "", "bm has no semicolon at its end")
    ]),
    ("4k3/8/8/8/8/8/8/4K3 w K - 3+3 bm Kd1;", &[
        ("error en-passant", "4k3/8/8/8/8/8/8/4K3 w K - 3+3", "not a legal position of this variant")
    ]),
    ("{} 7up 3;", &[
        ("error opcode", "7up", "\"7up\" is not an opcode: an opcode starts with a letter, and has letters, digits and underscores")
    ]),
    ("{} x 5;", &[
        ("warning opcode-form", "x", "\"x\": an opcode has at least two characters, small letters, digits and underscores; one that only a single program uses starts with a capital letter (EPD 4.2)")
    ]),
    ("{} xX 5;", &[
        ("warning opcode-form", "xX", "\"xX\": an opcode has at least two characters, small letters, digits and underscores; one that only a single program uses starts with a capital letter (EPD 4.2)")
    ]),
    ("{} BM e4;", &[
        ("warning opcode-form", "BM", "BM is not the opcode bm: with a capital letter it is a private one (EPD 4.2)")
    ]),
    ("{} averyveryverylongopcode 3;", &[
        ("warning long-opcode", "averyveryverylongopcode", "the opcode averyveryverylongopcode has more than 15 characters")
    ]),
    ("{} bm e4; bm e3;", &[("error repeated", "bm", "bm occurs twice: the last one counts")]),
    ("{} xx 1; xx 2;", &[("error repeated", "xx", "xx occurs twice: the last one counts")]),
    ("{} id \"x\"; bm e4;", &[
        ("warning order", "bm", "bm follows id: operations are in the ASCII order of their opcodes")
    ]),
    ("{} zz 1; id \"x\"; bm e4;", &[
        ("warning order", "id", "id follows zz: operations are in the ASCII order of their opcodes")
    ]),
    ("{} c1 \"a\"; c0 \"b\";", &[
        ("warning register-order", "c0", "c0 follows c1 and clears it: operations are read from left to right")
    ]),
    ("{} v3; v1 \"b\";", &[
        ("warning register-order", "v1", "v1 follows v3 and clears it: operations are read from left to right")
    ]),
    ("{} bm e4", &[("warning semicolon", "", "bm has no semicolon at its end")]),
    ("{} draw_offer sm e4;", &[
        ("error run-together", "", "draw_offer and sm have no semicolon between them")
    ]),
    ("{} bm e4 id \"x\";", &[
        ("error run-together", "", "bm and id have no semicolon between them")
    ]),
    ("{} bm e4;; id \"x\";", &[
        ("warning empty-operation", ";", "a semicolon without an operation")
    ]),
    ("{} - bm e4;", &[("warning hyphen", "-", "a hyphen that is not an operation: skipped")]),
    ("{} c0 \"unclosed; id \"x\";", &[
        ("error operand", "\"unclosed; id \"x\"", "c0 takes one string or nothing, not \"unclosed; id \"x\"")
    ]),
    ("{} c0 unquoted; id x;", &[
        ("warning unquoted-string", "unquoted", "the string of c0 has no quotes"),
        ("warning unquoted-string", "x", "the string of id has no quotes")
    ]),
    ("{} c0 \"a\" b;", &[
        ("error operand", "\"a\" b", "c0 takes one string or nothing, not \"a\" b")
    ]),
    ("{} c0 \"a\tb\";", &[
        ("error control-character", "\t", "a tab in a string, which has printing characters only (EPD 4.1)")
    ]),
    ("{} c0 \"a\u{7f}b\";", &[
        ("error control-character", "\u{7f}", "a control character (U+007F) in a string, which has printing characters only (EPD 4.1)")
    ]),
    ("{} c0 \"a\u{2028}b\";", &[
        ("note not-ascii", "\u{2028}", "a character outside of ASCII, the character set of EPD"),
        ("error control-character", "\u{2028}", "a line separator (U+2028) in a string, which has printing characters only (EPD 4.1)")
    ]),
    ("{} c0 \"a\u{2029}b\";", &[
        ("note not-ascii", "\u{2029}", "a character outside of ASCII, the character set of EPD"),
        ("error control-character", "\u{2029}", "a paragraph separator (U+2029) in a string, which has printing characters only (EPD 4.1)")
    ]),
    ("{} c0 \"ü\";", &[
        ("note not-ascii", "ü", "a character outside of ASCII, the character set of EPD")
    ]),
    ("{} c0 \"a\\\"b\";", &[
        ("warning escape", "a\\\"b", "a backslash escape, read as python-chess writes it: the standard has none")
    ]),
    ("{} c0 \"a\\sb\";", &[
        ("warning escape", "a\\sb", "\\s in a string, a semicolon as Scid writes it: kept; --dialect scid reads it")
    ]),
    ("{} pm;", &[("error operand", "", "pm takes exactly one move, but has no operand")]),
    ("{} id;", &[("error operand", "", "id takes one string, but has no operand")]),
    ("{} pm e3 e4;", &[("error operand", "e3 e4", "pm takes exactly one move, not e3 e4")]),
    ("{} pm \"e4\";", &[
        ("warning move-separator", "\"", "moves are separated by spaces, without move numbers, commas and quotes")
    ]),
    ("{} dm 0;", &[("error operand", "0", "dm takes a positive integer, not 0")]),
    ("{} dm x;", &[("error operand", "x", "dm takes a positive integer, not x")]),
    ("{} hmvc 4294967296;", &[
        ("error operand", "4294967296", "hmvc takes an integer of 0 or more, at most 4294967295, not 4294967296")
    ]),
    ("{} ce 32767;", &[
        ("error operand", "32767", "ce takes an integer from -32767 to 32766, not 32767")
    ]),
    ("{} ce -32768;", &[
        ("error operand", "-32768", "ce takes an integer from -32767 to 32766, not -32768")
    ]),
    ("{} tcri \"a\";", &[("error operand", "\"a\"", "tcri takes two strings, not \"a\"")]),
    ("{} tcri \"a\" b;", &[("error operand", "\"a\" b", "tcri takes two strings, not \"a\" b")]),
    ("{} resign now;", &[("error operand", "now", "resign takes no operand, not now")]),
    ("{} acd +5;", &[
        ("warning number-form", "+5", "write 5: a number has neither a plus sign nor leading zeros")
    ]),
    ("{} acd 05;", &[
        ("warning number-form", "05", "write 5: a number has neither a plus sign nor leading zeros")
    ]),
    ("{} acd -0;", &[
        ("warning number-form", "-0", "write 0: a number has neither a plus sign nor leading zeros")
    ]),
    ("{} acd 0;", &[]),
    ("{} ce -0012;", &[
        ("warning number-form", "-0012", "write -12: a number has neither a plus sign nor leading zeros")
    ]),
    ("{} ce 32765;", &[
        ("error mate-parity", "32765", "ce 32765 is a mate in 2 plies: the player to move mates after an odd number (EPD 5.6)")
    ]),
    ("{} ce -32766;", &[
        ("error mate-parity", "-32766", "ce -32766 is a mate in 1 ply: the player to move is mated after an even number (EPD 5.6)")
    ]),
    ("7k/5Q2/6K1/8/8/8/8/8 b - - ce 500;", &[
        ("error drawn-position", "500", "ce 500 in a position that is drawn by stalemate: ce is 0 there (EPD 5.6)")
    ]),
    ("7k/8/6K1/8/8/8/8/8 b - - ce -3;", &[
        ("error drawn-position", "-3", "ce -3 in a position that is drawn by insufficient material: ce is 0 there (EPD 5.6)")
    ]),
    ("7k/6Q1/6K1/8/8/8/8/8 b - - dm 1;", &[
        ("error game-over", "1", "dm in a position of checkmate: the player to move cannot deliver mate (EPD 5.7)")
    ]),
    ("7k/5Q2/6K1/8/8/8/8/8 b - - dm 1;", &[
        ("error game-over", "1", "dm in a position of stalemate: the player to move cannot deliver mate (EPD 5.7)")
    ]),
    ("7k/5Q2/6K1/8/8/8/8/8 w - - ce 32764; dm 1;", &[
        ("warning mates-differ", "1", "dm 1, but ce 32764 is another mate: a mate in 1 moves is 32766 (EPD 5.6)")
    ]),
    ("{} am e2e4; bm e4;", &[
        ("warning not-canonical", "e2e4", "e2e4 should be written e4"),
        ("warning best-and-avoided", "e2e4", "e2e4 is a best move and a move to be avoided (EPD 5.3, 5.4)")
    ]),
    ("{} draw_accept; draw_reject;", &[
        ("error draw-reply", "", "draw_accept and draw_reject: a draw offer is accepted or rejected (EPD 5.8, 5.11)")
    ]),
    ("{} draw_claim;", &[
        ("error needs-move", "draw_claim", "draw_claim needs the move that is played, sm, in the same record")
    ]),
    ("{} eco \"Z99\";", &[
        ("warning eco-code", "\"Z99\"", "\"Z99\" is not an ECO code: codes are A00 to E99")
    ]),
    ("{} eco \"A0\";", &[
        ("warning eco-code", "\"A0\"", "\"A0\" is not an ECO code: codes are A00 to E99")
    ]),
    ("{} eco \"B90x\";", &[]),
    ("{} bm e5;", &[("error illegal-move", "e5", "e5: illegal: no white pawn can reach e5")]),
    ("{} bm e2e4;", &[("warning not-canonical", "e2e4", "e2e4 should be written e4")]),
    ("{} bm #2;", &[("warning mate-count", "#2", "#2 is a number of moves until mate: use dm 2")]),
    ("{} bm e4 +;", &[("warning detached-sign", "+", "a space separates + from its move")]),
    ("{} bm e4 e3; id \"x\";", &[
        ("warning moves-order", "e3", "e3: the moves of bm are in ASCII order")
    ]),
    ("{} bm e4 e3 Kd1;", &[
        ("warning moves-order", "e3", "e3: the moves of bm are in ASCII order")
    ]),
    ("{} bm e4 e4;", &[("warning repeated-move", "e4", "e4 occurs twice")]),
    ("{} pm e3; pv e4 Kd7;", &[
        ("error predicted-move", "e3", "pm e3 is not the first move of pv, e4")
    ]),
    ("{} pm e4!; pv e2e4 Kd7;", &[
        ("warning not-canonical", "e4!", "e4! should be written e4"),
        ("warning not-canonical", "e2e4", "e2e4 should be written e4")
    ]),
    ("{} pm e5; pv e4 Kd7;", &[
        ("error illegal-move", "e5", "e5: illegal: no white pawn can reach e5")
    ]),
    ("{} pm e5; pv e6 Kd7;", &[
        ("error illegal-move", "e5", "e5: illegal: no white pawn can reach e5"),
        ("error illegal-move", "e6", "e6: illegal: no white pawn can reach e6"),
        ("error predicted-move", "e5", "pm e5 is not the first move of pv, e6")
    ]),
    ("{} pm e5; pv e5!;", &[
        ("error illegal-move", "e5", "e5: illegal: no white pawn can reach e5"),
        ("error illegal-move", "e5!", "e5!: illegal: no white pawn can reach e5")
    ]),
    ("{} pv e4 e5 Kd7;", &[("error illegal-move", "e5", "e5: illegal: Black has no pawn")]),
    ("{} pv e9;", &[("error illegal-move", "e9", "e9: illegal: not a move")]),
    ("{} x_1 5\t6;", &[("warning blanks", "\t", "a tab instead of one space")]),
    ("{} noop a\tb;", &[("warning blanks", "\t", "a tab instead of one space")]),
    ("{} c0 \"a\"; c0 \"bé", &[
        ("note not-ascii", "é", "a character outside of ASCII, the character set of EPD"),
        ("error repeated", "c0", "c0 occurs twice: the last one counts"),
        ("error unclosed-string", "\"bé", "a string without its closing quote")
    ]),
    ("{} bm e4; \t id \"x\";", &[("warning blanks", " \t ", "a tab instead of one space")]),
    // The same faults after spaces: their places are those in the line.
    ("  4k3/4R3/8/8/8/8/8/4K3 w - - bm e4;", &[
        ("warning blanks", "  ", "spaces at the beginning of the line"),
        ("error position", "4k3/4R3/8/8/8/8/8/4K3 w - -", "Black is in check, but it is White's turn")
    ]),
    ("  4k3/8/8/8/8/8/4PX2/4K3 w - -", &[
        ("warning blanks", "  ", "spaces at the beginning of the line"),
        ("error position", "X", "the pieces: rank 2: X is not a piece")
    ]),
    ("  4k3/8/8/8/8/8/8/4K3 w X - bm e4;", &[
        ("warning blanks", "  ", "spaces at the beginning of the line"),
        ("error position", "X", "the castling field is neither - nor a list of castling rights")
    ]),
    ("  {}  bm  e4;", &[
        ("warning blanks", "  ", "spaces at the beginning of the line"),
        ("warning blanks", "  ", "several spaces instead of one space"),
        ("warning blanks", "  ", "several spaces instead of one space")
    ]),
    ("  4k3/8/8/ 8/8/8/4P3/4K3 w - - bm e4;", &[
        ("warning blanks", "  ", "spaces at the beginning of the line"),
        ("warning placement-blank", " ", "the piece placement contains a space")
    ]),
    ("  4k3/8/8/8/8/8/8/4K3[X] w - - bm e4;", &[
        ("warning blanks", "  ", "spaces at the beginning of the line"),
        ("error position", "4k3/8/8/8/8/8/8/4K3[X] w - -", "not a FEN")
    ]),
    ("  4k/8/8/8/8/8/4P/4K/ w bm e4;", &[
        ("warning blanks", "  ", "spaces at the beginning of the line"),
        ("warning dialect", "4k/8/8/8/8/8/4P/4K/", "the old format of Crafty: without trailing empty squares, a hyphen at the end"),
        ("warning missing-hyphen", "", "the hyphen after the fields is missing")
    ]),
    ("  {} [2]", &[
        ("warning blanks", "  ", "spaces at the beginning of the line"),
        ("warning dialect", "[2]", "a label for tuning: EPD has c9 for a result and ce for an evaluation"),
        ("error label", "[2]", "\"[2]\" is not a label: a result is [1.0], [0.5] or [0.0], or | centipawns | result")
    ]),
    ("  {} c0 \"a\tb\"; c1 x;", &[
        ("warning blanks", "  ", "spaces at the beginning of the line"),
        ("error control-character", "\t", "a tab in a string, which has printing characters only (EPD 4.1)"),
        ("warning unquoted-string", "x", "the string of c1 has no quotes")
    ]),
];

#[test]
fn every_message_tells_what_is_wrong_and_where() {
    for (line, expected) in LINES {
        let line = line.replace("{}", POSITION);
        let mut reported = Vec::new();
        read_line(&line, &ReadOptions::default(), &mut |fault| reported.push(fault));
        let reported = reported.iter().map(|fault| {
            let kind = format!("{} {}", fault.kind.severity().as_str(), fault.kind.name());
            (kind, line[fault.at.clone()].to_owned(), fault.to_string())
        });
        let expected = expected.iter().map(|(kind, text, message)| {
            ((*kind).to_owned(), (*text).to_owned(), (*message).to_owned())
        });
        assert_eq!(reported.collect::<Vec<_>>(), expected.collect::<Vec<_>>(), "{line:?}");
    }
}
