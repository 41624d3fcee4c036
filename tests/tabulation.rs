//! Each row corresponds to one record of a conversion, and has the same values as templates.

use pgn2epd::options::OnError;
use pgn2epd::table::{Column, Fact, Rows};
use pgn2epd::{Conversion, Options};
use testkit::generate::{Generator, Style};

use crate::support::{convert, fixture, jobs};

/// A table by columns; `None` is a missing value.
pub(crate) type Table = Vec<Vec<Option<String>>>;

pub(crate) fn tabulate(pgn: &[u8], columns: &[Column], options: &Options) -> Table {
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
    conversion.input(pgn, &mut ()).unwrap();
    conversion.finish().unwrap();
    table
}

fn named(names: &[(&str, &str)]) -> Options {
    Options::from_names(names.iter().copied()).unwrap()
}

/// The same games twice, so that selections have an effect, with bad games between them.
fn games() -> Vec<u8> {
    let bad = fixture("bad.pgn");
    let mut pgn = Vec::new();
    for style in Style::ALL {
        pgn.extend(Generator::text(style, 7, 12_000));
        pgn.extend_from_slice(b"\n\n");
        pgn.extend_from_slice(&bad);
        pgn.extend_from_slice(b"\n\n");
    }
    pgn.extend(pgn.clone());
    pgn
}

#[test]
fn there_is_a_row_for_each_record() {
    let pgn = games();
    let cases: [&[(&str, &str)]; 14] = [
        &[],
        &[("format", "fen")],
        &[("format", "crafty"), ("ops", "eco,sm"), ("registers", "full")],
        &[("ops", "none")],
        &[("ops", "ce,rc,sm"), ("add", "c9={Result}"), ("add", "id={game}.{ply}")],
        &[("ply", "8..24"), ("last", "true")],
        &[("unique", "true"), ("ep", "legal")],
        &[("skip", "7"), ("limit", "100")],
        &[("sample", "50"), ("seed", "3")],
        &[("where", "WhiteElo >= 1500 and ply > 5")],
        &[("preset", "tuning")],
        &[("format", "bracket"), ("conflicts", "drop")],
        &[("variations", "true")],
        &[("on-error", "skip"), ("names", "tags")],
    ];
    for case in cases {
        let expected = convert(&pgn, &named(case).jobs(jobs(1)));
        for (threads, chunk_bytes) in [(1, 1 << 20), (1, 900), (3, 5000)] {
            let options = named(case).jobs(jobs(threads)).chunk_bytes(chunk_bytes);
            let columns = [Column::Fact(Fact::Ply), Column::Fact(Fact::Record)];
            let table = tabulate(&pgn, &columns, &options);
            let records: Vec<&str> = table[1].iter().flatten().map(String::as_str).collect();
            assert!(records == expected.lines(), "{case:?}, -j {threads}, {chunk_bytes} bytes");
            assert_eq!(table[0].len(), records.len(), "{case:?}");
        }
    }
}

#[test]
fn columns_equal_templates() {
    let pgn = games();
    let facts =
        ["clock", "eval", "fen", "file", "game", "line", "move", "ply", "san", "turn", "uci"];
    let tags = ["White", "Result", "WhiteElo", "Annotator"];
    for name in facts.into_iter().chain(tags) {
        let template = format!("Aa={{{name}|-}}");
        for case in [&[][..], &[("skip", "1")], &[("variations", "true")]] {
            let mut with_template =
                vec![("add", &*template), ("registers", "off"), ("ops", "none")];
            with_template.extend_from_slice(case);
            let mut options = named(&with_template);
            options.file = "games.pgn".to_owned();
            let lines = convert(&pgn, &options);
            let said = lines.lines().into_iter().map(|line| {
                let operand = line.split(" Aa ").nth(1).unwrap().split(';').next().unwrap();
                Some(operand.trim_matches('"').to_owned()).filter(|text| text != "-")
            });
            let options = named(case).chunk_bytes(3000);
            let table = tabulate(&pgn, &[name.parse().unwrap()], &options);
            // Strings in records cannot contain quotes.
            let columns = table[0].iter().map(|cell| Some(cell.as_ref()?.replace('"', "'")));
            assert!(columns.eq(said), "{name}, {case:?}");
        }
    }
}

#[test]
fn the_opening_equals_the_registers() {
    let pgn = games();
    let columns =
        [Column::Fact(Fact::Eco), Column::Fact(Fact::Opening), Column::Fact(Fact::Record)];
    let table = tabulate(&pgn, &columns, &named(&[("registers", "full"), ("ops", "eco,v")]));
    let alone = tabulate(&pgn, &columns[..2], &named(&[]));
    assert_eq!(alone[..], table[..2]);
    let mut seen = 0;
    for ((eco, opening), record) in table[0].iter().zip(&table[1]).zip(table[2].iter().flatten()) {
        let operand = |opcode: &str| record.split(opcode).nth(1)?.split('"').next();
        assert_eq!(eco.as_deref(), operand(" eco \""), "{record}");
        let opening = opening.as_deref().unwrap_or_default();
        assert!(opening.starts_with(operand(" v0 \"").unwrap_or_default()), "{record}");
        seen += usize::from(!opening.is_empty());
    }
    assert!(seen > 100);
}

#[test]
fn keys_and_variants_have_rows() {
    let pgn = b"1. e4 *\n\n[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 *";
    let columns = [Fact::Key, Fact::Epd, Fact::San, Fact::Uci, Fact::Game].map(Column::Fact);
    let table = tabulate(pgn, &columns, &Options::default());
    assert_eq!(table[0][0], Some("463b96181691fc9c".to_owned()), "Polyglot's own example");
    assert_eq!(table[0][2..], [const { None }; 4]);
    let last = "rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR[P] b KQkq -";
    assert_eq!(table[1][5].as_deref(), Some(last));
    let moves = |column: usize| table[column][2..].iter().map(Option::as_deref);
    assert!(moves(2).eq([Some("e4"), Some("d5"), Some("exd5"), None]));
    assert!(moves(3).eq([Some("e2e4"), Some("d7d5"), Some("e4d5"), None]));
    assert_eq!(table[4].iter().flatten().map(String::as_str).collect::<String>(), "112222");
}

#[test]
fn the_consumer_can_stop_early() {
    let pgn = games();
    let mut pieces = 0;
    let options = Options::default().chunk_bytes(2000).on_error(OnError::Keep);
    let mut conversion = Conversion::to_rows(&[Column::Fact(Fact::Ply)], &options, |_| {
        pieces += 1;
        Err(std::io::ErrorKind::BrokenPipe.into())
    });
    assert!(conversion.input(&pgn[..], &mut ()).is_err());
    drop(conversion);
    assert_eq!(pieces, 1);
}
