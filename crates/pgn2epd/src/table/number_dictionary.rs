//! Numbers that are stored once.

use super::delta::Integer;

/// Different numbers, numbered from 0 in the order of their first use.
#[derive(Debug)]
pub(super) struct NumberDictionary<T> {
    numbers: Vec<T>,
    /// A hash table with open addressing: the key of a number, plus one. At most half full, its size is a power of two.
    places: Vec<u32>,
}

impl<T: Integer> NumberDictionary<T> {
    pub(super) fn new() -> Self {
        NumberDictionary { numbers: Vec::new(), places: vec![0; 64] }
    }

    /// Returns the numbers.
    pub(super) fn numbers(&self) -> &[T] {
        &self.numbers
    }

    /// Returns the key of a number, which is added if it is new.
    #[inline]
    pub(super) fn key(&mut self, number: T) -> u32 {
        let place = self.place(number);
        match self.places[place].checked_sub(1) {
            Some(key) => key,
            None => self.add(number, place),
        }
    }

    #[inline(never)]
    fn add(&mut self, number: T, place: usize) -> u32 {
        self.numbers.push(number);
        let len = self.numbers.len() as u32;
        self.places[place] = len;
        if 2 * self.numbers.len() > self.places.len() {
            self.places = vec![0; 2 * self.places.len()];
            for key in 0..self.numbers.len() {
                let place = self.place(self.numbers[key]);
                self.places[place] = key as u32 + 1;
            }
        }
        len - 1
    }

    /// Returns the place of a number in the hash table, or the place where it belongs.
    #[inline]
    fn place(&self, number: T) -> usize {
        let mask = self.places.len() - 1;
        // Multiplication by an odd number spreads all bits to the upper ones. The lower ones of most decimal numbers are zeros.
        let hash = number.unsigned().wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut place = (hash >> (u64::BITS - self.places.len().trailing_zeros())) as usize;
        while let Some(key) = self.places[place].checked_sub(1)
            && self.numbers[key as usize] != number
        {
            place = (place + 1) & mask;
        }
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_numbers_have_their_own_keys() {
        let mut numbers = NumberDictionary::new();
        for _ in 0..2 {
            for key in 0..1000_u32 {
                assert_eq!(numbers.key(i64::from(key) << 40), key);
            }
        }
        assert!(numbers.numbers().iter().zip(0..).all(|(number, key)| *number == key << 40));
    }
}
