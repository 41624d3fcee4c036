//! Texts that are stored once.

use std::fmt;
use std::hash::BuildHasher;

use foldhash::fast::RandomState;
use san::MoveText;

/// Different texts, numbered from 0 in the order of their first use.
///
/// ```
/// let mut texts = emit::Dictionary::default();
/// assert_eq!(["w", "b", "w"].map(|text| texts.key(text.as_bytes())), [0, 1, 0]);
/// assert_eq!((texts.len(), texts.text(1)), (2, &b"b"[..]));
/// ```
#[derive(Clone)]
pub struct Dictionary {
    /// The concatenated texts, in UTF-8.
    bytes: Vec<u8>,
    /// Start of each text, followed by the end of the last one.
    offsets: Vec<usize>,
    /// A hash table with open addressing: the number of a text, plus one. At most half full, its size is a power of two. A map would
    /// own another copy of each text.
    places: Vec<u32>,
    hasher: RandomState,
    /// Moves used recently and their keys, so that most moves are found without a hash of their text; empty until the first
    /// move.
    recent: Vec<(u64, u32)>,
    has_moves: bool,
}

/// Base-2 logarithm of the number of recent moves: games of a chunk have some thousand different ones.
const RECENT_BITS: u32 = 13;

/// The most moves that are kept for the next rows.
const MOST_KEPT: usize = 1 << 13;

impl Default for Dictionary {
    fn default() -> Self {
        Dictionary {
            bytes: Vec::new(),
            offsets: vec![0],
            places: Vec::new(),
            hasher: RandomState::default(),
            recent: Vec::new(),
            has_moves: false,
        }
    }
}

impl Dictionary {
    /// Returns the number of texts.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Returns whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns whether the texts are moves, of which there are some thousand different ones in any number of games.
    pub fn has_moves(&self) -> bool {
        self.has_moves
    }

    /// Returns whether the texts begin with those of another dictionary, in the same order.
    pub fn starts_with(&self, other: &Dictionary) -> bool {
        self.bytes.starts_with(&other.bytes) && self.offsets.starts_with(&other.offsets)
    }

    /// Removes all texts and keeps the memory. Moves are kept, since the next rows have nearly the same ones.
    pub(super) fn clear(&mut self) {
        if self.keeps_moves() {
            return;
        }
        self.has_moves = false;
        self.bytes.clear();
        self.offsets.truncate(1);
        self.places.fill(0);
        self.recent.clear();
    }

    fn keeps_moves(&self) -> bool {
        self.has_moves && self.len() <= MOST_KEPT
    }

    /// Gives the dictionary of the next rows the moves, and those used recently, whose memory is in the cache.
    pub(super) fn hand_on_moves(&mut self, next: &mut Dictionary) {
        if !self.keeps_moves() {
            return;
        }
        next.bytes.clone_from(&self.bytes);
        next.offsets.clone_from(&self.offsets);
        next.places.clone_from(&self.places);
        next.hasher = self.hasher.clone();
        next.has_moves = true;
        std::mem::swap(&mut next.recent, &mut self.recent);
        self.recent.clear();
    }

    /// Returns a text.
    ///
    /// # Panics
    ///
    /// If the number is too large.
    #[inline]
    pub fn text(&self, key: u32) -> &[u8] {
        let key = key as usize;
        &self.bytes[self.offsets[key]..self.offsets[key + 1]]
    }

    /// Returns a text, unless the number is too large.
    pub(super) fn get(&self, key: u32) -> Option<&[u8]> {
        ((key as usize) < self.len()).then(|| self.text(key))
    }

    /// Returns all texts, in order.
    pub fn texts(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        (0..self.len()).map(|key| self.text(key as u32))
    }

    /// Returns the number of a text, which is added if it is new.
    pub fn key(&mut self, text: &[u8]) -> u32 {
        if 2 * self.len() >= self.places.len() {
            self.grow();
        }
        let place = self.place(text);
        if let Some(key) = self.places[place].checked_sub(1) {
            return key;
        }
        let key = self.len() as u32;
        self.bytes.extend_from_slice(text);
        self.offsets.push(self.bytes.len());
        self.places[place] = key + 1;
        key
    }

    /// Returns the place of a text in the hash table, or the place where it belongs.
    fn place(&self, text: &[u8]) -> usize {
        let mask = self.places.len() - 1;
        let mut place = self.hasher.hash_one(text) as usize & mask;
        while let Some(key) = self.places[place].checked_sub(1)
            && self.text(key) != text
        {
            place = (place + 1) & mask;
        }
        place
    }

    fn grow(&mut self) {
        self.places = vec![0; (2 * self.places.len()).max(64)];
        for key in 0..self.len() as u32 {
            let place = self.place(self.text(key));
            self.places[place] = key + 1;
        }
    }

    /// Returns the number of a move, like [`key`](Dictionary::key).
    #[inline(always)]
    pub(super) fn key_of_move(&mut self, text: &MoveText) -> u32 {
        let word = text.to_word();
        // Multiplication by an odd number spreads all bits to the upper ones.
        let place = (word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - RECENT_BITS)) as usize;
        match self.recent.get(place) {
            Some((recent, key)) if *recent == word => *key,
            _ => self.key_of_other_move(text, place),
        }
    }

    #[inline(never)]
    fn key_of_other_move(&mut self, text: &MoveText, place: usize) -> u32 {
        if self.recent.is_empty() {
            // No text of a move is zero.
            self.recent.resize(1 << RECENT_BITS, (0, 0));
            self.has_moves = true;
        }
        let key = self.key(text.as_bytes());
        self.recent[place] = (text.to_word(), key);
        key
    }
}

impl PartialEq for Dictionary {
    fn eq(&self, other: &Self) -> bool {
        (&self.bytes, &self.offsets) == (&other.bytes, &other.offsets)
    }
}

impl fmt::Debug for Dictionary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.texts().map(String::from_utf8_lossy)).finish()
    }
}

#[cfg(test)]
mod tests {
    use san::Position;

    use super::*;

    #[test]
    fn moves_have_the_keys_of_their_texts() {
        let position = Position::default();
        let mut texts = Dictionary::default();
        assert!(texts.is_empty());
        for round in 0..3 {
            for (number, mv) in position.legal_moves().into_iter().enumerate() {
                let text = san::san_of(&position, mv);
                let key = match round {
                    0 => texts.key_of_move(&text),
                    1 => texts.key(text.as_bytes()),
                    _ => texts.key_of_move(&text),
                };
                assert_eq!((key as usize, texts.text(key)), (number, text.as_bytes()));
            }
        }
        assert_eq!(texts.len(), 20);
    }

    #[test]
    fn many_texts_have_their_own_numbers() {
        let mut texts = Dictionary::default();
        for _ in 0..2 {
            for number in 0..1000 {
                assert_eq!(texts.key(number.to_string().as_bytes()), number);
            }
        }
        assert!(texts.texts().zip(0..).all(|(text, number)| text == number.to_string().as_bytes()));
    }
}
