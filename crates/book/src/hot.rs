//! Moves that were played more than once of late: their games are added up in place.
//!
//! Most moves of a big input are played once, and their rows are best written down and not looked at again until the end; but most
//! games begin with moves that thousands of others begin with. What is met for the first time leaves a mark; what is met again
//! while the mark is there gets an entry.

use san::Packed;

use crate::MoveCode;
use crate::games::{Games, Seen};
use crate::row::{Head, LONGEST_HEAD, Numbers};
use crate::tally::{GameFacts, Outcome, first_year};
use crate::visits::Visit;

/// The entries, and the marks that lead to them.
#[derive(Debug)]
pub(crate) struct Hot {
    /// As many as a power of two, or none.
    buckets: Vec<Bucket>,
    entries: Vec<Entry>,
    most_buckets: usize,
    most_entries: usize,
    /// Marks that were lost for others since there were more buckets.
    lost: usize,
    /// Entries that there was no room for since the last were taken out.
    refused: usize,
}

/// Marks in one line of the cache: the first bits of a hash, and the number of an entry plus one; or 0 where there is none.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Bucket([u32; MARKS]);

const MARKS: usize = 16;

/// The bits of a mark that are the number.
const NUMBER: u32 = (1 << 18) - 1;

/// So many entries are looked for at once.
const AT_ONCE: usize = 32;

/// What is counted of a move.
#[derive(Clone, Copy, Debug)]
struct Entry {
    key: Packed,
    next: MoveCode,
    best_elo_sum: u16,
    first_year: u16,
    last_year: u16,
    first: Seen,
    best: Seen,
    games: u32,
    white: u32,
    draws: u32,
    black: u32,
    rated: u32,
    rating_sum: u64,
}

/// Buckets at first, at most, and by how much they become more.
const FIRST_BUCKETS: usize = 1 << 11;
const MOST_BUCKETS: usize = 1 << 15;
const GROWTH: usize = 4;

const MOST_ENTRIES: usize = NUMBER as usize;

impl Hot {
    /// For about so many bytes.
    pub(crate) fn new(memory: usize) -> Self {
        let buckets = (memory / 2 / size_of::<Bucket>()).checked_ilog2().map_or(0, |log| 1 << log);
        Hot {
            buckets: Vec::new(),
            entries: Vec::new(),
            most_buckets: buckets.min(MOST_BUCKETS),
            most_entries: (memory / 2 / size_of::<Entry>()).min(MOST_ENTRIES),
            lost: 0,
            refused: 0,
        }
    }

    /// What it takes, and what its entries would take as rows.
    pub(crate) fn used(&self) -> usize {
        self.buckets.len() * size_of::<Bucket>()
            + self.entries.len() * (size_of::<Entry>() + LONGEST_HEAD)
    }

    /// Whether other moves are played now than those that have entries.
    pub(crate) fn is_stale(&self) -> bool {
        self.refused > self.most_entries
    }

    /// Counts moves of a game that comes behind all others; those that have no entry go to `missed`. Says whether an entry names the
    /// game now.
    ///
    /// Entries are looked for before any is changed, and without branches: so the processor waits for many of them at once.
    #[inline]
    pub(crate) fn count(
        &mut self,
        visits: &[Visit],
        game: u32,
        facts: GameFacts,
        mut missed: impl FnMut(&Visit),
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
                for ((is_there, number), visit) in are_there.iter_mut().zip(numbers).zip(visits) {
                    *is_there = entry(number).is_some_and(|entry| entry.is_of(visit));
                }
            }
            for ((is_there, number), visit) in are_there.iter().zip(&numbers).zip(visits) {
                if *is_there {
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

    /// Counts a move that is met for the second time; else leaves a mark.
    fn count_again(&mut self, visit: &Visit, game: u32, facts: GameFacts) -> bool {
        if self.lost >= MARKS * self.buckets.len() && self.buckets.len() < self.most_buckets {
            self.grow();
        }
        let Some(mask) = self.buckets.len().checked_sub(1) else { return false };
        let mixed = mixed(visit.hash, visit.next);
        let bucket = &mut self.buckets[mixed as usize & mask].0;
        let tag = tag_of(mixed);
        if let Some(mark) = bucket.iter_mut().find(|mark| **mark & !NUMBER == tag) {
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
        let free = bucket.iter().position(|mark| *mark == 0);
        self.lost += usize::from(free.is_none());
        let any = || {
            let first = (mixed >> 29) as usize;
            (first..first + MARKS).map(|at| at % MARKS).find(|at| bucket[*at] & NUMBER == 0)
        };
        if let Some(place) = free.or_else(any) {
            bucket[place] = tag;
        }
        false
    }

    /// Makes more buckets; only marks of entries are kept.
    #[cold]
    fn grow(&mut self) {
        self.lost = 0;
        let size = (GROWTH * self.buckets.len()).max(FIRST_BUCKETS).min(self.most_buckets);
        self.buckets.clear();
        self.buckets.resize(size, Bucket::default());
        for (number, entry) in (1..).zip(&self.entries) {
            let mixed = mixed(crate::hash::hash(entry.key), entry.next);
            let bucket = &mut self.buckets[mixed as usize & (size - 1)].0;
            // An entry for which there is no room is not found again; it counts all the same.
            if let Some(free) = bucket.iter_mut().find(|mark| **mark == 0) {
                *free = tag_of(mixed) | number;
            }
        }
    }

    /// Takes all entries out, as rows.
    pub(crate) fn drain(&mut self, games: &Games, mut take: impl FnMut(u64, &Head, &Numbers)) {
        (self.lost, self.refused) = (0, 0);
        self.buckets.fill(Bucket::default());
        for entry in self.entries.drain(..) {
            let head = Head {
                key: entry.key,
                next: entry.next,
                facts: games.facts(entry.best.game),
                at: games.occurrence(entry.best),
                game: games.teller(entry.best.game),
            };
            let numbers = Numbers {
                games: entry.games.into(),
                white: entry.white.into(),
                draws: entry.draws.into(),
                black: entry.black.into(),
                rated: entry.rated.into(),
                rating_sum: entry.rating_sum,
                first_year: entry.first_year,
                last_year: entry.last_year,
                first: games.occurrence(entry.first),
            };
            take(crate::hash::hash(entry.key), &head, &numbers);
        }
    }

    /// Gives its memory back.
    pub(crate) fn shrink(&mut self) {
        (self.buckets, self.entries) = (Vec::new(), Vec::new());
    }
}

impl Bucket {
    /// The number of the entry with such a mark, plus one; or 0.
    #[inline]
    fn entry(&self, tag: u32) -> u32 {
        let number = |mark: &u32| if *mark & !NUMBER == tag { *mark & NUMBER } else { 0 };
        self.0.iter().map(number).fold(0, |found, number| found | number)
    }
}

/// What a mark shows of it; never 0.
#[inline]
fn tag_of(mixed: u64) -> u32 {
    (mixed >> 32) as u32 & !NUMBER | 1 << 31
}

/// Reads words in a loop that does nothing else, so that the processor waits for all of them at once.
#[inline]
fn fetch(words: impl Iterator<Item = u32>) {
    std::hint::black_box(words.fold(0, |all, word| all | word));
}

#[inline]
fn mixed(hash: u64, next: MoveCode) -> u64 {
    hash ^ u64::from(next.0).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl Entry {
    fn of(visit: &Visit, game: u32) -> Self {
        let seen = visit.seen(game);
        Entry {
            key: visit.key,
            next: visit.next,
            best_elo_sum: 0,
            first_year: 0,
            last_year: 0,
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

    /// Whether it counts this move, and can count more.
    #[inline]
    fn is_of(&self, visit: &Visit) -> bool {
        let [a, b, c, d] = self.key.0;
        let [e, f, g, h] = visit.key.0;
        // Without branches, all at once.
        (a ^ e) | (b ^ f) | (c ^ g) | (d ^ h) == 0
            && (self.next == visit.next) & (self.games < u32::MAX)
    }

    /// Counts a game; whether it is the strongest one now.
    #[inline]
    fn count(&mut self, visit: &Visit, game: u32, facts: GameFacts) -> bool {
        let GameFacts { elo_sum, year, outcome } = facts;
        // Of equally strong games the first counts, which came before.
        let is_best = elo_sum > self.best_elo_sum;
        if is_best {
            (self.best, self.best_elo_sum) = (visit.seen(game), elo_sum);
        }
        self.games += 1;
        self.white += u32::from(outcome == Outcome::White);
        self.draws += u32::from(outcome == Outcome::Draw);
        self.black += u32::from(outcome == Outcome::Black);
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
    fn an_entry_is_small() {
        assert_eq!(size_of::<Entry>(), 96);
    }

    #[test]
    fn what_comes_often_is_counted_in_place_and_nothing_is_lost_or_counted_twice() {
        let mut games = Games::default();
        let facts = GameFacts { elo_sum: 4000, year: 2000, outcome: Outcome::Draw };
        let mut hot = Hot::new(1 << 24);
        let visit = |key: u64| Visit::of_key(Packed([key, key, 0, 1]), 3, MoveCode(7));
        let mut counted = vec![0; 60_000];
        for game in 0..50 {
            games.begin(facts, 0, game, [b"", b"", b""], &[]);
            let rare = 1000 * (game + 1)..1000 * (game + 2);
            let visits: Vec<Visit> = (0..100).chain(rare).map(visit).collect();
            let missed = |visit: &Visit| counted[visit.key.0[0] as usize] += 1;
            hot.count(&visits, game as u32, facts, missed);
        }
        let mut often = 0;
        hot.drain(&games, |_, head, numbers| {
            let key = head.key.0[0] as usize;
            counted[key] += numbers.games;
            often += usize::from(key < 100 && numbers.games > 40);
            assert_eq!((numbers.draws, numbers.white), (numbers.games, 0));
            assert_eq!((numbers.rating_sum, numbers.first), (4000 * numbers.games, head.at));
        });
        assert!(counted[..100].iter().all(|games| *games == 50));
        assert!(counted[1000..51_000].iter().all(|games| *games == 1));
        assert!(often > 90, "{often}");
        assert_eq!(hot.entries.len(), 0);
    }
}
