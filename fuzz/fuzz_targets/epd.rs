//! For any line, its problems are inside the line, and the record is written and read back
//! unchanged.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pgn2epd::epd::{Dialect, Line, ReadOptions, Record, Registers, read_line};
use pgn2epd::options::Keyword;

fuzz_target!(|line: &str| {
    for dialect in std::iter::once(None).chain(Dialect::ALL.iter().copied().map(Some)) {
        let options = ReadOptions { dialect, ..ReadOptions::default() };
        let read = read_line(line, &options, &mut |fault| {
            assert!(line.get(fault.at.clone()).is_some(), "{fault:?}");
            assert!(fault.column(line) > 0 && !fault.kind.to_string().is_empty());
        });
        let Line::Record(read) = read else { continue };
        Registers::default().read(&read);
        let text = read.to_record().to_string();
        let standard = ReadOptions { dialect: Some(Dialect::Standard), ..ReadOptions::default() };
        let Line::Record(back) = read_line(&text, &standard, &mut |_| {}) else {
            panic!("{text}");
        };
        assert_eq!(back.to_record().to_string(), text);
        if let Ok(record) = text.parse::<Record>() {
            assert_eq!(record.to_string(), text);
        }
    }
});
