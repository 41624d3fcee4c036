//! Parses lines into records. Errors are reported as [faults](crate::EpdDiagnostic) with their
//! location; text with exactly one reading is accepted.
//!
//! [`line`] parses a line of any dialect and reports every fault: first its [`fields`] and the
//! [`position`] that they describe, or those of a [`variant`], then its [`operations`] one by one;
//! the checker parses their [`operands`]. A [`record_ref`] borrows from its line, so that only
//! strings with [`escapes`] are copied. [`plain`] finds operations of the form that programs write
//! without reading the others. [`to_record`] converts it to a record in normal form and the text
//! that cannot be read, which [`free_text`] tells from operations. [`spacing`] recovers fields with
//! missing or extra spaces; [`text`] splits a line into words, [`mates`] reads evaluations of other
//! programs, and [`look_alikes`] replaces characters that only look like those of ASCII.

pub(crate) mod escapes;
pub(crate) mod fields;
pub(crate) mod free_text;
pub(crate) mod line;
pub(crate) mod look_alikes;
pub(crate) mod mates;
pub(crate) mod operands;
pub(crate) mod operations;
pub(crate) mod plain;
mod position;
pub(crate) mod record_ref;
mod spacing;
pub(crate) mod text;
pub(crate) mod to_record;
pub(crate) mod variant;
