//! Records of the positions of a tree as text, ready to be copied.

use epd::{FMVN, HMVC};
use san::{Buffer, FieldStyle, Line, MoveText, Position, san_of, write_fields};

use crate::move_tree::MoveTree;
use crate::name::Name;
use crate::opening::{Opening, OpeningChange};

/// What records have besides the names of openings and the move played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordStyle {
    /// The style of the four fields.
    pub fields: FieldStyle,
    /// Whether they have the number of the move (`fmvn`).
    pub fullmoves: bool,
    /// Whether they have the halfmove clock (`hmvc`).
    pub halfmoves: bool,
}

/// The record of each node of a [`MoveTree`], without the move played.
#[derive(Clone, Debug)]
pub(crate) struct StoredRecords {
    pub(crate) style: RecordStyle,
    records: Vec<Stored>,
    /// The records, padded at the end.
    text: Vec<u8>,
}

/// Where the text of a record is.
#[derive(Clone, Copy, Debug)]
struct Stored {
    at: u32,
    /// Length of the text before the move played; 0 if the record is not stored.
    start: u8,
    /// Length of the text after it.
    rest: u8,
    changes_opening: bool,
    /// The move that leads to the position.
    san: MoveText,
}

/// Number of bytes copied at once: more than most records have before the move, and after it.
const START: usize = 96;
const REST: usize = 48;

/// Size of ` sm Qa1xb2+;` and the line end, in bytes.
const MOVE: usize = 13;

/// The record of a position of the tree, without the move played. Only valid if the registers of
/// the reader have the opening of the position before it.
#[derive(Clone, Copy, Debug)]
pub struct StoredRecord<'n> {
    stored: &'n Stored,
    /// The text from the record on.
    text: &'n [u8],
    /// The move played from it, if that is in the tree.
    san: Option<&'n MoveText>,
}

impl StoredRecords {
    pub(crate) fn new(tree: &MoveTree, names: &[Name], style: RecordStyle) -> Self {
        // The root is not stored: which registers its record clears depends on the game before.
        let empty =
            Stored { at: 0, start: 0, rest: 0, changes_opening: false, san: MoveText::NULL };
        let mut stored =
            StoredRecords { style, records: vec![empty; tree.len()], text: Vec::new() };
        let mut open = vec![(0, Position::default())];
        while let Some((node, position)) = open.pop() {
            let held = tree.opening(node, names);
            for (child, played) in tree.children(node) {
                let mut after = position.clone();
                after.play_unchecked(played);
                let opening = tree.opening(child, names);
                stored.records[child as usize] = Stored {
                    san: san_of(&position, played),
                    ..stored.add(&after, &held, &opening)
                };
                open.push((child, after));
            }
        }
        stored.text.extend([0; 2 * (START + REST)]);
        stored
    }

    /// Adds the record of a position at which the opening changes from `held`.
    fn add(&mut self, position: &Position, held: &Opening<'_>, opening: &Opening<'_>) -> Stored {
        let change = OpeningChange::between(held, opening);
        let mut record = Buffer::default();
        let mut line = record.line();
        write_fields(position, self.style.fields, &mut line);
        line.finish();
        record.extend(if change.eco { opening.eco_operation() } else { "" }.as_bytes());
        let mut line = record.line();
        if self.style.fullmoves {
            FMVN.write(position.fullmoves(), &mut line);
        }
        if self.style.halfmoves {
            HMVC.write(position.halfmoves(), &mut line);
        }
        line.finish();
        record.extend(if change.nic { opening.nic_operation() } else { "" }.as_bytes());
        let start = record.len();
        record.extend(change.parts(opening).concat().as_bytes());
        let rest = record.len() - start;
        let at = self.text.len() as u32;
        let changes_opening = change.eco || change.nic || change.parts;
        // A longer one is written by the general code.
        let fits = start <= 2 * START && rest <= 2 * REST && record.len() + MOVE <= Line::CAPACITY;
        let (start, rest) = if fits { (start as u8, rest as u8) } else { (0, 0) };
        self.text.extend(if fits { record.as_bytes() } else { b"" });
        Stored { at, start, rest, changes_opening, san: MoveText::NULL }
    }

    /// Returns the record of a node; `next` is the node after the move played from it.
    #[inline]
    pub(crate) fn record(&self, node: u32, next: Option<u32>) -> Option<StoredRecord<'_>> {
        let stored = &self.records[node as usize];
        let san = next.map(|next| &self.records[next as usize].san);
        (stored.start > 0).then(|| StoredRecord {
            stored,
            text: &self.text[stored.at as usize..],
            san,
        })
    }
}

impl StoredRecord<'_> {
    /// Whether the opening differs from that of the position before it.
    #[inline]
    pub fn changes_opening(&self) -> bool {
        self.stored.changes_opening
    }

    /// Returns the move played, if it is stored.
    #[inline(always)]
    pub fn san(&self) -> Option<&MoveText> {
        self.san
    }

    /// Writes what comes before the move played.
    #[inline(always)]
    pub fn write_start(&self, line: &mut Line<'_>) {
        copy::<START>(self.text, self.stored.start, line);
    }

    /// Writes what comes after the move played.
    #[inline(always)]
    pub fn write_rest(&self, line: &mut Line<'_>) {
        if self.stored.rest > 0 {
            copy::<REST>(&self.text[usize::from(self.stored.start)..], self.stored.rest, line);
        }
    }
}

/// Writes the first `len` bytes of a text, at most twice `N`.
#[inline(always)]
fn copy<const N: usize>(text: &[u8], len: u8, line: &mut Line<'_>) {
    let (first, second) = text.split_first_chunk::<N>().expect("the text is padded");
    let len = usize::from(len);
    line.text_of_len(first, len.min(N));
    if len > N {
        line.text_of_len(second.first_chunk::<N>().expect("the text is padded"), len - N);
    }
}
