//! Texts that are stored once.

use std::fmt;
use std::hash::BuildHasher;

use foldhash::fast::RandomState;

/// Different texts, numbered from 0 in the order of their first use.
///
/// ```
/// let mut texts = table::Dictionary::default();
/// assert_eq!(["w", "b", "w"].map(|text| texts.key(text.as_bytes())), [0, 1, 0]);
/// assert_eq!((texts.len(), texts.text(1)), (2, &b"b"[..]));
/// ```
#[derive(Clone)]
pub struct Dictionary {
    /// The concatenated texts, in UTF-8.
    bytes: Vec<u8>,
    /// Start of each text, followed by the end of the last one.
    offsets: Vec<usize>,
    /// Open addressing, at most half full: text numbers plus one. A map would own copies of texts.
    places: Vec<u32>,
    hasher: RandomState,
    /// Words used recently and their keys, found without a hash; empty until the first one.
    recent: Vec<(u64, u32)>,
    has_words: bool,
}

/// Base-2 logarithm; games of a chunk have some thousand different moves.
const RECENT_BITS: u32 = 13;

/// The most words that are kept for the next rows.
const MOST_KEPT: usize = 1 << 13;

impl Default for Dictionary {
    fn default() -> Self {
        Dictionary {
            bytes: Vec::new(),
            offsets: vec![0],
            places: Vec::new(),
            hasher: RandomState::default(),
            recent: Vec::new(),
            has_words: false,
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

    /// Removes all texts, but keeps those numbered by [`key_of_word`](Dictionary::key_of_word),
    /// unless there are very many: the next rows have nearly the same ones.
    pub fn clear(&mut self) {
        if self.keeps_words() {
            return;
        }
        self.has_words = false;
        self.bytes.clear();
        self.offsets.truncate(1);
        self.places.fill(0);
        self.recent.clear();
    }

    fn keeps_words(&self) -> bool {
        self.has_words && self.len() <= MOST_KEPT
    }

    /// Copies the words, and moves the recent ones, whose memory is in the cache.
    pub(crate) fn give_words(&mut self, next: &mut Dictionary) {
        if !self.keeps_words() {
            return;
        }
        next.bytes.clone_from(&self.bytes);
        next.offsets.clone_from(&self.offsets);
        next.places.clone_from(&self.places);
        next.hasher = self.hasher.clone();
        next.has_words = true;
        std::mem::swap(&mut next.recent, &mut self.recent);
        self.recent.clear();
    }

    /// Returns a text. Panics if the number is too large.
    #[inline]
    pub fn text(&self, key: u32) -> &[u8] {
        let key = key as usize;
        &self.bytes[self.offsets[key]..self.offsets[key + 1]]
    }

    /// Returns a text, unless the number is too large.
    pub fn get(&self, key: u32) -> Option<&[u8]> {
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

    /// Returns the [number](Dictionary::key) of a text that is used again and again, given also as
    /// a word that differs from those of others and is not zero, such as its bytes.
    #[inline(always)]
    pub fn key_of_word(&mut self, word: u64, text: &[u8]) -> u32 {
        // Multiplication by an odd number spreads all bits to the upper ones.
        let place = (word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - RECENT_BITS)) as usize;
        match self.recent.get(place) {
            Some((recent, key)) if *recent == word => *key,
            _ => self.key_of_other_word(word, text, place),
        }
    }

    #[inline(never)]
    fn key_of_other_word(&mut self, word: u64, text: &[u8], place: usize) -> u32 {
        if self.recent.is_empty() {
            self.recent.resize(1 << RECENT_BITS, (0, 0));
            self.has_words = true;
        }
        let key = self.key(text);
        self.recent[place] = (word, key);
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
    use super::*;

    #[test]
    fn words_have_the_keys_of_their_texts_and_are_kept_for_the_next_rows() {
        let (mut texts, mut next) = (Dictionary::default(), Dictionary::default());
        assert!(texts.is_empty());
        for round in 0..4 {
            for number in 0..20_000_u32 {
                let text = number.to_string();
                let key = match round {
                    1 => texts.key(text.as_bytes()),
                    _ => texts.key_of_word(u64::from(number) + 1, text.as_bytes()),
                };
                assert_eq!((key, texts.text(key)), (number, text.as_bytes()));
            }
            texts.give_words(&mut next);
            assert!(next.is_empty(), "too many");
        }
        texts.clear();
        assert!(texts.is_empty());
        assert_eq!(texts.key_of_word(7, b"e4"), 0);
        texts.clear();
        texts.give_words(&mut next);
        assert_eq!((texts.len(), next.texts().collect::<Vec<_>>()), (1, vec![&b"e4"[..]]));
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
