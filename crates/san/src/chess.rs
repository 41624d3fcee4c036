//! Conversion to and from positions of the crate shakmaty.

use shakmaty::{CastlingMode, Chess, Setup as ChessSetup};

use crate::error::FenError;
use crate::position::Position;

impl From<&Position> for Chess {
    fn from(position: &Position) -> Chess {
        let board = shakmaty::Board::try_from_bitboards(
            shakmaty::ByRole {
                pawn: position.by_role[0],
                knight: position.by_role[1],
                bishop: position.by_role[2],
                rook: position.by_role[3],
                queen: position.by_role[4],
                king: position.by_role[5],
            },
            shakmaty::ByColor { black: position.by_color[0], white: position.by_color[1] },
        );
        let setup = ChessSetup {
            board: board.expect("bitboards of one position agree"),
            promoted: shakmaty::Bitboard::EMPTY,
            pockets: None,
            turn: position.turn,
            castling_rights: position.castling_rooks,
            ep_square: position.en_passant,
            remaining_checks: None,
            halfmoves: position.halfmoves,
            fullmoves: position.fullmoves.try_into().unwrap_or(std::num::NonZeroU32::MIN),
        };
        let mode = CastlingMode::detect(&setup);
        setup.position(mode).expect("a legal position is legal there too")
    }
}

impl TryFrom<&Chess> for Position {
    type Error = FenError;

    /// # Errors
    ///
    /// If the position is legal only because shakmaty ignored errors that are not ignored here.
    fn try_from(chess: &Chess) -> Result<Position, FenError> {
        let fen = shakmaty::fen::Fen::from_position(chess, shakmaty::EnPassantMode::Always);
        Position::from_fen(fen.to_string())
    }
}
