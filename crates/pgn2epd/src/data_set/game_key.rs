//! What games are equal by.

use dataset::{ComparedGame, random_rank_of};
use emit::{Ply, VariantPly};
use pgn::{TagPair, known_value};
use san::{AnyPosition, FieldStyle, MoveCode, PositionKey, VariantPosition};

use crate::options::values::GameEquality;

/// Makes the keys of games.
#[derive(Debug)]
pub(crate) struct GameKey {
    equality: GameEquality,
    /// The number of the next game, and that of the last one begun, in the chunk.
    next: u64,
    number: u64,
    /// All tags, for games without moves.
    tags: Vec<u8>,
    variant: String,
    start: Vec<u8>,
    /// The moves that are compared, and the one after the last position.
    moves: Vec<u8>,
    /// The length of those before it.
    end: usize,
    plies: u32,
    is_discarded: bool,
}

impl GameKey {
    pub(crate) fn new(equality: GameEquality) -> Self {
        let (tags, variant, start, moves) = Default::default();
        let (next, number, end, plies) = Default::default();
        let is_discarded = false;
        GameKey { equality, next, number, tags, variant, start, moves, end, plies, is_discarded }
    }

    /// Notes the number of the next game in the chunk.
    pub(super) fn number(&mut self, game: u64) {
        self.next = game;
    }

    pub(super) fn is_of(&self, game: u64) -> bool {
        self.number == game
    }

    pub(super) fn begin(&mut self, tags: &[TagPair<'_>]) {
        self.number = self.next;
        self.tags.clear();
        for part in tags.iter().flat_map(|tag| [tag.name(), tag.raw_value()]) {
            self.tags.extend_from_slice(part);
            self.tags.push(0);
        }
        // Names of the same variant are the same.
        self.variant = known_value(tags, b"Variant")
            .map(|name| format!("{:?}", VariantPosition::variant_named(name.as_bytes())))
            .unwrap_or_default();
        self.start.clear();
        self.moves.clear();
        (self.end, self.plies, self.is_discarded) = (0, 0, false);
    }

    pub(super) fn ply(&mut self, ply: &Ply<'_>) {
        if ply.number == 0 {
            self.start = PositionKey::of(ply.position).to_bytes().to_vec();
        }
        // A null move has the code of no move.
        self.add(ply, || MoveCode::of(ply.next).0.to_be_bytes());
    }

    pub(super) fn variant(&mut self, ply: &VariantPly<'_>) {
        if ply.number == 0 {
            let fields = ply.position.fields(FieldStyle::default());
            self.start = format!("{} {fields}", self.variant).into_bytes();
        }
        let uci = || ply.next.map(|next| format!("{} ", ply.position.uci_of(next)));
        self.add(ply, || uci().unwrap_or_default().into_bytes());
    }

    /// Adds the next move of a position of the main line.
    fn add<P: AnyPosition, B: AsRef<[u8]>>(&mut self, ply: &Ply<'_, P>, next: impl Fn() -> B) {
        if !ply.branches.is_empty() {
            return;
        }
        (self.plies, self.end) = (ply.number, self.moves.len());
        self.moves.extend_from_slice(next().as_ref());
    }

    pub(super) fn has_moves(&self) -> bool {
        self.plies > 0
    }

    pub(super) fn discard(&mut self) {
        self.is_discarded = true;
    }

    /// Returns the game; `None` if it is not compared.
    pub(super) fn end(&self) -> Option<ComparedGame> {
        let moves = &self.moves[..self.end];
        // What must be equal, and what may be the beginning of that of another game.
        let (kind, fixed, beginning) = match self.equality {
            _ if self.is_discarded => return None,
            _ if self.plies == 0 => ("tags/", &*self.tags, &[][..]),
            GameEquality::Prefix(least) if self.plies >= least => ("prefix/", &[][..], moves),
            _ => ("moves/", moves, &[][..]),
        };
        let fixed = [kind.as_bytes(), fixed, &self.start].concat();
        // That two of 10^8 different games have the same 128 bits has a probability of 10^-23.
        let mut key = Vec::with_capacity(2 * size_of::<u64>() + beginning.len());
        key.extend(random_rank_of(0, &fixed).to_be_bytes());
        key.extend(random_rank_of(1, &fixed).to_be_bytes());
        key.extend_from_slice(beginning);
        // The longest game is preferred, which makes a difference for beginnings alone.
        Some(ComparedGame { key, is_damaged: false, rank: self.plies })
    }
}
