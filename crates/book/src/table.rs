//! Counts in memory: entries in the order of arrival, and a hash table of slots that refer to them.
//!
//! A slot has half of the hash and the index of an entry. Its place follows from that half, so that
//! the slots are nearly sorted, and a larger table is filled front to back without a look at the
//! entries. Keys are compared whole.

use std::sync::Arc;

use indexmap::IndexSet;
use san::{MoveCode, PositionKey};

use crate::block::MoveCount;
use crate::collect::{Details, PositionVisit};
use crate::games::GameClass;
use crate::tally::{Game, Occurrence, Tally, first_year};

#[derive(Debug, Default)]
pub(crate) struct Table {
    pub(crate) slots: Vec<u64>,
    segments: Vec<Segment>,
    pub(crate) len: usize,
    /// The games to which the entries refer.
    pub(crate) games: Vec<Arc<Game>>,
    /// Their classes, to which the entries refer by numbers from 1; 0 is none.
    classes: IndexSet<GameClass>,
    /// The memory of the texts of both.
    text_bytes: usize,
    /// Whether the notable games are counted, and among them the most recent ones.
    with_games: bool,
    with_latest: bool,
    /// Whether there is an entry with a move or a class, of which a position may have several.
    is_divided: bool,
    /// Whether several entries may count the same move.
    has_duplicates: bool,
}

/// Allocations this large return to the system when freed; untouched pages use no memory.
#[derive(Debug)]
struct Segment {
    entries: Vec<TableEntry>,
    /// For each entry the notable games, if they are counted.
    notable: Vec<NotableGames>,
}

const SEGMENT: usize = 1 << 19;

/// Maximum number of entries, to which slots refer by 32 bits.
const MOST_ENTRIES: usize = u32::MAX as usize;

/// Slots in which an entry is looked for. Inputs can be made so that more have the same place.
const MOST_TRIED: usize = 256;
const FIRST_PLACES: usize = 1 << 10;

/// Number of visits, of several games, whose slots and entries are read together.
const FETCHED: usize = 64;

impl Table {
    pub(crate) fn new(details: Details) -> Self {
        Table { with_games: details.games, with_latest: details.latest, ..Table::default() }
    }

    pub(crate) fn used(&self) -> usize {
        let entries = self.len * self.entry_bytes() + size_of_val(&*self.slots);
        entries + size_of_val(&*self.games) + self.text_bytes
    }

    /// Whether all numbers of games or of classes are used.
    pub(crate) fn is_full(&self) -> bool {
        self.games.len() >= u32::MAX as usize || self.classes.len() >= usize::from(u16::MAX)
    }

    pub(crate) fn add_game(&mut self, game: Game) {
        self.text_bytes += size_of::<Game>() + game.text_bytes();
        self.games.push(Arc::new(game));
    }

    /// Returns the number of the class of a game. A new class needs a table that is not full.
    #[inline]
    pub(crate) fn class_number(&mut self, game: &Game) -> u16 {
        let Some(class) = &game.class else { return 0 };
        let number = self.classes.get_index_of(&**class).unwrap_or_else(|| {
            self.text_bytes += class.bytes();
            self.classes.insert_full(GameClass::clone(class)).0
        });
        number as u16 + 1
    }

    pub(crate) fn entry_bytes(&self) -> usize {
        size_of::<TableEntry>() + if self.with_games { size_of::<NotableGames>() } else { 0 }
    }

    /// Returns the number of places, after which some slots follow.
    fn places(&self) -> usize {
        self.slots.len().saturating_sub(MOST_TRIED)
    }

    /// Returns the number of places for `more` entries; at most three of five are used.
    fn places_for(&self, more: usize) -> usize {
        let mut places = self.places().max(FIRST_PLACES);
        while 5 * (self.len + more) > 3 * places {
            places *= 2;
        }
        places
    }

    /// The bytes needed; more than there are if slots could not refer to the entries.
    pub(crate) fn needed(&self, more: usize) -> usize {
        if self.len + more > MOST_ENTRIES {
            return usize::MAX;
        }
        let places = self.places_for(more);
        let slots = if places > self.places() { places * size_of::<u64>() } else { 0 };
        more * self.entry_bytes() + slots
    }

    pub(crate) fn reserve(&mut self, more: usize) {
        if 5 * (self.len + more) > 3 * self.places() {
            self.grow(more);
        }
    }

    #[cold]
    fn grow(&mut self, more: usize) {
        let places = self.places_for(more);
        let mut slots = vec![0; places + MOST_TRIED];
        for slot in self.slots.iter().filter(|slot| **slot != 0) {
            let from = place_of(tag_of(*slot), places);
            match slots[from..from + MOST_TRIED].iter_mut().find(|slot| **slot == 0) {
                Some(free) => *free = *slot,
                None => self.has_duplicates = true,
            }
        }
        self.slots = slots;
    }

    /// Later counts of the same moves get entries of their own.
    #[cold]
    pub(crate) fn forget(&mut self) {
        if self.len > 0 {
            self.has_duplicates = true;
            self.slots.fill(0);
        }
    }

    /// Removes all entries. Their memory is used for the next.
    pub(crate) fn clear(&mut self) {
        self.slots.fill(0);
        for Segment { entries, notable } in &mut self.segments {
            entries.clear();
            notable.clear();
        }
        self.games.clear();
        self.classes.clear();
        self.text_bytes = 0;
        (self.len, self.is_divided, self.has_duplicates) = (0, false, false);
    }

    /// A loop without branches, so that cache misses overlap; returns the number of visits read.
    #[inline]
    pub(crate) fn fetch(&self, visits: &[PositionVisit], class: u16) -> usize {
        let visits = &visits[..visits.len().min(FETCHED)];
        let places = self.places();
        let mut slots = [0; FETCHED];
        for (slot, visit) in slots.iter_mut().zip(visits) {
            *slot = self.slots[place_of(mixed(visit, class), places)];
        }
        let word = |slot: &u64| index_of(*slot).map_or(0, |index| self.word_of(index));
        let words = slots[..visits.len()].iter().map(word);
        std::hint::black_box(words.fold(0, |all, word| all | word));
        visits.len()
    }

    /// The game follows all others, and has room. Returns whether an entry now refers to it.
    pub(crate) fn count(&mut self, visits: &[PositionVisit], game: &CountedGame) -> bool {
        visits.iter().fold(false, |is_named, visit| self.count_move(visit, game) | is_named)
    }

    pub(crate) fn strongest(&self, index: usize) -> Option<u32> {
        let notable = self.segments[index / SEGMENT].notable.get(index % SEGMENT);
        notable.map(|notable| notable.strongest.game)
    }

    /// Returns words of an entry.
    pub(crate) fn word_of(&self, index: usize) -> u32 {
        let Segment { entries, notable } = &self.segments[index / SEGMENT];
        let notable = notable.get(index % SEGMENT).map_or(0, |notable| notable.rated);
        entries[index % SEGMENT].games | notable
    }

    #[inline]
    fn count_move(&mut self, visit: &PositionVisit, game: &CountedGame) -> bool {
        let tag = mixed(visit, game.class);
        let from = place_of(tag, self.places());
        for slot in &mut self.slots[from..from + MOST_TRIED] {
            let Some(index) = index_of(*slot) else {
                *slot = u64::from(tag) << 32 | (self.len as u64 + 1);
                self.push(visit, game);
                return true;
            };
            if tag_of(*slot) == tag {
                let Segment { entries, notable } = &mut self.segments[index / SEGMENT];
                let entry = &mut entries[index % SEGMENT];
                if entry.is_of(visit, game) {
                    let notable = notable.get_mut(index % SEGMENT);
                    return entry.count(visit, game, notable, self.with_latest);
                }
            }
        }
        self.has_duplicates = true;
        self.push(visit, game);
        true
    }

    fn push(&mut self, visit: &PositionVisit, game: &CountedGame) {
        if self.len == self.segments.len() * SEGMENT {
            let games = if self.with_games { SEGMENT } else { 0 };
            let (entries, notable) = (Vec::with_capacity(SEGMENT), Vec::with_capacity(games));
            self.segments.push(Segment { entries, notable });
        }
        self.len += 1;
        self.is_divided |= !visit.next.is_none() || game.class > 0;
        let Segment { entries, notable } = &mut self.segments[(self.len - 1) / SEGMENT];
        let CountedGame { index, class, elo_sum, year, .. } = *game;
        let CountedGame { games, white, draws, black, is_rated, .. } = *game;
        let (PositionVisit { key, next, .. }, first) = (*visit, visit.seen(index));
        entries.push(TableEntry { key, next, class, first, games, white, draws, black });
        if self.with_games {
            notable.push(NotableGames {
                rating_sum: if is_rated { elo_sum.into() } else { 0 },
                rated: is_rated.into(),
                strongest: first,
                latest: first,
                elo_sum,
                first_year: year,
                last_year: year,
            });
        }
    }

    pub(crate) fn entry(&self, index: usize) -> &TableEntry {
        &self.segments[index / SEGMENT].entries[index % SEGMENT]
    }

    pub(crate) fn counts_of(&self, index: usize) -> MoveCount {
        let TableEntry { next, first, games, white, draws, black, .. } = *self.entry(index);
        let one = Tally::of_one(first, first.of(&self.games));
        let [games, white, draws, black] = [games, white, draws, black].map(u64::from);
        let mut tally = Tally { games, white, draws, black, ..one };
        if let Some(notable) = self.segments[index / SEGMENT].notable.get(index % SEGMENT) {
            let NotableGames { rated, rating_sum, strongest, latest, .. } = *notable;
            (tally.rated, tally.rating_sum) = (rated.into(), rating_sum);
            (tally.first_year, tally.last_year) = (notable.first_year, notable.last_year);
            (tally.strongest, tally.latest) = (strongest, (latest != strongest).then_some(latest));
        }
        (next, tally)
    }

    /// Whether each entry counts a position, and no other entry counts the same one.
    pub(crate) fn is_by_position(&self) -> bool {
        !self.is_divided && !self.has_duplicates
    }
}

/// Returns what a slot has of the hash of its entry.
fn tag_of(slot: u64) -> u32 {
    (slot >> 32) as u32
}

fn index_of(slot: u64) -> Option<usize> {
    (slot as u32 as usize).checked_sub(1)
}

fn place_of(tag: u32, places: usize) -> usize {
    ((u64::from(tag) * places as u64) >> 32) as usize
}

fn mixed(visit: &PositionVisit, class: u16) -> u32 {
    let both = u64::from(visit.next.0) | u64::from(class) << 16;
    (visit.hash ^ both.wrapping_mul(0x9e37_79b9_7f4a_7c15)) as u32
}

/// The counts of a move in games of a class: one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct TableEntry {
    pub(crate) key: PositionKey,
    next: MoveCode,
    class: u16,
    first: Occurrence,
    pub(crate) games: u32,
    white: u32,
    draws: u32,
    black: u32,
}

/// The strongest and the most recent game of an entry, and the ratings and years of all.
#[derive(Clone, Copy, Debug)]
struct NotableGames {
    rating_sum: u64,
    rated: u32,
    strongest: Occurrence,
    latest: Occurrence,
    elo_sum: u16,
    first_year: u16,
    last_year: u16,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct CountedGame {
    pub(crate) index: u32,
    pub(crate) class: u16,
    pub(crate) elo_sum: u16,
    pub(crate) year: u16,
    pub(crate) games: u32,
    pub(crate) white: u32,
    pub(crate) draws: u32,
    pub(crate) black: u32,
    /// Whether its ratings count.
    pub(crate) is_rated: bool,
}

impl TableEntry {
    /// Whether this entry counts the move and its counters have room for the game.
    #[inline]
    fn is_of(&self, visit: &PositionVisit, game: &CountedGame) -> bool {
        let [a, b, c, d] = self.key.0;
        let [e, f, g, h] = visit.key.0;
        // Branch-free: all comparisons at once.
        (a ^ e) | (b ^ f) | (c ^ g) | (d ^ h) == 0
            && (self.next == visit.next)
                & (self.class == game.class)
                & (self.games.checked_add(game.games).is_some())
    }

    /// Counts a game; returns whether the entry now refers to it.
    #[inline]
    fn count(
        &mut self,
        visit: &PositionVisit,
        game: &CountedGame,
        notable: Option<&mut NotableGames>,
        with_latest: bool,
    ) -> bool {
        self.games += game.games;
        self.white += game.white;
        self.draws += game.draws;
        self.black += game.black;
        let seen = visit.seen(game.index);
        let is_named = notable.is_some_and(|notable| notable.count(seen, game, with_latest));
        // Later games have higher numbers, but a game may reach a position several times.
        if seen < self.first {
            self.first = seen;
        }
        is_named
    }
}

impl NotableGames {
    /// Returns whether it is now notable. Unless wanted, `latest` follows `strongest` to say none.
    #[inline]
    fn count(&mut self, seen: Occurrence, game: &CountedGame, with_latest: bool) -> bool {
        let CountedGame { elo_sum, year, .. } = *game;
        if game.is_rated {
            self.rated += 1;
            self.rating_sum += u64::from(elo_sum);
        }
        let is_latest = with_latest && (year, seen) > (self.last_year, self.latest);
        if is_latest {
            self.latest = seen;
        }
        self.first_year = first_year(self.first_year, year);
        self.last_year = self.last_year.max(year);
        // The first of equally strong games, and within a game the first position.
        let is_strongest =
            elo_sum > self.elo_sum || elo_sum == self.elo_sum && seen < self.strongest;
        if is_strongest {
            (self.strongest, self.elo_sum) = (seen, elo_sum);
            if !with_latest {
                self.latest = seen;
            }
        }
        is_strongest || is_latest
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use pgn::Outcome;

    use super::*;
    use crate::totals::entry_of;

    /// Counts games of frequent and of rare positions, with hashes below this number in the slots.
    fn count(hashes: u64, games_of_segment: u32) {
        let facts = Game { elo_sum: 4000, year: 2000, outcome: Outcome::Draw, ..Game::default() };
        let mut table = Table::new(Details::ALL);
        let mut expected = BTreeMap::new();
        for index in 0..60_u32 {
            if index % games_of_segment == 0 {
                table.forget();
            }
            table.add_game(Game { number: index.into(), ..facts.clone() });
            let rare = 200 + 100 * u64::from(index)..300 + 100 * u64::from(index);
            let visit = |key: u64| {
                let (position, next) = (PositionKey([key / 2, 1, 2, 3]), MoveCode(key as u16 % 2));
                let visit = PositionVisit::of_key(position, 3, next);
                PositionVisit { hash: visit.hash % hashes, ..visit }
            };
            let visits: Vec<_> = (0..200).chain(rare).map(visit).collect();
            for visit in &visits {
                *expected.entry((visit.key, visit.next)).or_insert(0) += 1;
            }
            let (white, draws, black) = (0, 1, 0);
            table.reserve(visits.len());
            table.count(
                &visits,
                &CountedGame {
                    index,
                    class: 0,
                    elo_sum: 4000,
                    year: 2000,
                    games: 1,
                    white,
                    draws,
                    black,
                    is_rated: true,
                },
            );
        }
        let mut found = BTreeMap::new();
        let numbers = 0..table.len as u64;
        for entry in numbers.filter_map(|number| entry_of(std::slice::from_ref(&table), number, 1))
        {
            let (next, Tally { games, draws, rating_sum, first, strongest, .. }) = entry.counts[0];
            assert_eq!((draws, rating_sum, first), (games, 4000 * games, strongest));
            *found.entry((entry.key, next)).or_insert(0) += games;
        }
        assert!(found == expected, "{hashes}");
    }

    #[test]
    fn moves_are_counted_exactly_whatever_their_hashes() {
        for hashes in [u64::MAX, 1 << 7, 1] {
            count(hashes, u32::MAX);
        }
    }

    #[test]
    fn counts_of_forgotten_entries_are_added_up() {
        count(u64::MAX, 7);
    }

    #[test]
    fn as_many_entries_are_held_as_slots_can_refer_to() {
        let of_len = |len| Table { len, ..Table::new(Details::NONE) };
        assert_ne!(of_len(MOST_ENTRIES - 1).needed(1), usize::MAX);
        assert_eq!(of_len(MOST_ENTRIES - 1).needed(2), usize::MAX);
        let last = u64::from(u32::MAX) << 32 | MOST_ENTRIES as u64;
        assert_eq!((index_of(last), tag_of(last)), (Some(MOST_ENTRIES - 1), u32::MAX));
    }

    #[test]
    fn an_entry_is_a_cache_line() {
        assert_eq!((size_of::<TableEntry>(), size_of::<NotableGames>()), (64, 48));
    }
}
