//! The opcodes of the standard and their operand types (EPD 5).

use std::fmt;

use crate::centipawns::Centipawns;

/// The operands that an opcode takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperandType {
    /// No operand.
    Nothing,
    /// An integer within inclusive bounds.
    Integer {
        /// The lower bound.
        least: i64,
        /// The upper bound.
        most: i64,
    },
    /// [`Centipawns`].
    Evaluation,
    /// Exactly one legal move.
    Move,
    /// Zero or more legal moves, in ASCII order.
    Moves,
    /// Zero or more moves, each played after the previous one.
    Line,
    /// Exactly one string.
    Text,
    /// A string, or nothing, which sets the register to null.
    Register,
    /// Exactly two strings, in order.
    TwoTexts,
    /// Any operands.
    Any,
}

/// Displays an operand type as a phrase for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExpectedOperand(pub OperandType);

impl fmt::Display for ExpectedOperand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            OperandType::Nothing => f.write_str("no operand"),
            OperandType::Integer { least, most } => {
                match least {
                    0 => f.write_str("an integer of 0 or more")?,
                    1 => f.write_str("a positive integer")?,
                    least => write!(f, "an integer of {least} or more")?,
                }
                if most < i64::MAX { write!(f, ", at most {most}") } else { Ok(()) }
            }
            OperandType::Evaluation => {
                write!(f, "an integer from {} to {}", Centipawns::LEAST, Centipawns::MOST)
            }
            OperandType::Move => f.write_str("exactly one move"),
            OperandType::Moves => f.write_str("moves"),
            OperandType::Line => f.write_str("a line of moves"),
            OperandType::Text => f.write_str("one string"),
            OperandType::Register => f.write_str("one string or nothing"),
            OperandType::TwoTexts => f.write_str("two strings"),
            OperandType::Any => f.write_str("anything"),
        }
    }
}

/// Upper bound for node counts and seconds.
const MOST: i64 = i64::MAX;

const fn number(least: i64, most: i64) -> OperandType {
    OperandType::Integer { least, most }
}

macro_rules! opcodes {
    ($($(#[$doc:meta])* $name:ident $text:literal $section:literal $operands:expr;)*) => {
        /// An opcode of the standard (EPD 5), or `acd`. The variants are in the ASCII order of
        /// their names.
        ///
        /// ```
        /// use epd::{Opcode, OperandType};
        ///
        /// let opcode = Opcode::from_name("fmvn").unwrap();
        /// assert_eq!(opcode.section(), Some("5.13"));
        /// assert!(matches!(opcode.operands(), OperandType::Integer { least: 1, .. }));
        /// assert_eq!(Opcode::from_name("c10"), None);
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[repr(u8)]
        pub enum Opcode {
            $(
                #[doc = concat!("`", $text, "`.")]
                $(#[$doc])*
                #[cfg_attr(feature = "serde", serde(rename = $text))]
                $name,
            )*
        }

        static ENTRIES: &[OpcodeEntry] = &[
            $(OpcodeEntry { opcode: Opcode::$name, name: $text, section: $section, operands: $operands },)*
        ];

        impl Opcode {
            /// Returns the opcode with this name; names of the standard are in lower case.
            #[inline]
            pub fn from_name(name: &str) -> Option<Self> {
                let packed = pack(name.as_bytes());
                // One word per name, so that the compiler generates a search.
                $(if packed == const { pack($text.as_bytes()) } {
                    return Some(Opcode::$name);
                })*
                None
            }
        }
    };
}

opcodes! {
    /// Analysis depth in plies. Not in the standard, but common beside `acn` and `acs`.
    Acd "acd" "" number(0, MOST);
    /// Analysis count: nodes. “It is used to represent the number of nodes examined in an
    /// analysis.” (EPD 5.1)
    Acn "acn" "5.1" number(0, MOST);
    /// Analysis count: seconds. “It is used to represent the number of seconds used for an
    /// analysis.” (EPD 5.2)
    Acs "acs" "5.2" number(0, MOST);
    /// Avoid moves. “A set of zero or more moves, all immediately playable from the current
    /// position, that are to be avoided in the opinion of the EPD writer.” (EPD 5.3)
    Am "am" "5.3" OperandType::Moves;
    /// Best moves. “A set of zero or more moves, all immediately playable from the current
    /// position, that are judged to the best available by the EPD writer.” (EPD 5.4)
    Bm "bm" "5.4" OperandType::Moves;
    /// Comment register 0. “A top level comment that applies to the given position. It is the first
    /// of ten ranked comments”: setting one clears its own rank and those of higher rank first.
    /// (EPD 5.5)
    C0 "c0" "5.5" OperandType::Register;
    C1 "c1" "5.5" OperandType::Register;
    C2 "c2" "5.5" OperandType::Register;
    C3 "c3" "5.5" OperandType::Register;
    C4 "c4" "5.5" OperandType::Register;
    C5 "c5" "5.5" OperandType::Register;
    C6 "c6" "5.5" OperandType::Register;
    C7 "c7" "5.5" OperandType::Register;
    C8 "c8" "5.5" OperandType::Register;
    C9 "c9" "5.5" OperandType::Register;
    /// Centipawn evaluation. “An evaluation of the position from the viewpoint of the active
    /// player; i.e., the player with the move”, from -32767 to 32766. See [`Centipawns`]. (EPD 5.6)
    Ce "ce" "5.6" OperandType::Evaluation;
    /// Direct mate. “The number of fullmoves until checkmate is to be delivered by the active
    /// color”, a positive integer. (EPD 5.7)
    Dm "dm" "5.7" number(1, MOST);
    /// “A draw offer made after the move that lead to the indicated position is accepted by the
    /// active player.” (EPD 5.8)
    DrawAccept "draw_accept" "5.8" OperandType::Nothing;
    /// “Claim by the active player that a draw exists. […] A supplied move (see the opcode “sm”) is
    /// also required to appear as part of the same EPD record.” (EPD 5.9)
    DrawClaim "draw_claim" "5.9" OperandType::Nothing;
    /// “A draw is offered by the active player. A supplied move (see the opcode “sm”) is also
    /// required to appear as part of the same EPD record.” (EPD 5.10)
    DrawOffer "draw_offer" "5.10" OperandType::Nothing;
    /// “A draw offer made after the move that lead to the indicated position is rejected by the
    /// active player.” (EPD 5.11)
    DrawReject "draw_reject" "5.11" OperandType::Nothing;
    /// The ECO code (Encyclopedia of Chess Openings), a register: “If there is no operand, the ECO
    /// string register of the scanning program is set to null.” (EPD 5.12)
    Eco "eco" "5.12" OperandType::Register;
    /// Fullmove number. “It always takes a single operand that is the positive integer value of the
    /// move number.” (EPD 5.13)
    Fmvn "fmvn" "5.13" number(1, u32::MAX as i64);
    /// Halfmove clock: “the number of plies since the last pawn move or capture”, non-negative.
    /// (EPD 5.14)
    Hmvc "hmvc" "5.14" number(0, u32::MAX as i64);
    /// Position identification: “a simple identifying label for the indicated position”, one
    /// string. (EPD 5.15)
    Id "id" "5.15" OperandType::Text;
    /// The New In Chess code, a register like `eco`. (EPD 5.16)
    Nic "nic" "5.16" OperandType::Register;
    /// No operation. “It takes zero or more operands, each of which may be of any type. The
    /// operation involves no processing.” (EPD 5.17)
    Noop "noop" "5.17" OperandType::Any;
    /// Predicted move: one move, “judged by the EPD writer to represent the best move available to
    /// the active player”; equals the first move of a `pv` in the same record. (EPD 5.18)
    Pm "pm" "5.18" OperandType::Move;
    /// Predicted variation: “zero or more operands which represent a sequence of moves playable
    /// from the position”. (EPD 5.19)
    Pv "pv" "5.19" OperandType::Line;
    /// Repetition count: “the number of occurrences of the indicated position”, a positive integer.
    /// (EPD 5.20)
    Rc "rc" "5.20" number(1, MOST);
    /// “The active player has resigned the game.” (EPD 5.21)
    Resign "resign" "5.21" OperandType::Nothing;
    /// Supplied move: “the move to be played from the position”. (EPD 5.22)
    Sm "sm" "5.22" OperandType::Move;
    /// Telecommunication: game selector, a positive integer, “to select among various games in
    /// progress between the same sender and receiver”. (EPD 5.23)
    Tcgs "tcgs" "5.23" number(1, MOST);
    /// Telecommunication: receiver identification, “the e-mail address of the receiver of the EPD
    /// record” and “the name of the player (program or human) at the address”. (EPD 5.24)
    Tcri "tcri" "5.24" OperandType::TwoTexts;
    /// Telecommunication: sender identification, address and name as in `tcri`. (EPD 5.25)
    Tcsi "tcsi" "5.25" OperandType::TwoTexts;
    /// Variation name register 0. “A top level variation name that applies to the given position.
    /// It is the first of ten ranked variation names”: setting one clears its own rank and those of
    /// higher rank first. (EPD 5.26)
    V0 "v0" "5.26" OperandType::Register;
    V1 "v1" "5.26" OperandType::Register;
    V2 "v2" "5.26" OperandType::Register;
    V3 "v3" "5.26" OperandType::Register;
    V4 "v4" "5.26" OperandType::Register;
    V5 "v5" "5.26" OperandType::Register;
    V6 "v6" "5.26" OperandType::Register;
    V7 "v7" "5.26" OperandType::Register;
    V8 "v8" "5.26" OperandType::Register;
    V9 "v9" "5.26" OperandType::Register;
}

#[derive(Debug)]
struct OpcodeEntry {
    opcode: Opcode,
    name: &'static str,
    section: &'static str,
    operands: OperandType,
}

/// Unique for each opcode: its bytes and length; 0 for longer names, which are not opcodes.
const fn pack(name: &[u8]) -> u128 {
    if name.len() > 15 {
        return 0;
    }
    let mut packed = name.len() as u128;
    let mut index = 0;
    while index < name.len() {
        packed = packed << 8 | name[index] as u128;
        index += 1;
    }
    packed
}

impl Opcode {
    /// Number of opcodes.
    pub const COUNT: usize = ENTRIES.len();

    /// Returns all opcodes, in the ASCII order of their names.
    pub fn all() -> impl Iterator<Item = Opcode> {
        ENTRIES.iter().map(|entry| entry.opcode)
    }

    /// Returns the opcode with this index among all.
    pub(crate) fn at(index: usize) -> Self {
        ENTRIES[index].opcode
    }

    fn entry(self) -> &'static OpcodeEntry {
        &ENTRIES[self as usize]
    }

    /// Returns the name, such as `fmvn`.
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// Returns the section of the standard, or `None` for `acd`.
    pub fn section(self) -> Option<&'static str> {
        Some(self.entry().section).filter(|section| !section.is_empty())
    }

    /// Returns the operand type.
    pub fn operands(self) -> OperandType {
        self.entry().operands
    }
}

impl fmt::Display for Opcode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Whether the name is a letter followed by letters, digits and underscores.
pub fn is_opcode(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_that_of_the_standard_in_ascii_order() {
        let names: Vec<&str> = Opcode::all().map(Opcode::name).collect();
        assert!(names.is_sorted());
        assert_eq!(names.len(), 45);
        let sections: Vec<&str> = Opcode::all().filter_map(Opcode::section).collect();
        for number in 1..=26 {
            assert!(sections.contains(&&*format!("5.{number}")), "5.{number}");
        }
    }

    #[test]
    fn names_are_found_and_nothing_else() {
        for opcode in Opcode::all() {
            assert_eq!(Opcode::from_name(opcode.name()), Some(opcode));
        }
        for name in ["", "c", "c10", "C0", "fmvnn", "averyveryverylongname", "\0bm"] {
            assert_eq!(Opcode::from_name(name), None, "{name}");
        }
    }
}
