//! Letters and figurines of pieces.

use shakmaty::Role;

/// A figurine at the beginning, and its length in bytes with the selector of text or emoji.
pub(super) fn figurine(text: &[u8]) -> Option<(Role, usize)> {
    // U+2654 to U+265F: king, queen, rook, bishop, knight, pawn; white, then black.
    let [0xe2, 0x99, last @ 0x94..=0x9f, ..] = *text else { return None };
    let role = match (last - 0x94) % 6 {
        0 => Role::King,
        1 => Role::Queen,
        2 => Role::Rook,
        3 => Role::Bishop,
        4 => Role::Knight,
        _ => Role::Pawn,
    };
    let is_selected = matches!(text[3..], [0xef, 0xb8, 0x8e | 0x8f, ..]);
    Some((role, if is_selected { 6 } else { 3 }))
}
