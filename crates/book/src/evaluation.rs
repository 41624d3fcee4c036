//! The engine evaluation stored for a position.

/// An evaluation in centipawns from the side to move's point of view, as the operand of `ce` (EPD
/// 5.6), or none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Evaluation(u16);

/// Offset of the stored value; 0 means none, since the least operand of `ce` is -32767.
const BIAS: i32 = 1 << 15;

impl Evaluation {
    /// No evaluation.
    pub const NONE: Evaluation = Evaluation(0);

    /// Creates an evaluation; [`Evaluation::NONE`] if the value is out of the range of `ce`.
    pub fn new(centipawns: i32) -> Self {
        let is_operand = (1 - BIAS..BIAS).contains(&centipawns);
        if is_operand { Evaluation((centipawns + BIAS) as u16) } else { Evaluation::NONE }
    }

    /// Returns the value in centipawns.
    pub fn get(self) -> Option<i32> {
        (self != Evaluation::NONE).then(|| i32::from(self.0) - BIAS)
    }

    #[inline]
    pub(crate) fn of_bits(bits: u16) -> Self {
        Evaluation(bits)
    }

    #[inline]
    pub(crate) fn bits(self) -> u16 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_the_operands_of_ce_are_evaluations() {
        for centipawns in [-32767, -1, 0, 1, 32766] {
            assert_eq!(Evaluation::new(centipawns).get(), Some(centipawns));
        }
        for centipawns in [i32::MIN, -32768, 32768, i32::MAX] {
            assert_eq!(Evaluation::new(centipawns), Evaluation::NONE);
        }
        assert_eq!(Evaluation::default().get(), None);
    }
}
