//! Parses lines into records. Errors are reported as [faults](crate::EpdDiagnostic) with their location;
//! text with exactly one reading is accepted.
//!
//! [`line`] parses a line of any dialect and reports every fault: first its [`fields`], or those of
//! a [`variant`], then its [`operations`] one by one; the checker parses their [`operands`]. A
//! [`record_ref`] borrows from its line, so that only strings with [`escapes`] are copied.
//! [`to_record`] converts it to a record in normal form, and [`repair`] decides whether that form
//! can replace the line. [`spacing`] recovers fields with missing or extra spaces; [`text`] splits
//! a line into words.

pub(crate) mod escapes;
pub(crate) mod fields;
pub(crate) mod line;
pub(crate) mod operands;
pub(crate) mod operations;
pub(crate) mod record_ref;
pub(crate) mod repair;
mod spacing;
pub(crate) mod text;
mod to_record;
mod variant;
