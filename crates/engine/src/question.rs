//! A position to be searched.

use san::{
    AnyPosition, Buffer, CastlingStyle, Color, EnPassantPolicy, FieldStyle, File, MoveText,
    Position, SanError, Square, Variant, VariantPosition, uci_of,
};

/// A position of chess or of a variant.
#[derive(Clone, Debug)]
pub enum Board {
    /// Chess, or Chess960.
    Chess(Position),
    /// A variant.
    Variant(VariantPosition),
}

/// A position to be searched.
///
/// ```
/// use engine::{Board, Question};
/// use san::Position;
///
/// let mut question = Question::new(Board::Chess(Position::default()));
/// question.search_only(["e4", "Nf3"])?;
/// assert!(question.search_only(["Ke2"]).is_err());
/// # Ok::<_, san::SanError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Question {
    board: Board,
    /// The moves to be searched, in UCI notation; all if there are none.
    searchmoves: Vec<MoveText>,
}

impl Question {
    /// Asks for a position.
    pub fn new(board: Board) -> Self {
        Question { board, searchmoves: Vec::new() }
    }

    /// Limits the search to moves, in any notation, besides those given before.
    ///
    /// # Errors
    ///
    /// If a move is illegal; those before it are added.
    pub fn search_only<'a>(
        &mut self,
        moves: impl IntoIterator<Item = &'a str>,
    ) -> Result<(), SanError> {
        for text in moves {
            let mv = match &self.board {
                Board::Chess(position) if self.is_chess960() => uci(position, text)?,
                // Also if the rules of Chess960 are given.
                Board::Chess(position) => uci_of(position.resolve(text.as_bytes())?),
                Board::Variant(position) => uci(position, text)?,
            };
            self.searchmoves.push(mv);
        }
        Ok(())
    }

    /// Returns a move in any notation as SAN.
    ///
    /// # Errors
    ///
    /// If it is illegal.
    pub fn san_of(&self, text: &str) -> Result<MoveText, SanError> {
        match &self.board {
            Board::Chess(position) => san_of(position, text),
            Board::Variant(position) => san_of(position, text),
        }
    }

    /// Returns the position.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the side to move.
    pub fn turn(&self) -> Color {
        match &self.board {
            Board::Chess(position) => position.turn(),
            Board::Variant(position) => position.turn(),
        }
    }

    /// Returns the position as engines get it: the en passant square only if a capture is legal,
    /// and the castling rights of Chess960 as the files of the rooks.
    pub fn fen(&self) -> String {
        let castling = match self.is_chess960() {
            true => CastlingStyle::Shredder,
            false => CastlingStyle::XFen,
        };
        let style = FieldStyle { castling, en_passant: EnPassantPolicy::Legal };
        match &self.board {
            Board::Chess(position) => fen(position, style),
            Board::Variant(position) => fen(position, style),
        }
    }

    /// Whether no move is legal; an engine need not be asked then.
    pub fn is_over(&self) -> bool {
        match &self.board {
            Board::Chess(position) => !position.has_legal_move(),
            Board::Variant(position) => position.is_finished(),
        }
    }

    /// Whether more than one move is to be searched, as far as is known.
    pub(crate) fn has_choice(&self) -> bool {
        let has_moves = match &self.board {
            Board::Chess(position) => position.count_legal_moves(2) > 1,
            Board::Variant(_) => true,
        };
        has_moves && self.searchmoves.len() != 1
    }

    pub(crate) fn is_chess960(&self) -> bool {
        matches!(&self.board, Board::Chess(position) if has_castling_of_chess960(position))
    }

    pub(crate) fn variant(&self) -> Variant {
        match &self.board {
            Board::Chess(_) => Variant::Chess,
            Board::Variant(position) => position.variant(),
        }
    }

    pub(crate) fn searchmoves(&self) -> &[MoveText] {
        &self.searchmoves
    }

    /// Returns moves in UCI notation as SAN, up to the first that is illegal.
    pub(crate) fn san<'a>(&self, moves: impl IntoIterator<Item = &'a str>) -> Vec<MoveText> {
        match &self.board {
            Board::Chess(position) => san(position.clone(), moves),
            Board::Variant(position) => san(position.clone(), moves),
        }
    }
}

/// Whether a king or a rook that may castle is not where it is in chess.
fn has_castling_of_chess960(position: &Position) -> bool {
    position.castling_rooks().into_iter().any(|rook: Square| {
        let is_of = |color| position.side(color).contains(rook);
        let color = san::Color::from_white(is_of(san::Color::White));
        position.king(color).file() != File::E || !matches!(rook.file(), File::A | File::H)
    })
}

fn uci<P: AnyPosition>(position: &P, text: &str) -> Result<MoveText, SanError> {
    position.resolve(text.as_bytes()).map(|mv| position.uci_of(mv))
}

fn san_of<P: AnyPosition>(position: &P, text: &str) -> Result<MoveText, SanError> {
    position.resolve(text.as_bytes()).map(|mv| position.san_of(mv))
}

fn fen<P: AnyPosition>(position: &P, style: FieldStyle) -> String {
    let mut buffer = Buffer::default();
    let mut line = buffer.line();
    position.write_fen(style, &mut line);
    line.finish();
    String::from_utf8_lossy(buffer.as_bytes()).into_owned()
}

fn san<'a, P: AnyPosition>(
    mut position: P,
    moves: impl IntoIterator<Item = &'a str>,
) -> Vec<MoveText> {
    let mut line = Vec::new();
    for text in moves {
        // SAN is not an answer: a word such as `b6` in it would be garbage that happens to be
        // legal.
        let is_uci = text.len() >= 4 && text.is_ascii();
        let Some(mv) = is_uci.then(|| position.resolve(text.as_bytes()).ok()).flatten() else {
            break;
        };
        line.push(position.san_of(mv));
        position.play_unchecked(mv);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chess(fen: &str) -> Question {
        Question::new(Board::Chess(Position::from_fen(fen).unwrap()))
    }

    fn words(moves: &[MoveText]) -> Vec<&str> {
        moves.iter().map(MoveText::as_str).collect()
    }

    #[test]
    fn positions_are_written_for_engines() {
        for (fen, written, is_chess960) in [
            // The rook's pawn cannot be taken en passant.
            ("4k3/8/8/8/4P3/8/8/R3K2R b KQ e3 3 9", "4k3/8/8/8/4P3/8/8/R3K2R b KQ - 3 9", false),
            ("4k3/8/8/8/3pP3/8/8/R3K2R b KQ e3 0 9", "4k3/8/8/8/3pP3/8/8/R3K2R b KQ e3 0 9", false),
            ("1rk4r/8/8/8/8/8/8/1RK4R w KQkq - 0 1", "1rk4r/8/8/8/8/8/8/1RK4R w HBhb - 0 1", true),
            ("4k3/8/8/8/8/8/8/R3K1R1 w Q - 0 1", "4k3/8/8/8/8/8/8/R3K1R1 w Q - 0 1", false),
            ("4k3/8/8/8/8/8/8/R3K1R1 w KQ - 0 1", "4k3/8/8/8/8/8/8/R3K1R1 w GA - 0 1", true),
            // Only the king is not where it is in chess.
            ("4k3/8/8/8/8/8/8/R2K3R w KQ - 0 1", "4k3/8/8/8/8/8/8/R2K3R w HA - 0 1", true),
            ("r4k1r/8/8/8/8/8/8/4K3 w kq - 0 1", "r4k1r/8/8/8/8/8/8/4K3 w ha - 0 1", true),
            ("r4k1r/8/8/8/8/8/8/R3K2R w KQ - 0 1", "r4k1r/8/8/8/8/8/8/R3K2R w KQ - 0 1", false),
            ("r4k1r/8/8/8/8/8/8/R3K2R w KQq - 0 1", "r4k1r/8/8/8/8/8/8/R3K2R w HAa - 0 1", true),
        ] {
            let question = chess(fen);
            assert_eq!((question.fen(), question.is_chess960()), (written.to_owned(), is_chess960));
        }
    }

    #[test]
    fn answers_become_san_up_to_an_illegal_move() {
        let question = chess("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
        let line = question.san(["e1g1", "e8c8", "e1g1", "a1a8"]);
        assert_eq!(words(&line), ["O-O", "O-O-O"]);
        assert_eq!(question.san(["Ra7"]), []);
        // Castling of Chess960 is the king taking its rook.
        let question = chess("4k3/8/8/8/8/8/8/1RK4R w KQ - 0 1");
        assert_eq!(words(&question.san(["c1b1"])), ["O-O-O"]);
        assert_eq!(words(&question.san(["c1h1", "e8d7"])), ["O-O", "Kd7"]);
    }

    #[test]
    fn moves_to_be_searched_are_written_as_engines_read_them() {
        let mut question = chess("4k3/8/8/8/8/8/8/1RK4R w KQ - 0 1");
        question.search_only(["O-O", "Kd2"]).unwrap();
        assert_eq!(words(question.searchmoves()), ["c1h1", "c1d2"]);
        // Here one of the rooks is where it is in chess.
        let mut question = chess("4k3/8/8/8/8/8/8/R3K1R1 w KQ - 0 1");
        question.search_only(["O-O-O", "O-O"]).unwrap();
        assert_eq!(words(question.searchmoves()), ["e1a1", "e1g1"]);
        let mut position = Position::from_fen("4k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1").unwrap();
        position.set_chess960();
        let mut question = Question::new(Board::Chess(position));
        question.search_only(["O-O", "a8=N"]).unwrap();
        assert_eq!(words(question.searchmoves()), ["e1g1", "a7a8n"]);
    }

    #[test]
    fn variants_have_their_own_moves() {
        let crazyhouse = Variant::Crazyhouse;
        let fen = b"4k3/8/8/8/8/8/8/4K3[N] w - - 0 1";
        let (position, _, _) = VariantPosition::playable_from_fen(crazyhouse, fen).unwrap();
        let question = Question::new(Board::Variant(position));
        assert_eq!(question.variant(), crazyhouse);
        assert_eq!(words(&question.san(["N@f6", "e8e7"])), ["N@f6+", "Ke7"]);
        assert_eq!(question.fen(), "4k3/8/8/8/8/8/8/4K3[N] w - - 0 1");
    }

    #[test]
    fn a_position_without_moves_is_over() {
        assert!(chess("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").is_over());
        assert!(chess("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").is_over());
        assert!(!chess("7k/8/6K1/8/8/8/8/8 b - - 0 1").is_over());
    }
}
