//! Properties that hold for any file.

use openings::{FileFormat, Openings};
use proptest::prelude::*;

proptest! {
    #[test]
    fn whatever_the_bytes_a_file_is_read_or_refused(file in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = Openings::default().layer(&file);
    }

    #[test]
    fn what_looks_like_a_table_is_read_or_refused(
        start in "(\\[|\"|A00\t|A00a \"|4k3/8/8/8/8/8/8/4K3 w - - |eco\tname\tpgn\n|1\\. )",
        rest in "([ \t\n;\",*]|eco|A00|e4|e5|1\\.|x|\\]|c0|v1|\\[|\\{|\\}){0,40}",
    ) {
        let file = format!("{start}{rest}");
        let format = FileFormat::of(file.as_bytes());
        if let Ok(read) = Openings::default().layer(file.as_bytes()) {
            prop_assert_eq!(Some(read), format);
        }
    }
}
