//! Generates legal moves: those that do not leave the king attacked. Perft counts them.

use shakmaty::{Bitboard, CastlingSide, Color, Rank, Role, Square, attacks};

use crate::position::{Move, MoveKind, MoveList, Position};

// Ranks, files and diagonals: whether a slider sees a square.
//
// The attack tables of the crate shakmaty return all targets of a slider in one lookup, but they
// take 700 KB, of which each position needs different parts. The hot path only asks about two
// squares at a time: are they on one line, and is anything between them? The tables here take 35
// KB and stay in the cache. Worth about 8 % of the total time on 8moves_v3 (bench `throughput`,
// `fields`).

/// For each role, the squares reachable from each square of an empty board; empty for pawns.
static LINES: [[Bitboard; 64]; 6] = [
    [Bitboard::EMPTY; 64],
    lines(Role::Knight),
    lines(Role::Bishop),
    lines(Role::Rook),
    lines(Role::Queen),
    lines(Role::King),
];

/// The squares between two squares on one line; otherwise empty.
static BETWEEN: [[Bitboard; 64]; 64] = {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut a = 0;
    while a < 64 {
        let mut b = 0;
        while b < 64 {
            table[a][b] = attacks::between(Square::new(a as u32), Square::new(b as u32));
            b += 1;
        }
        a += 1;
    }
    table
};

const fn lines(role: Role) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        let square = Square::new(index as u32);
        table[index] = attacks::attacks(square, role.of(Color::White), Bitboard::EMPTY);
        index += 1;
    }
    table
}

#[inline]
pub(crate) fn of_role(role: Role, square: Square) -> Bitboard {
    LINES[role as usize - 1][square.to_usize()]
}

#[inline]
pub(crate) fn straight(square: Square) -> Bitboard {
    of_role(Role::Rook, square)
}

#[inline]
pub(crate) fn diagonal(square: Square) -> Bitboard {
    of_role(Role::Bishop, square)
}

#[inline]
pub(crate) fn is_clear(a: Square, b: Square, occupied: Bitboard) -> bool {
    (BETWEEN[a.to_usize()][b.to_usize()] & occupied).is_empty()
}

// Attacks on kings, which decide whether a move that a piece can make is legal.

impl Position {
    /// Returns the pieces of `by` that attack a square, also pinned ones, on `occupied` squares.
    #[inline]
    pub fn attackers(&self, square: Square, by: Color, occupied: Bitboard) -> Bitboard {
        let lines = self.pieces(Role::Rook) | self.pieces(Role::Queen);
        let diagonals = self.pieces(Role::Bishop) | self.pieces(Role::Queen);
        (attacks::rook_attacks(square, occupied) & lines
            | attacks::bishop_attacks(square, occupied) & diagonals
            | attacks::knight_attacks(square) & self.pieces(Role::Knight)
            | attacks::king_attacks(square) & self.pieces(Role::King)
            | attacks::pawn_attacks(!by, square) & self.pieces(Role::Pawn))
            & self.side(by)
    }

    /// Returns the pieces that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.attackers(self.king(self.turn), !self.turn, self.occupied())
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn is_check(&self) -> bool {
        self.checkers().any()
    }

    /// Whether the side to move is checkmated.
    pub fn is_checkmate(&self) -> bool {
        self.is_check() && !self.has_legal_move()
    }

    /// Whether the side to move is not in check and has no legal move.
    pub fn is_stalemate(&self) -> bool {
        !self.is_check() && !self.has_legal_move()
    }

    /// Whether the other side attacks it, with the occupancy `occupied` and without `captured`.
    #[inline(always)]
    pub(crate) fn is_attacked(&self, square: Square, occupied: Bitboard, captured: Square) -> bool {
        let them = self.them().without(captured);
        let steppers = attacks::knight_attacks(square) & self.pieces(Role::Knight)
            | attacks::king_attacks(square) & self.pieces(Role::King)
            | attacks::pawn_attacks(self.turn, square) & self.pieces(Role::Pawn);
        let queens = self.pieces(Role::Queen);
        let sliders = (straight(square) & (self.pieces(Role::Rook) | queens)
            | diagonal(square) & (self.pieces(Role::Bishop) | queens))
            & them;
        (steppers & them).any() || sliders.into_iter().any(|from| is_clear(square, from, occupied))
    }

    /// Whether our king is safe after a move, possibly its own, with or without a capture.
    #[inline(always)]
    pub(crate) fn is_safe(&self, from: Square, to: Square) -> bool {
        let occupied = self.occupied().without(from).with(to);
        let king = self.king(self.turn);
        let king = if king == from { to } else { king };
        !self.is_attacked(king, occupied, to)
    }

    /// Returns our pieces of this kind, other than pawns, that attack `to`, restricted to `among`.
    #[inline(always)]
    pub(crate) fn movers(&self, role: Role, to: Square, among: Bitboard) -> Bitboard {
        let mut movers = of_role(role, to) & self.pieces(role) & self.us() & among;
        // Also for knights and kings, which are never blocked: uniform code avoids a branch.
        for from in movers {
            if !is_clear(from, to, self.occupied()) {
                movers.discard(from);
            }
        }
        movers
    }

    /// Whether our king is safe after an en passant capture, which clears two squares.
    pub(crate) fn is_safe_en_passant(&self, from: Square, to: Square) -> bool {
        let captured = Square::from_coords(to.file(), from.rank());
        let occupied = self.occupied().without(from).without(captured).with(to);
        let king = self.king(self.turn);
        self.attackers(king, !self.turn, occupied).without(captured).is_empty()
    }

    /// Returns the squares that a piece on `from` attacks; for pawns, the capture squares.
    #[inline]
    pub(crate) fn reach(&self, color: Color, role: Role, from: Square) -> Bitboard {
        match role {
            Role::Pawn => attacks::pawn_attacks(color, from),
            Role::Knight => attacks::knight_attacks(from),
            Role::Bishop => attacks::bishop_attacks(from, self.occupied()),
            Role::Rook => attacks::rook_attacks(from, self.occupied()),
            Role::Queen => attacks::queen_attacks(from, self.occupied()),
            Role::King => attacks::king_attacks(from),
        }
    }

    /// Whether neither side can mate by any sequence of moves: bare kings, one minor piece, or
    /// bishops on squares of one colour.
    ///
    /// ```
    /// let is_dead = |fen| san::Position::from_fen(fen).unwrap().is_insufficient_material();
    /// assert!(is_dead("4k3/8/8/8/8/8/8/4KN2 w - - 0 1"));
    /// assert!(!is_dead("4kn2/8/8/8/8/8/8/4KN2 w - - 0 1"));
    /// ```
    pub fn is_insufficient_material(&self) -> bool {
        let heavy = [Role::Pawn, Role::Rook, Role::Queen].map(|role| self.pieces(role));
        if heavy.into_iter().any(Bitboard::any) {
            return false;
        }
        let (knights, bishops) = (self.pieces(Role::Knight), self.pieces(Role::Bishop));
        let of_one_colour = |bishops: Bitboard| {
            (bishops & Bitboard::DARK_SQUARES).is_empty()
                || (bishops & Bitboard::LIGHT_SQUARES).is_empty()
        };
        match knights.count() {
            0 => of_one_colour(bishops),
            count => count == 1 && bishops.is_empty(),
        }
    }

    /// Whether a legal move gives check: direct, discovered, or by the rook of castling.
    #[inline(always)]
    pub fn gives_check(&self, next: Move) -> bool {
        let them = self.king(!self.turn);
        if next.kind == MoveKind::EnPassant || next.kind == MoveKind::Castle {
            return self.gives_odd_check(next);
        }
        let role = next.promotion.unwrap_or(next.role);
        let occupied = self.occupied().without(next.from).with(next.to);
        let direct = match role {
            Role::Pawn => attacks::pawn_attacks(!self.turn, them),
            role => of_role(role, them),
        };
        // Knights and pawns are never blocked.
        if direct.contains(next.to) && is_clear(them, next.to, occupied) {
            return true;
        }
        // A discovered check requires that the moved piece leaves one of the king's lines.
        let (straight, diagonal) = (straight(them), diagonal(them));
        (straight | diagonal).contains(next.from) && {
            let queens = self.pieces(Role::Queen);
            let sliders = straight & (self.pieces(Role::Rook) | queens)
                | diagonal & (self.pieces(Role::Bishop) | queens);
            let behind = sliders & self.us().without(next.from);
            behind.into_iter().any(|from| is_clear(them, from, occupied))
        }
    }

    #[cold]
    fn gives_odd_check(&self, next: Move) -> bool {
        if let Some(side) = next.castling() {
            let (king_to, rook_to) = (side.king_to(self.turn), side.rook_to(self.turn));
            let rook = next.to;
            let occupied = self.occupied().without(next.from).without(rook);
            let occupied = occupied.with(king_to).with(rook_to);
            let them = self.king(!self.turn);
            let (straight, diagonal) = (straight(them), diagonal(them));
            let queens = self.pieces(Role::Queen);
            let rooks = self.pieces(Role::Rook).without(rook) | queens;
            let bishops = self.pieces(Role::Bishop) | queens;
            let ours = (straight & rooks | diagonal & bishops) & self.us()
                | straight & Bitboard::from_square(rook_to);
            return ours.into_iter().any(|from| is_clear(them, from, occupied));
        }
        let mut after = self.clone();
        after.play_unchecked(next);
        after.is_check()
    }
}

const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

impl Position {
    /// Returns all legal moves in unspecified order.
    ///
    /// ```
    /// assert_eq!(san::Position::default().legal_moves().len(), 20);
    /// ```
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.each_legal_move(|next| {
            moves.push(next);
            false
        });
        moves
    }

    /// Counts the legal moves; may stop counting at `most`.
    ///
    /// ```
    /// assert_eq!(san::Position::default().count_legal_moves(u32::MAX), 20);
    /// assert!(san::Position::default().count_legal_moves(3) >= 3);
    /// ```
    pub fn count_legal_moves(&self, most: u32) -> u32 {
        let seventh = self.turn.relative_rank(Rank::Seventh);
        let mut count = 0;
        let is_enough = self.each_origin(|role, from, targets| {
            let promotes = role == Role::Pawn && from.rank() == seventh;
            let ways = if promotes { PROMOTIONS.len() } else { 1 };
            count += (targets.count() * ways) as u32;
            count >= most
        });
        if !is_enough {
            self.each_odd_move(|_| {
                count += 1;
                false
            });
        }
        count
    }

    /// Whether there is a legal move.
    pub fn has_legal_move(&self) -> bool {
        // Most kings in check can go somewhere, while most other moves leave them in check.
        self.is_check() && self.king_can_go()
            || self.each_origin(|_, _, targets| targets.any())
            || self.each_odd_move(|_| true)
    }

    /// Counts the move sequences of `depth` plies from here, the usual test of a move generator.
    ///
    /// ```
    /// assert_eq!(san::Position::default().perft(3), 8_902);
    /// ```
    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if depth == 1 {
            return self.count_legal_moves(u32::MAX).into();
        }
        let after = |next: &Move| {
            let mut position = self.clone();
            position.play_unchecked(*next);
            position.perft(depth - 1)
        };
        self.legal_moves().iter().map(after).sum()
    }

    /// Calls `visit` for the legal moves until it returns `true`; returns whether it did.
    fn each_legal_move(&self, mut visit: impl FnMut(Move) -> bool) -> bool {
        self.each_origin(|role, from, targets| {
            targets.into_iter().any(|to| match role {
                Role::Pawn => self.each_pawn_arrival(from, to, &mut visit),
                _ => visit(self.step(role, from, to)),
            })
        }) || self.each_odd_move(visit)
    }

    /// Visits pieces with their targets, without castling and en passant, until one yields `true`.
    #[inline(always)]
    fn each_origin(&self, mut visit: impl FnMut(Role, Square, Bitboard) -> bool) -> bool {
        let asked = if self.is_check() { Bitboard::FULL } else { self.pinned() };
        let legal = |from: Square, targets: Bitboard| {
            if asked.contains(from) { self.safe_targets(from, targets) } else { targets }
        };
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            for from in self.pieces(role) & self.us() {
                if visit(role, from, legal(from, self.reach(self.turn, role, from) & !self.us())) {
                    return true;
                }
            }
        }
        let king = self.king(self.turn);
        if visit(Role::King, king, self.king_targets()) {
            return true;
        }
        (self.pieces(Role::Pawn) & self.us()).into_iter().any(|from| {
            let captures = attacks::pawn_attacks(self.turn, from) & self.them();
            visit(Role::Pawn, from, legal(from, captures | self.pawn_advances(from)))
        })
    }

    fn king_can_go(&self) -> bool {
        let king = self.king(self.turn);
        let targets = attacks::king_attacks(king) & !self.us();
        targets.into_iter().any(|to| self.is_safe(king, to))
    }

    fn king_targets(&self) -> Bitboard {
        let king = self.king(self.turn);
        self.safe_targets(king, attacks::king_attacks(king) & !self.us())
    }

    #[inline(never)]
    fn safe_targets(&self, from: Square, mut targets: Bitboard) -> Bitboard {
        for to in targets {
            if !self.is_safe(from, to) {
                targets.discard(to);
            }
        }
        targets
    }

    /// Calls `visit` for en passant captures and castling, likewise.
    fn each_odd_move(&self, mut visit: impl FnMut(Move) -> bool) -> bool {
        let passes = self.en_passant.is_some_and(|to| {
            self.en_passant_captors(to).into_iter().any(|from| {
                self.is_safe_en_passant(from, to) && visit(self.en_passant_move(from, to))
            })
        });
        let sides = [CastlingSide::KingSide, CastlingSide::QueenSide];
        passes
            || (!self.is_check()
                && sides.into_iter().filter_map(|side| self.castling_move(side)).any(visit))
    }

    fn each_pawn_arrival(
        &self,
        from: Square,
        to: Square,
        visit: &mut impl FnMut(Move) -> bool,
    ) -> bool {
        if to.rank() != self.turn.relative_rank(Rank::Eighth) {
            return visit(self.pawn_move(from, to, None));
        }
        PROMOTIONS.into_iter().any(|role| visit(self.pawn_move(from, to, Some(role))))
    }

    fn pawn_advances(&self, from: Square) -> Bitboard {
        let ahead = self.turn.fold_wb(8, -8);
        let one = Bitboard::from_square(from).shift(ahead) & !self.occupied();
        let third = Bitboard::from_rank(self.turn.relative_rank(Rank::Third));
        let two = (one & third).shift(ahead) & !self.occupied();
        one | two
    }

    fn pinned(&self) -> Bitboard {
        let (king, queens) = (self.king(self.turn), self.pieces(Role::Queen));
        let sliders = (straight(king) & (self.pieces(Role::Rook) | queens)
            | diagonal(king) & (self.pieces(Role::Bishop) | queens))
            & self.them();
        let mut pinned = Bitboard::EMPTY;
        for from in sliders {
            let between = attacks::between(king, from) & self.occupied();
            if !between.more_than_one() {
                pinned |= between & self.us();
            }
        }
        pinned
    }

    #[inline]
    pub(crate) fn step(&self, role: Role, from: Square, to: Square) -> Move {
        let kind = if self.letters[to] == 0 { MoveKind::Quiet } else { MoveKind::Capture };
        Move { from, to, role, kind, promotion: None }
    }

    #[inline(always)]
    pub(crate) fn pawn_move(&self, from: Square, to: Square, promotion: Option<Role>) -> Move {
        let captures = self.letters[to] != 0;
        let kind = match promotion {
            Some(_) if captures => MoveKind::CapturePromotion,
            Some(_) => MoveKind::Promotion,
            None if captures => MoveKind::Capture,
            None if from.abs_diff(to) == 16 => MoveKind::Double,
            None => MoveKind::Quiet,
        };
        Move { from, to, role: Role::Pawn, kind, promotion }
    }

    #[inline]
    pub(crate) fn en_passant_move(&self, from: Square, to: Square) -> Move {
        Move { from, to, role: Role::Pawn, kind: MoveKind::EnPassant, promotion: None }
    }

    #[inline]
    pub(crate) fn castling_move(&self, side: CastlingSide) -> Option<Move> {
        let rook = self.castling_rook(self.turn, side)?;
        let king = self.king(self.turn);
        let castles = self.can_castle(side, king, rook);
        let kind = MoveKind::Castle;
        castles.then_some(Move { from: king, to: rook, role: Role::King, kind, promotion: None })
    }

    /// Whether the ways of king and rook are empty and the king's, ends included, is not attacked.
    fn can_castle(&self, side: CastlingSide, king: Square, rook: Square) -> bool {
        let (king_to, rook_to) = (side.king_to(self.turn), side.rook_to(self.turn));
        let others = self.occupied().without(king).without(rook);
        let king_path = attacks::between(king, king_to).with(king_to);
        let path = king_path | attacks::between(rook, rook_to).with(rook_to);
        let occupied = self.occupied().without(king);
        let arrival = others.with(rook_to);
        path.is_disjoint(others)
            && !self.is_attacked(king_to, arrival, king_to)
            && !king_path
                .without(king_to)
                .with(king)
                .into_iter()
                .any(|over| self.is_attacked(over, occupied, over))
    }

    /// A slow twin of [`Position::can_castle`] that gives the reason.
    pub(crate) fn castling_obstacle(&self, side: CastlingSide, rook: Square) -> Option<Obstacle> {
        let (king, them) = (self.king(self.turn), !self.turn);
        let (king_to, rook_to) = (side.king_to(self.turn), side.rook_to(self.turn));
        let others = self.occupied().without(king).without(rook);
        let king_path = attacks::between(king, king_to).with(king_to);
        let path = king_path | attacks::between(rook, rook_to).with(rook_to);
        if let Some(square) = (path & others).first() {
            return Some(Obstacle::Piece(square));
        }
        if let Some(checker) = self.checkers().first() {
            return Some(Obstacle::Check(checker));
        }
        // On its target square the king may have the rook beside it instead of on the rook's origin
        // (Chess960).
        let passed = king_path.without(king_to).into_iter();
        let occupied = self.occupied().without(king);
        let arrival = others.with(rook_to);
        passed
            .map(|over| (over, self.attackers(over, them, occupied)))
            .chain([(king_to, self.attackers(king_to, them, arrival))])
            .find_map(|(over, attackers)| attackers.first().map(|by| Obstacle::Attack { over, by }))
    }
}

pub(crate) enum Obstacle {
    Piece(Square),
    Check(Square),
    Attack { over: Square, by: Square },
}

impl Position {
    pub(crate) fn color_at(&self, square: Square) -> Option<Color> {
        self.letter(square).map(|letter| Color::from_white(letter.is_ascii_uppercase()))
    }
}
