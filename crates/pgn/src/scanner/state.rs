//! The state in which a scanner reaches the end of its bytes, and what may follow them.

use stream::chunk::NextInput;

use super::phase::Phase;

/// How a game that follows a cut seems to begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameStart {
    /// A line that begins with an `Event` tag pair.
    Event,
    /// A line that begins with another tag pair.
    Tag,
    /// A line that begins with a move number.
    Number,
}

/// Scanner state at the end of the input slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScannerState {
    BetweenGames,
    /// Comments before a game; they belong to it if it has no tags.
    Preamble,
    Tags {
        blank_line: bool,
    },
    /// A comment in the tag section; the text after it decides whether it precedes the movetext.
    TagComment {
        blank_line: bool,
    },
    /// After such a comment, before the text that decides.
    AfterTagComment {
        blank_line: bool,
    },
    Movetext {
        depth: u32,
        blank_line: bool,
        has_moves: bool,
    },
    AfterResult {
        depth: u32,
        blank_line: bool,
    },
    Comment {
        phase: Phase,
        depth: u32,
        blank_line: bool,
        has_moves: bool,
    },
}

impl ScannerState {
    /// Whether no game had begun at the end of the bytes.
    pub(crate) fn is_outside(self) -> bool {
        matches!(
            self,
            ScannerState::BetweenGames
                | ScannerState::Preamble
                | ScannerState::Comment { phase: Phase::BetweenGames, .. }
        )
    }

    /// Whether nothing that follows can belong to the unfinished construct. Repeats the scanner's
    /// rules for the beginning of a game, restricted to the few possible followers.
    pub(crate) fn is_complete_before(self, next_input: NextInput<GameStart>) -> bool {
        match (self, next_input) {
            (_, NextInput::End) => true,
            // The last word of a truncated game may be torn and read as a different move.
            (
                ScannerState::AfterResult { .. }
                | ScannerState::Comment { phase: Phase::AfterResult, .. },
                NextInput::Fault,
            ) => true,
            (end_state, NextInput::Fault) => end_state.is_outside(),
            (_, NextInput::Anything) => false,
            (ScannerState::Comment { .. } | ScannerState::TagComment { .. }, _) => false,
            (ScannerState::BetweenGames, _) => true,
            // The comments belong to the next game, or are reported with it.
            (ScannerState::Preamble, _) => false,
            (
                ScannerState::Tags { blank_line } | ScannerState::AfterTagComment { blank_line },
                next_input,
            ) => blank_line && next_input == NextInput::Item(GameStart::Event),
            (ScannerState::Movetext { .. }, next_input) => {
                next_input != NextInput::Item(GameStart::Number)
            }
            (ScannerState::AfterResult { depth, .. }, next_input) => {
                next_input != NextInput::Item(GameStart::Number) || depth == 0
            }
        }
    }
}
