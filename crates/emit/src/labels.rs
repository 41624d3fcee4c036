//! Positions with the result of their game, for tuning programs: the formats and the text in each.

pub(crate) mod label;

/// Format of a labelled position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LabelForm {
    /// `<four fields> c9 "1-0";`: the result in PGN notation.
    C9,
    /// `<FEN> [0.5]`: White's points.
    Bracket,
    /// `<FEN> | <centipawns> | <points>`, both from White's view.
    Bullet,
    /// `<FEN>,<centipawns>,<result>`, the samples of c-chess-cli, both from the view of the side to
    /// move; the result is 0, 1 or 2.
    CChessCli,
    /// The six lines of Stockfish's `.plain`: `fen`, `move` in UCI notation, `score`, `ply`,
    /// `result` (-1, 0 or 1) and `e`; score and result are from the view of the side to move.
    Plain,
}

impl LabelForm {
    /// Returns whether the format requires an evaluation.
    pub fn needs_evaluation(self) -> bool {
        matches!(self, LabelForm::Bullet | LabelForm::CChessCli | LabelForm::Plain)
    }

    /// Returns whether results between loss, draw and win can be written.
    pub fn has_means(self) -> bool {
        matches!(self, LabelForm::Bracket | LabelForm::Bullet | LabelForm::CChessCli)
    }
}
