//! Data sets: records shuffled, divided among files, and one of equal positions, in bounded memory.

use std::collections::HashMap;

use pgn2epd::game::OutputCounts;
use pgn2epd::options::{EnPassantPolicy, Format, Keyword, Preference, RegisterStyle};
use pgn2epd::table::TableFormat;
use pgn2epd::training::TrainingFormat;
use pgn2epd::{Conversion, Options, Summary};
use testkit::generate::{Generator, Style};

use crate::folders;
use crate::support::{convert, fixture, jobs};

fn games() -> Vec<u8> {
    Generator::text(Style::Lichess, 5, 60_000)
}

/// Games with evaluations, of which several reach the same positions.
fn evaluated() -> Vec<u8> {
    let mut pgn = Generator::text(Style::Lichess, 21, 30_000);
    pgn.extend(fixture("engines.pgn"));
    for result in ["1-0", "0-1", "1-0", "1/2-1/2"] {
        let elo = 2000 + result.len() * 100;
        let moves = "1. e4 {+0.10/12 1s} e5 {-0.20/15 1s} 2. Nf3 {+0.30/9 1s}";
        let tags = format!("[WhiteElo \"{elo}\"]\n[BlackElo \"{elo}\"]\n[Result \"{result}\"]");
        pgn.extend(format!("\n\n{tags}\n\n{moves} {result}\n").into_bytes());
    }
    pgn
}

fn fens() -> Options {
    Options::default().format(Format::Fen).en_passant(EnPassantPolicy::Legal)
}

/// The outputs of a conversion, and its totals.
struct Outputs {
    texts: Vec<Vec<u8>>,
    summary: Summary,
    counts: Vec<OutputCounts>,
}

impl Outputs {
    fn lines(&self, index: usize) -> Vec<&str> {
        std::str::from_utf8(&self.texts[index]).unwrap().lines().collect()
    }
}

fn convert_to(pgn: &[u8], options: &Options) -> Outputs {
    let Some(split) = &options.split else {
        let mut text = Vec::new();
        let mut conversion = Conversion::new(&mut text, options);
        conversion.input(pgn, &mut ()).unwrap();
        let summary = conversion.finish().unwrap();
        let mut counts = OutputCounts::default();
        (counts.positions, counts.bytes) = (summary.positions, text.len() as u64);
        return Outputs { texts: vec![text], summary, counts: vec![counts] };
    };
    let folder = folders::convert_to(pgn, options);
    let (mut texts, mut counts) = (Vec::new(), Vec::new());
    for part in split.names() {
        let of_part = folder.counts.iter().find(|(name, _)| name.starts_with(part));
        texts.push(of_part.map(|(name, _)| folder.files[name].clone()).unwrap_or_default());
        counts.push(of_part.map(|(_, counts)| *counts).unwrap_or_default());
    }
    Outputs { texts, summary: folder.summary, counts }
}

/// The outputs do not depend on memory, threads and chunks.
#[track_caller]
fn convert_all_ways(pgn: &[u8], options: &Options) -> Outputs {
    let expected = convert_to(pgn, &options.clone().jobs(jobs(1)));
    let ways = [
        (1, 1, 256 << 10),
        (2_000, 3, 3_000),
        (60_000, 2, 700),
        (1 << 20, 3, 20_000),
        (1 << 30, 2, 900),
    ];
    for (memory, threads, chunk_bytes) in ways {
        let options = options.clone().memory(memory).jobs(jobs(threads)).chunk_bytes(chunk_bytes);
        let found = convert_to(pgn, &options);
        let way = format!("{memory} bytes, {threads} threads, chunks of {chunk_bytes} bytes");
        assert!(found.texts == expected.texts, "{way}");
        assert_eq!(found.counts, expected.counts, "{way}");
        assert_eq!(found.summary.positions, expected.summary.positions, "{way}");
        // Once the limit is reached, the rest is read only if records are stored.
        if options.limit.is_none() {
            assert_eq!(found.summary.duplicates, expected.summary.duplicates, "{way}");
        }
        assert_eq!(found.summary.bytes_written, expected.summary.bytes_written, "{way}");
    }
    let counted: u64 = expected.counts.iter().map(|counts| counts.positions).sum();
    assert_eq!(counted, expected.summary.positions);
    let bytes: u64 = expected.counts.iter().map(|counts| counts.bytes).sum();
    assert_eq!(bytes, expected.summary.bytes_written);
    expected
}

fn sorted<T: Ord>(mut items: Vec<T>) -> Vec<T> {
    items.sort();
    items
}

#[test]
fn the_order_of_a_shuffle_depends_on_the_seed() {
    let pgn = games();
    let [one, two] = [1, 2].map(|seed| convert_all_ways(&pgn, &fens().shuffle(true).seed(seed)));
    assert_ne!(one.texts, two.texts);
    assert_ne!(one.texts[0], convert(&pgn, &fens()).output);
    assert_eq!(sorted(one.lines(0)), sorted(two.lines(0)));
}

#[test]
fn every_record_is_equally_likely_at_every_place() {
    let seeds = u64::from(testkit::shared::cases(4_000));
    let pgn = b"1. e4 e5 2. Nf3 Nc6 3. Bb5 *";
    let all = convert(pgn, &fens());
    let records = all.lines();
    for options in [fens(), fens().unique(Some(Preference::First))] {
        let mut counts: HashMap<(usize, usize), u32> = HashMap::new();
        for seed in 0..seeds {
            let shuffled = convert_to(pgn, &options.clone().shuffle(true).seed(seed));
            for (place, record) in shuffled.lines(0).iter().enumerate() {
                let number = records.iter().position(|other| other == record).unwrap();
                *counts.entry((number, place)).or_default() += 1;
            }
        }
        assert_eq!(counts.len(), records.len() * records.len());
        let expected = seeds as f64 / records.len() as f64;
        for (place, count) in counts {
            // Five standard deviations.
            let difference = (f64::from(count) - expected).abs();
            assert!(difference < 5.0 * expected.sqrt(), "{place:?}: {count}");
        }
    }
}

#[test]
fn a_sample_is_selected_before_it_is_shuffled() {
    let pgn = games();
    let sample = fens().sample(Some(40)).seed(3);
    for options in [sample.clone(), sample.unique(Some(Preference::First))] {
        let plain = convert_all_ways(&pgn, &options);
        let shuffled = convert_all_ways(&pgn, &options.clone().shuffle(true));
        assert_ne!(shuffled.lines(0), plain.lines(0));
        assert_eq!(sorted(shuffled.lines(0)), sorted(plain.lines(0)));
    }
}

#[test]
fn parts_depend_on_the_seed() {
    let options = |seed| fens().split(Some("a=0.5,b=0.5".parse().unwrap())).seed(seed);
    let [once, other] = [9, 10].map(|seed| convert_to(&games(), &options(seed)));
    assert_ne!(other.texts, once.texts);
    assert!(once.texts.iter().all(|text| !text.is_empty()));
}

#[test]
fn the_part_of_a_game_does_not_depend_on_the_ends_of_its_lines() {
    let pgn = String::from_utf8(games()).unwrap();
    for seed in 0..4 {
        let options = fens().split(Some("a=0.5,b=0.3,c=0.2".parse().unwrap())).seed(seed);
        let expected = convert_to(pgn.as_bytes(), &options).texts;
        for end in ["\r\n", "\r"] {
            let other = convert_to(pgn.replace('\n', end).as_bytes(), &options).texts;
            assert!(other == expected, "{seed} {end:?}");
        }
    }
}

#[test]
fn training_data_is_shuffled_and_divided_in_units() {
    let pgn = evaluated().repeat(3);
    let options_of = |format| {
        Options::from_names([("where", "not Variant")]).unwrap().format(Format::Training(format))
    };
    for format in TrainingFormat::ALL.iter().copied() {
        let decoded = |bytes: &[u8]| -> Vec<String> {
            let mut lines = Vec::new();
            pgn2epd::training::Entries::new(format, bytes).for_each(|entry| {
                lines.push(format!("{:?}", entry.unwrap()));
            });
            lines
        };
        let options = options_of(format);
        let all = convert(&pgn, &options);
        let shuffled = convert_all_ways(&pgn, &options.clone().shuffle(true));
        assert_ne!(shuffled.texts[0], all.output, "{format:?}");
        assert_eq!(sorted(decoded(&shuffled.texts[0])), sorted(decoded(&all.output)), "{format:?}");
        assert_eq!(shuffled.summary.positions, all.summary.positions, "{format:?}");
        let split = Some("a=0.5,b=0.5".parse().unwrap());
        let parts = convert_all_ways(&pgn, &options.split(split));
        let both: Vec<String> = parts.texts.iter().flat_map(|text| decoded(text)).collect();
        assert_eq!(sorted(both), sorted(decoded(&all.output)), "{format:?}");
        assert_eq!(parts.counts[0].positions, decoded(&parts.texts[0]).len() as u64, "{format:?}");
    }
}

#[test]
fn rows_of_tables_are_shuffled_and_divided() {
    let pgn = evaluated();
    let columns = "game,ply,fen,uci,eval,clock,White,nags,legal_moves,packed,check,record";
    let options = Options::default()
        .format(Format::Table(TableFormat::Csv))
        .columns(Some(columns.parse().unwrap()))
        .registers(Some(RegisterStyle::Off));
    let all = convert(&pgn, &options);
    let shuffled = convert_all_ways(&pgn, &options.clone().shuffle(true));
    assert_eq!(shuffled.lines(0)[0], all.lines()[0]);
    assert_ne!(shuffled.lines(0), all.lines());
    assert_eq!(sorted(shuffled.lines(0)), sorted(all.lines()));
    let split = Some("a=0.5,b=0.5".parse().unwrap());
    let parts = convert_all_ways(&pgn, &options.clone().split(split));
    let rows: Vec<&str> = (0..2).flat_map(|part| parts.lines(part).split_off(1)).collect();
    assert_eq!(sorted(rows), sorted(all.lines().split_off(1)));
    let unique = convert_all_ways(&pgn, &options.unique(Some(Preference::Deepest)));
    let positions = unique.summary.positions + unique.summary.duplicates;
    assert_eq!(positions, all.summary.positions);
}
