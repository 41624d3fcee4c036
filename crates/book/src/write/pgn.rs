//! PGN: one game per position, from its start to the position, its moves on one line.

use std::fmt::Write as _;

use san::{Color, MoveCode, Position};

use super::form::PieceForm;
use crate::select::SelectedPosition;
use crate::tally::{GameInfo, NotableGame};

pub(super) struct Pgn {
    /// Whether each position represents a single game, whose players and result are written.
    pub(super) with_game: bool,
}

/// Returns the numbered SAN moves to the position and the start position, if the moves lead there.
fn movetext(info: &GameInfo, plies: u32, target: &Position) -> Option<(String, Position)> {
    let start = match &*info.start {
        "" => Position::default(),
        fen => {
            let mut setup = san::Setup::from_fen(fen.as_bytes()).ok()?;
            setup.repair();
            setup.into_position().ok()?
        }
    };
    if info.moves.len() as u64 != u64::from(plies) {
        return None;
    }
    let mut position = start.clone();
    let mut text = String::new();
    for (ply, code) in info.moves.iter().enumerate() {
        let next = MoveCode(*code).find(&position)?;
        match position.turn() {
            Color::White => text += &format!("{}. ", position.fullmoves()),
            Color::Black if ply == 0 => text += &format!("{}... ", position.fullmoves()),
            Color::Black => {}
        }
        text += san::san_of(&position, next).as_str();
        text.push(' ');
        position.play_unchecked(next);
    }
    (san::PositionKey::of(&position) == san::PositionKey::of(target)).then_some((text, start))
}

fn tag(name: &str, value: &str, text: &mut String) {
    let value = if value.is_empty() { "?" } else { value };
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    let value = value.replace(char::is_control, " ");
    writeln!(text, "[{name} \"{value}\"]").expect("memory takes it");
}

impl PieceForm for Pgn {
    type Piece = String;

    fn write(&self, selected: &SelectedPosition<'_>, text: &mut String) -> bool {
        let NotableGame { info, at, outcome, year, .. } = &selected.total.strongest;
        let info = &info.decode().unwrap_or_default();
        // Without moves, the game starts at the position itself.
        let position = selected.position();
        let (moves, start) =
            movetext(info, at.ply, &position).unwrap_or_else(|| (String::new(), position));
        let (white, black, result) = match self.with_game {
            true => (&*info.white, &*info.black, outcome.as_str()),
            false => ("?", "?", "*"),
        };
        let date = match year {
            1.. if self.with_game => format!("{year:04}.??.??"),
            _ => "????.??.??".to_owned(),
        };
        for (name, value) in [
            ("Event", "?"),
            ("Site", "?"),
            ("Date", &*date),
            ("Round", "?"),
            ("White", white),
            ("Black", black),
            ("Result", result),
        ] {
            tag(name, value, text);
        }
        if start != Position::default() {
            tag("FEN", &start.to_string(), text);
            tag("SetUp", "1", text);
        }
        *text += &format!("\n{moves}{result}\n\n");
        true
    }
}
