//! Positions with the result of their game, for tuning programs.
//!
//! * [`label_form`]: the formats; [`label`]: the text of a position in each.

pub(crate) mod label;
pub(crate) mod label_form;
