//! In-memory counters for recently repeated moves.
//!
//! In a large input most moves are played only once; it is best to append their rows and not touch
//! them again until the end. But most games begin with moves that thousands of others share. The
//! first occurrence of a move leaves a mark; if the mark is still present at the second occurrence,
//! the move gets an entry.

use pgn::Outcome;
use san::{MoveCode, PositionKey};

use crate::evaluation::Evaluation;
use crate::games::{GamePly, Games};
use crate::row::LONGEST_HEAD;
use crate::tally::{GameFacts, SourceLocation, Strongest, Tally, first_year};
use crate::visits::PositionVisit;

/// The entries, and the hash table of marks that refer to them.
#[derive(Debug)]
pub(crate) struct FrequentMoves {
    /// The number of buckets is a power of two, or zero.
    buckets: Vec<Bucket>,
    entries: Vec<Entry>,
    most_buckets: usize,
    most_entries: usize,
    /// Number of marks replaced by others since the table last grew.
    lost: usize,
    /// Number of moves rejected for lack of space since the last drain.
    refused: usize,
}

/// One cache line of marks: the first bits of a hash, and the index of an entry plus one, or 0 for
/// no entry.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Bucket([u32; MARKS]);

const MARKS: usize = 16;

/// The bits of a mark that hold the index.
const NUMBER: u32 = (1 << 18) - 1;

/// Number of entries looked up together.
const AT_ONCE: usize = 32;

/// The counts of a move.
#[derive(Clone, Copy, Debug)]
struct Entry {
    key: PositionKey,
    next: MoveCode,
    best_elo_sum: u16,
    first_year: u16,
    last_year: u16,
    /// Evaluations of the first and of the best game; kept separately, which makes entries smaller.
    first_evaluation: Evaluation,
    best_evaluation: Evaluation,
    first: GamePly,
    best: GamePly,
    games: u32,
    white: u32,
    draws: u32,
    black: u32,
    rated: u32,
    rating_sum: u64,
}

/// Initial and maximum number of buckets, and the growth factor.
const FIRST_BUCKETS: usize = 1 << 11;
const MOST_BUCKETS: usize = 1 << 15;
const GROWTH: usize = 4;

const MOST_ENTRIES: usize = NUMBER as usize;

impl FrequentMoves {
    /// Creates counters that use about `memory` bytes.
    pub(crate) fn new(memory: usize) -> Self {
        let buckets = (memory / 2 / size_of::<Bucket>()).checked_ilog2().map_or(0, |log| 1 << log);
        FrequentMoves {
            buckets: Vec::new(),
            entries: Vec::new(),
            most_buckets: buckets.min(MOST_BUCKETS),
            most_entries: (memory / 2 / size_of::<Entry>()).min(MOST_ENTRIES),
            lost: 0,
            refused: 0,
        }
    }

    /// Returns the memory in use, including what the entries would need as rows, in bytes.
    pub(crate) fn used(&self) -> usize {
        self.buckets.len() * size_of::<Bucket>()
            + self.entries.len() * (size_of::<Entry>() + LONGEST_HEAD)
    }

    /// Whether the input has moved on to moves without entries.
    pub(crate) fn is_stale(&self) -> bool {
        self.refused > self.most_entries
    }

    /// Counts the moves of a game that follows all others; moves without entries are appended to
    /// `missed`. Returns whether an entry now refers to the game.
    ///
    /// Entries are looked up before any is changed, without branches, so that the processor
    /// overlaps the cache misses.
    #[inline]
    pub(crate) fn count(
        &mut self,
        visits: &[PositionVisit],
        game: u32,
        facts: GameFacts,
        mut missed: impl FnMut(&PositionVisit),
    ) -> bool {
        let mut is_named = false;
        for visits in visits.chunks(AT_ONCE) {
            let mut numbers = [0; AT_ONCE];
            let mut are_there = [false; AT_ONCE];
            if let Some(mask) = self.buckets.len().checked_sub(1) {
                let mut hashes = [0; AT_ONCE];
                for (hash, visit) in hashes.iter_mut().zip(visits) {
                    *hash = mixed(visit.hash, visit.next);
                }
                let hashes = &hashes[..visits.len()];
                let mark = |hash: &u64| self.buckets[*hash as usize & mask].0[0];
                fetch(hashes.iter().map(mark));
                for (number, hash) in numbers.iter_mut().zip(hashes) {
                    let bucket = &self.buckets[*hash as usize & mask];
                    *number = bucket.entry(tag_of(*hash));
                }
                let entry = |number: &u32| self.entries.get((*number as usize).wrapping_sub(1));
                let words = |entry: &Entry| entry.key.0[0] as u32 | entry.games;
                let numbers = &numbers[..visits.len()];
                fetch(numbers.iter().map(|number| entry(number).map_or(0, words)));
                for ((is_present, number), visit) in are_there.iter_mut().zip(numbers).zip(visits) {
                    *is_present = entry(number).is_some_and(|entry| entry.is_of(visit));
                }
            }
            for ((is_present, number), visit) in are_there.iter().zip(&numbers).zip(visits) {
                if *is_present {
                    is_named |= self.entries[*number as usize - 1].count(visit, game, facts);
                } else if self.count_again(visit, game, facts) {
                    is_named = true;
                } else {
                    missed(visit);
                }
            }
        }
        is_named
    }

    /// Counts a move at its second occurrence; otherwise leaves a mark.
    fn count_again(&mut self, visit: &PositionVisit, game: u32, facts: GameFacts) -> bool {
        if self.lost >= MARKS * self.buckets.len() && self.buckets.len() < self.most_buckets {
            self.grow();
        }
        let Some(mask) = self.buckets.len().checked_sub(1) else { return false };
        let mixed = mixed(visit.hash, visit.next);
        let bucket = &mut self.buckets[mixed as usize & mask];
        let tag = tag_of(mixed);
        if let Some(place) = bucket.places(|mark| mark & !NUMBER == tag).first() {
            let mark = &mut bucket.0[place];
            // Another move has the same mark, or the counters are full.
            if *mark != tag {
                return false;
            }
            if self.entries.len() >= self.most_entries {
                self.refused += 1;
                return false;
            }
            let mut entry = Entry::of(visit, game);
            entry.count(visit, game, facts);
            self.entries.push(entry);
            *mark = tag | self.entries.len() as u32;
            return true;
        }
        let free = bucket.places(|mark| mark == 0).first();
        self.lost += usize::from(free.is_none());
        let any = || {
            let without_entry = bucket.places(|mark| mark & NUMBER == 0);
            without_entry.first_from((mixed >> 29) as usize % MARKS)
        };
        if let Some(place) = free.or_else(any) {
            bucket.0[place] = tag;
        }
        false
    }

    /// Enlarges the table; only marks with entries are kept.
    #[cold]
    fn grow(&mut self) {
        self.lost = 0;
        let size = (GROWTH * self.buckets.len()).max(FIRST_BUCKETS).min(self.most_buckets);
        self.buckets.clear();
        self.buckets.resize(size, Bucket::default());
        for (number, entry) in (1..).zip(&self.entries) {
            let mixed = mixed(entry.key.stable_hash(), entry.next);
            let bucket = &mut self.buckets[mixed as usize & (size - 1)].0;
            // An entry whose bucket is full is never found again, but its counts are kept.
            if let Some(free) = bucket.iter_mut().find(|mark| **mark == 0) {
                *free = tag_of(mixed) | number;
            }
        }
    }

    /// Removes all entries and passes them on: the position, the move and its counts, with the
    /// index of the strongest game if it is known.
    pub(crate) fn drain(
        &mut self,
        games: &Games,
        mut take: impl FnMut(PositionKey, MoveCode, &Tally<Option<u32>>),
    ) {
        (self.lost, self.refused) = (0, 0);
        self.buckets.fill(Bucket::default());
        let occurrence = |seen, evaluation| SourceLocation { evaluation, ..games.occurrence(seen) };
        for entry in self.entries.drain(..) {
            let at = occurrence(entry.best, entry.best_evaluation);
            let info = games.index_if_known(entry.best.game);
            let tally = Tally {
                games: entry.games.into(),
                white: entry.white.into(),
                draws: entry.draws.into(),
                black: entry.black.into(),
                rated: entry.rated.into(),
                rating_sum: entry.rating_sum,
                first_year: entry.first_year,
                last_year: entry.last_year,
                first: occurrence(entry.first, entry.first_evaluation),
                strongest: Strongest::of(games.facts(entry.best.game), at, info),
            };
            take(entry.key, entry.next, &tally);
        }
    }

    /// Releases the memory.
    pub(crate) fn shrink(&mut self) {
        (self.buckets, self.entries) = (Vec::new(), Vec::new());
    }
}

impl Bucket {
    /// Returns the index of the entry with this mark plus one, or 0.
    #[inline]
    fn entry(&self, tag: u32) -> u32 {
        let number = |mark: &u32| if *mark & !NUMBER == tag { *mark & NUMBER } else { 0 };
        self.0.iter().map(number).fold(0, |found, number| found | number)
    }

    /// Returns the places of the marks that are wanted. All are compared at once, without branches.
    #[inline]
    fn places(&self, is_wanted: impl Fn(u32) -> bool) -> Places {
        let bits = self.0.iter().zip(0..).map(|(mark, place)| u32::from(is_wanted(*mark)) << place);
        Places(bits.fold(0, |all, bit| all | bit))
    }
}

/// Places of marks in a bucket, as bits.
#[derive(Clone, Copy, Debug)]
struct Places(u32);

impl Places {
    fn first(self) -> Option<usize> {
        (self.0 != 0).then(|| self.0.trailing_zeros() as usize)
    }

    /// Returns the first place from `start` on, or else before it.
    fn first_from(self, start: usize) -> Option<usize> {
        let rotated = Places((self.0 | self.0 << MARKS) >> start);
        rotated.first().map(|place| (start + place) % MARKS)
    }
}

/// Returns the part of the hash stored in a mark; never 0.
#[inline]
fn tag_of(mixed: u64) -> u32 {
    (mixed >> 32) as u32 & !NUMBER | 1 << 31
}

/// Reads words in a loop without other work, so that the processor overlaps the cache misses.
#[inline]
fn fetch(words: impl Iterator<Item = u32>) {
    std::hint::black_box(words.fold(0, |all, word| all | word));
}

#[inline]
fn mixed(hash: u64, next: MoveCode) -> u64 {
    hash ^ u64::from(next.0).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl Entry {
    fn of(visit: &PositionVisit, game: u32) -> Self {
        let seen = visit.seen(game);
        Entry {
            key: visit.key,
            next: visit.next,
            best_elo_sum: 0,
            first_year: 0,
            last_year: 0,
            first_evaluation: visit.evaluation,
            best_evaluation: visit.evaluation,
            first: seen,
            best: seen,
            games: 0,
            white: 0,
            draws: 0,
            black: 0,
            rated: 0,
            rating_sum: 0,
        }
    }

    /// Whether this entry counts the move and its counters are not full.
    #[inline]
    fn is_of(&self, visit: &PositionVisit) -> bool {
        let [a, b, c, d] = self.key.0;
        let [e, f, g, h] = visit.key.0;
        // Branch-free: all comparisons at once.
        (a ^ e) | (b ^ f) | (c ^ g) | (d ^ h) == 0
            && (self.next == visit.next) & (self.games < u32::MAX)
    }

    /// Counts a game; returns whether it is now the strongest one.
    #[inline]
    fn count(&mut self, visit: &PositionVisit, game: u32, facts: GameFacts) -> bool {
        let GameFacts { elo_sum, year, outcome } = facts;
        // Among equally strong games the first wins, and it was counted earlier.
        let is_best = elo_sum > self.best_elo_sum;
        if is_best {
            (self.best, self.best_elo_sum) = (visit.seen(game), elo_sum);
            self.best_evaluation = visit.evaluation;
        }
        self.games += 1;
        self.white += u32::from(outcome == Outcome::WhiteWins);
        self.draws += u32::from(outcome == Outcome::Draw);
        self.black += u32::from(outcome == Outcome::BlackWins);
        self.rated += u32::from(elo_sum > 0);
        self.rating_sum += u64::from(elo_sum);
        self.first_year = first_year(self.first_year, year);
        self.last_year = self.last_year.max(year);
        is_best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_found_from_any_place_on() {
        let mut bucket = Bucket([7; MARKS]);
        for place in [2, 9] {
            bucket.0[place] = 0;
        }
        let places = bucket.places(|mark| mark == 0);
        assert_eq!(places.first(), Some(2));
        let found = [0, 2, 3, 9, 10, 15].map(|start| places.first_from(start));
        assert_eq!(found, [2, 2, 9, 9, 2, 2].map(Some));
        assert_eq!(bucket.places(|mark| mark == 1).first_from(5), None);
    }

    #[test]
    fn an_entry_is_small() {
        assert_eq!(size_of::<Entry>(), 96);
    }

    #[test]
    fn frequent_moves_are_counted_in_place_exactly_once() {
        let mut games = Games::default();
        let facts = GameFacts { elo_sum: 4000, year: 2000, outcome: Outcome::Draw };
        let mut frequent = FrequentMoves::new(1 << 24);
        let visit = |key: u64| PositionVisit::of_key(PositionKey([key, key, 0, 1]), 3, MoveCode(7));
        let mut counted = vec![0; 60_000];
        for game in 0..50 {
            games.begin(facts, 0, game, [b"", b"", b""], &[]);
            let rare = 1000 * (game + 1)..1000 * (game + 2);
            let visits: Vec<PositionVisit> = (0..100).chain(rare).map(visit).collect();
            let missed = |visit: &PositionVisit| counted[visit.key.0[0] as usize] += 1;
            frequent.count(&visits, game as u32, facts, missed);
        }
        let mut often = 0;
        frequent.drain(&games, |key, _, tally| {
            let key = key.0[0] as usize;
            counted[key] += tally.games;
            often += usize::from(key < 100 && tally.games > 40);
            assert_eq!((tally.draws, tally.white), (tally.games, 0));
            let (sum, first) = (4000 * tally.games, tally.strongest.at);
            assert_eq!((tally.rating_sum, tally.first), (sum, first));
        });
        assert!(counted[..100].iter().all(|games| *games == 50));
        assert!(counted[1000..51_000].iter().all(|games| *games == 1));
        assert!(often > 90, "{often}");
        assert_eq!(frequent.entries.len(), 0);
    }
}
