//! The forms in which training data is written as text.

use emit::LabelForm;
use san::keywords;

/// A form of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DecodedForm {
    /// EPD records with the result, the score and the move.
    #[default]
    Epd,
    /// The six fields of a FEN.
    Fen,
    /// Games with scores in comments.
    Pgn,
    /// Labels, as the converter writes them.
    Label(LabelForm),
}

keywords! { DecodedForm:
    "epd" [DecodedForm::Epd] "Four fields, result (c9), score (ce), clocks and move (sm)";
    "fen" [DecodedForm::Fen] "The six fields of a FEN";
    "pgn" [DecodedForm::Pgn] "Games with scores in comments; only from viriformat and binpack";
    "c9" [DecodedForm::Label(LabelForm::C9)] "Four fields and the result: c9 \"1-0\"";
    "bracket" [DecodedForm::Label(LabelForm::Bracket)] "FEN [0.5]: points of White";
    "bullet" [DecodedForm::Label(LabelForm::Bullet)] "FEN | 35 | 0.5: score and points, both for White";
    "c-chess-cli" [DecodedForm::Label(LabelForm::CChessCli)] "FEN,35,1: score and half points, both for the side to move";
    "plain" [DecodedForm::Label(LabelForm::Plain)] "Stockfish's .plain: fen, move, score, ply, result and e";
}
