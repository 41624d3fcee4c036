//! Line ends, encodings, and bytes that are not text.

use super::{Inputs, SOUND, between};

pub(super) fn add(inputs: &mut Inputs) {
    inputs.extend([
        ("empty", Vec::new()),
        ("one_byte", b"1".to_vec()),
        ("one_newline", b"\n".to_vec()),
        ("white_space_only", b" \t\r\n\x0b\x0c  \n\n\n".to_vec()),
        ("bom_only", b"\xef\xbb\xbf".to_vec()),
        ("half_a_bom", b"\xef\xbb".to_vec()),
        ("bom_then_game", [b"\xef\xbb\xbf", SOUND.as_bytes()].concat()),
        ("bom_before_each_game", [b"\xef\xbb\xbf", SOUND.as_bytes()].concat().repeat(3)),
        ("utf16_le_bom", utf16(SOUND, u16::to_le_bytes)),
        ("utf16_be_bom", utf16(SOUND, u16::to_be_bytes)),
        ("utf16_cut_in_a_character", {
            let mut bytes = utf16(SOUND, u16::to_le_bytes);
            bytes.pop();
            bytes
        }),
        ("crlf", SOUND.repeat(3).replace('\n', "\r\n").into_bytes()),
        ("bare_cr", SOUND.repeat(3).replace('\n', "\r").into_bytes()),
        ("lfcr", SOUND.repeat(3).replace('\n', "\n\r").into_bytes()),
        ("mixed_line_ends", mixed_line_ends()),
        ("no_final_newline", SOUND.trim_end().into()),
        ("ends_in_cr", [SOUND.trim_end().as_bytes(), b"\r"].concat()),
        ("ends_without_result", b"[Event \"x\"]\n\n1. e4 e5 2. Nf".to_vec()),
        ("dos_end_of_file", [SOUND.as_bytes(), b"\x1a"].concat()),
        ("nul_bytes_alone", vec![0; 1000]),
        ("nul_bytes_in_movetext", between(b"[Event \"x\"]\n\n1. e4\0e5 \0\0 2. Nf3\0 *")),
        ("nul_bytes_in_a_tag", between(b"[Event \"\0x\0\"]\n\n1. e4 *")),
        ("nul_bytes_in_a_comment", between(b"1. e4 {\0\0} e5 *")),
        ("control_characters", between(b"1. e4 \x01\x07\x1b[31m e5 \x7f {\x1b]0;x\x07} *")),
        ("all_bytes", (0..=255).cycle().take(4096).collect()),
        ("all_bytes_in_a_comment", {
            let bytes = (0..=255u8).filter(|&byte| byte != b'}');
            between([b"1. e4 {".to_vec(), bytes.collect(), b"} e5 *".to_vec()].concat())
        }),
        (
            "latin_1_tags",
            between(b"[White \"M\xfcller, J\xf6rg\"]\n[Black \"Garc\xeda\"]\n\n1. e4 *"),
        ),
        ("latin_1_comment", between(b"1. e4 {sch\xf6n} e5 {\xab\xbb} *")),
        ("latin_1_and_utf_8", between(b"1. e4 {sch\xf6n} e5 {sch\xc3\xb6n} *")),
        ("utf_8_cut_in_a_character", between(b"1. e4 {\xe2\x99} e5 {\xf0\x9f\x98 } *")),
        ("utf_8_overlong", between(b"1. e4 {\xc0\xaf \xed\xa0\x80 \xf5\x80\x80\x80} e5 *")),
        ("bidirectional_marks", between("[White \"\u{202e}evil\u{202c}\"]\n\n1. e4 *")),
        ("exotic_white_space", between("1.\u{a0}e4\u{2003}e5\u{3000}2.\u{feff}Nf3\u{2028}Nc6 *")),
        ("windows_1252_quotes", between(b"1. e4 {\x93quoted\x94 \x96 dash} e5 *")),
    ]);
}

fn utf16(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(to_bytes).collect()
}

fn mixed_line_ends() -> Vec<u8> {
    let ends = ["\n", "\r\n", "\r", "\n\r", "\r\r\n"];
    let game = SOUND.repeat(4);
    let lines = game.split('\n').zip(ends.iter().cycle());
    lines.map(|(line, end)| format!("{line}{end}")).collect::<String>().into_bytes()
}
