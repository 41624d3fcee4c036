//! Any opening table is read or refused, and its named positions are found.
#![no_main]

use libfuzzer_sys::fuzz_target;
use openings::{FileFormat, Openings};

fuzz_target!(|file: &[u8]| {
    let mut openings = Openings::default();
    let format = FileFormat::of(file);
    match openings.layer(file) {
        Ok(read) => assert_eq!(Some(read), format),
        Err(error) => assert!(error.line >= 1 && error.column >= 1, "{error}"),
    }
    let _ = openings.tree("").to_string();
});
