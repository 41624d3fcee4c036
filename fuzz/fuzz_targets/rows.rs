//! Tables have a row for each record, and the cells have the values written by templates.
#![no_main]

use std::num::NonZeroUsize;

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use pgn2epd::options::{
    EnPassantPolicy, Format, NameSource, OnError, OpList, Plies, Preference, RegisterStyle,
};
use pgn2epd::table::{Column, Fact, FactPlace, Rows};
use pgn2epd::{Conversion, Options, convert};
use pgn2epd_fuzz::Game;

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    games: Vec<Game<'a>>,
    raw: &'a [u8],
    column: u8,
    tag: Option<&'a str>,
    format: u8,
    registers: u8,
    en_passant: u8,
    names: u8,
    on_error: u8,
    unique: bool,
    skip: u8,
    limit: Option<u8>,
    sample: Option<u8>,
    variations: bool,
    only_final: bool,
    first_ply: u8,
    chunk_bytes: u8,
}

fn one_of<T: Copy>(choice: u8, of: &[T]) -> T {
    of[usize::from(choice) % of.len()]
}

impl Input<'_> {
    fn options(&self) -> Options {
        Options::default()
            .format(one_of(self.format, &[Format::Epd, Format::Fen, Format::Crafty]))
            .registers(Some(one_of(
                self.registers,
                &[RegisterStyle::Delta, RegisterStyle::Full, RegisterStyle::Off],
            )))
            .en_passant(one_of(
                self.en_passant,
                &[EnPassantPolicy::Always, EnPassantPolicy::Pseudo, EnPassantPolicy::Legal],
            ))
            .names(match self.names % 3 {
                0 => NameSource::Tags,
                1 => NameSource::Off,
                _ => Options::default().names,
            })
            .on_error(one_of(self.on_error, &[OnError::Keep, OnError::Skip, OnError::Stop]))
            .unique(self.unique.then_some(Preference::First))
            .skip(self.skip.into())
            .limit(self.limit.map(u64::from))
            .sample(self.sample.map(u64::from))
            .seed(1)
            .variations(self.variations)
            .only_final(self.only_final)
            .plies(Plies { first: u32::from(self.first_ply % 8), ..Plies::ALL })
            .input("pgn".parse().ok())
            .file("games.pgn".into())
    }
}

fn text(games: &[u8], options: &Options) -> Vec<String> {
    let mut output = Vec::new();
    let options = options.clone().jobs(NonZeroUsize::new(1));
    convert(games, &mut output, &options).expect("memory can be read and written");
    String::from_utf8(output).expect("records are UTF-8").lines().map(str::to_owned).collect()
}

/// The cells of each column.
fn table(games: &[u8], columns: &[Column], options: &Options) -> Vec<Vec<Option<String>>> {
    let mut table = vec![Vec::new(); columns.len()];
    let mut conversion = Conversion::to_rows(columns, options, |rows: Rows| {
        for (column, cells) in rows.columns.iter().zip(&mut table) {
            for row in 0..rows.len() {
                cells.push(column.cell_text(row));
            }
        }
        Ok(())
    });
    conversion.name_input("games.pgn");
    conversion.input(games, &mut ()).expect("it is in memory");
    let positions = conversion.finish().expect("it is in memory").positions;
    assert!(table.iter().all(|cells| cells.len() as u64 == positions));
    table
}

/// Whether a string operand has this text unchanged.
fn is_kept(text: &str) -> bool {
    let is_word = |word: &str| {
        !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'"')
    };
    text.split(' ').all(is_word)
}

fuzz_target!(|input: Input<'_>| {
    let mut games = input.raw.to_vec();
    games.extend_from_slice(b"\n\n");
    for game in input.games.iter().take(6) {
        games.extend(game.write(40).text.bytes());
    }
    if games.contains(&0) || games.to_ascii_lowercase().windows(7).any(|word| word == b"variant") {
        return;
    }
    // Other encodings and compressed texts are tested by the target `source`.
    games.insert(0, b'\n');
    let options = input.options();
    let cut =
        options.clone().jobs(NonZeroUsize::new(2)).chunk_bytes(1 + usize::from(input.chunk_bytes));
    let fact = |name: &str| name.parse::<Column>().expect("it is a fact");
    let columns = [fact("ply"), fact("record"), Column::Tags, fact("epd")];
    let whole = table(&games, &columns, &options);
    assert_eq!(table(&games, &columns, &cut), whole);
    assert!(whole[1].iter().flatten().eq(&text(&games, &options)));

    let is_in_templates = |fact: &Fact| fact.is_available_in(FactPlace::Template);
    let facts: Vec<String> =
        Fact::all().filter(is_in_templates).map(|fact| fact.to_string()).collect();
    let fact = &facts[usize::from(input.column) % facts.len()];
    let name = input.tag.unwrap_or(fact);
    let (Ok(column), Ok(template)) = (name.parse::<Column>(), format!("Aa=<{{{name}|-}}>").parse())
    else {
        return;
    };
    // Games do not have the operations of records.
    if column.operation().is_some() {
        return;
    }
    let with_template = options
        .clone()
        .format(Format::Epd)
        .ops(Some(OpList::NONE))
        .templates(vec![template])
        .registers(Some(RegisterStyle::Off));
    let lines = text(&games, &with_template);
    let cells = &table(&games, &[column], &cut)[0];
    assert_eq!(lines.len(), cells.len());
    for (line, cell) in lines.iter().zip(cells) {
        let said = line
            .split_once(" Aa \"<")
            .and_then(|(_, rest)| rest.rsplit_once(">\""))
            .map(|(said, _)| said);
        // A string in a record has at most 255 bytes, without quotes and control characters.
        let Some(said) = said else { continue };
        match cell {
            None => assert_eq!(said, "-", "{name}: {line}"),
            Some(text) if is_kept(text) => assert_eq!(said, text, "{line}"),
            Some(_) => {}
        }
    }
});
