//! Games as values.
//!
//! * [`game`]: a game with its tags and positions, collected by [`game_sink`];
//!   [`game_identity`]: the tags that identify a game in messages;
//! * [`selected_games`]: the text of games, as it is or as a [`normal_game`] in [`move_lines`];
//!   [`pgn_sink`]: games of training data; [`evaluations`]: what an engine says of their positions;
//! * [`game_parts`]: a game larger than a chunk, in parts; [`game_result`]: result and ending;
//!   [`losses`]: what records cannot contain.

pub(crate) mod evaluations;
pub(crate) mod game;
pub(crate) mod game_form;
pub(crate) mod game_identity;
pub(crate) mod game_parts;
pub(crate) mod game_result;
pub(crate) mod game_sink;
pub(crate) mod losses;
pub(crate) mod move_lines;
pub(crate) mod normal_game;
pub(crate) mod opening_tags;
pub(crate) mod pgn_sink;
pub(crate) mod selected_games;
