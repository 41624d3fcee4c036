//! What the texts of inputs are taken for.

use pgn2epd::input::{Input, Inputs, TextKind};

fn kind(text: &[u8]) -> Result<TextKind, String> {
    let text = Inputs::new([Input::reader("x", std::io::Cursor::new(text.to_vec()))]).next();
    text.unwrap().map(|text| text.kind()).map_err(|error| error.error.to_string())
}

#[test]
fn what_precedes_the_header_of_a_table_does_not_hide_it() {
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    for (text, expected) in [
        (format!("fen,eval\n{fen},35\n"), TextKind::Csv),
        (format!("{{\"fen\": \"{fen}\", \"eval\": 35}}\n"), TextKind::JsonLines),
    ] {
        for before in ["", "\n \n", "# of a book\n", "// of a book\n", "# a\n\n// b\n# c\n"] {
            assert_eq!(kind(format!("{before}{text}").as_bytes()), Ok(expected), "{before}{text}");
        }
    }
}

#[test]
fn what_is_no_chess_is_named() {
    // e2-e4, with the weight 1.
    let book = [&[7; 8][..], &[3, 28, 0, 1, 0, 0, 0, 0]].concat();
    let prose = b"This is a letter about something else.\n".repeat(20);
    for (bytes, name) in [(book, "a Polyglot book"), (prose, "plain text")] {
        let reason = kind(&bytes).unwrap_err();
        assert!(reason.starts_with(&format!("this is {name}, not PGN or EPD")), "{reason}");
    }
}
