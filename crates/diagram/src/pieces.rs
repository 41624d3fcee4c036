//! The pieces as paths, drawn for this project; `pieces.svg` can be viewed in any browser.

use san::{Color, Role};

const SHEET: &str = include_str!("pieces.svg");

/// Returns the definition of a piece: `<g id="king" …>…</g>`, in a square of 100 units.
pub(crate) fn definition(role: Role) -> &'static str {
    let begins = |line: &&str| {
        let id = line.strip_prefix("<g id=\"").and_then(|rest| rest.strip_prefix(name(role)));
        id.is_some_and(|rest| rest.starts_with('"'))
    };
    SHEET.lines().find(begins).expect("the sheet has all six")
}

pub(crate) fn name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

/// Returns the attributes of the group that holds all pieces of a side.
pub(crate) fn colours(color: Color) -> &'static str {
    match color {
        Color::White => r##"fill="#fff" stroke="#1a1a1a" color="#1a1a1a""##,
        Color::Black => r##"fill="#2f2f2f" stroke="#111" color="#f2f2f2""##,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_piece_has_its_own_definition() {
        for role in Role::ALL {
            let text = definition(role);
            assert!(text.contains(name(role)) && text.ends_with("</g>"), "{text}");
            assert_eq!(Role::ALL.iter().filter(|other| text.contains(name(**other))).count(), 1);
        }
    }
}
