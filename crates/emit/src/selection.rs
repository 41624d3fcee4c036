//! Which games and positions are written.
//!
//! * [`filter`]: conditions on tags and facts, such as `WhiteElo >= 2400 and ply > 20`;
//! * [`omission`]: kinds of positions and games that are not written, such as checks;
//! * [`omits`]: whether a position or a game is of such a kind;
//! * [`ending`]: the way a game ended;
//! * [`omitted`]: how many positions and games were not written, by reason;
//! * [`select`]: the range of plies.
//!
//! The replay asks for each game and for each ply.

pub(crate) mod ending;
pub(crate) mod evaluation_range;
pub(crate) mod filter;
pub(crate) mod omission;
pub(crate) mod omits;
pub(crate) mod omitted;
pub(crate) mod select;
