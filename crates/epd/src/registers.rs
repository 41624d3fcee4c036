//! The string registers of a program that scans records (EPD 5.5, 5.12, 5.16, 5.26).
//!
//! * [`state`]: the register values, and the effect of an operation;
//! * [`scanner`]: reads records in sequence, with the register values after each;
//! * [`writer`]: the fewest operations that lead from one state to another;
//! * [`places`]: where the register operations of a record are in its text;
//! * [`keeper`]: omits records of a text while keeping the registers of the others correct.

pub(crate) mod keeper;
pub(crate) mod places;
pub(crate) mod scanner;
pub(crate) mod state;
pub(crate) mod writer;
