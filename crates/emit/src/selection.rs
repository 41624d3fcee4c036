//! Which games and positions are written.
//!
//! * [`filter`]: conditions on tags and facts, such as `WhiteElo >= 2400 and ply > 20`;
//! * [`exclude_positions`]: properties of a position, such as a check.
//!
//! The replay asks for each game and for each ply; [`Select`](crate::Select) is the range of plies.

pub(crate) mod exclude_positions;
pub(crate) mod filter;
