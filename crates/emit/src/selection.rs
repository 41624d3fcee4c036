//! Which games and positions are written.
//!
//! * [`filter`]: conditions on tags and facts, such as `WhiteElo >= 2400 and ply > 20`;
//! * [`exclude_positions`]: properties of a position, such as a check;
//! * [`exclude_games`]: the way a game ended;
//! * [`omitted`]: how many positions and games were excluded, by reason.
//!
//! The replay asks for each game and for each ply; [`Select`](crate::Select) is the range of plies.

pub(crate) mod exclude_games;
pub(crate) mod exclude_positions;
pub(crate) mod filter;
pub(crate) mod omitted;
