//! The functions of the Perl module return results or errors, and their results agree with each
//! other and with `--format perl`.
#![no_main]

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use pgn2epd::Options;
use pgn2epd::options::Format;
use pgn2epd::perl::{self, Code, FONT2MAP, Look, Tables, Taxonomy};

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    epd: &'a str,
    /// Indices of legal moves.
    choices: Vec<u8>,
    moves: &'a str,
    kind: Result<u8, &'a str>,
    border: &'a str,
    legend: bool,
    table: &'a str,
}

const KINDS: &[&str] = &["diagram", "text", "palview", "latex"];

/// Legal moves from the starting position.
fn legal(choices: &[u8]) -> Vec<String> {
    let mut position = san::Position::default();
    let mut moves = Vec::new();
    for choice in choices.iter().take(60) {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let next = legal[usize::from(*choice) % legal.len()];
        moves.push(san::san_of(&position, next).to_string());
        position.play_unchecked(next);
    }
    moves
}

fuzz_target!(|input: Input<'_>| {
    let moves = legal(&input.choices);
    let epds = perl::epdlist(&moves).expect("the moves are legal");
    assert_eq!(epds.len(), moves.len());
    let mut converted = Vec::new();
    let options = Options::default().format(Format::Perl);
    pgn2epd::convert((moves.join(" ") + " *").as_bytes(), &mut converted, &options)
        .expect("it is in memory");
    let converted = String::from_utf8(converted).expect("records are UTF-8");
    assert!(converted.lines().filter(|line| !line.is_empty()).eq(&epds));
    let all = perl::epdfromto(&moves).expect("the moves are legal");
    for (fromto, token) in all.iter().zip(&moves) {
        assert_eq!(fromto.castles.is_empty(), !token.starts_with('O'));
        assert_eq!(!fromto.promotion.is_empty(), token.contains('='));
    }
    let taxonomy = Taxonomy { all: true, ..Taxonomy::default() };
    assert_eq!(perl::epdtaxonomy(&moves, taxonomy).expect("the moves are legal").len(), 3);

    let tokens: Vec<&str> = input.moves.split(' ').collect();
    if let Ok(board) = perl::epdset(input.epd) {
        assert_eq!(perl::epdgetboard(input.epd), Ok(board.clone()));
        let squares =
            "PNBRQKpnbrqk".chars().map(|piece| perl::psquares(piece, board.squares()).count());
        assert_eq!(squares.sum::<usize>(), board.squares().iter().count());
        assert_eq!(board.epdlist(&tokens).is_ok(), board.epdfromto(&tokens).is_ok());
        for epd in board.epdlist(&tokens).unwrap_or_default() {
            perl::epdset(&epd).expect("it was written");
        }
        let kind = match input.kind {
            Ok(choice) => {
                let kinds: Vec<&str> =
                    KINDS.iter().copied().chain(FONT2MAP.iter().map(|(_, kind)| *kind)).collect();
                kinds[usize::from(choice) % kinds.len()]
            }
            Err(kind) => kind,
        };
        let legend = if input.legend { "yes" } else { "no" };
        let look = perl::look(input.border, input.border, legend);
        let rows = perl::epdstr(&board, kind, look);
        assert_eq!(rows, perl::epdstr(*board.squares(), kind, look));
        match rows {
            Ok(rows) => assert!((8..=12).contains(&rows.len()), "{kind}: {rows:?}"),
            Err(error) => assert!(input.kind.is_err(), "{kind}: {error}"),
        }
    }
    let _ = perl::epdstr(input.epd, "text", Look::default());
    let mut tables = Tables::default();
    if tables.load(Code::Nic, input.table).is_ok() {
        assert!(!tables.epdcode(Code::Nic, [input.epd]).is_empty());
    }
});
