//! Accepted variant positions are read back as they were written, every legal move is found, and a
//! condition on facts divides the records, in which templates have the values of those facts.
#![no_main]

use std::num::NonZeroUsize;

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use pgn2epd::options::{CastlingStyle, EnPassantPolicy, FieldStyle, RegisterStyle};
use pgn2epd::table::{Fact, FactKind, FactPlace};
use pgn2epd::{Options, Summary, convert};
use san::{AnyPosition, Variant, VariantPosition};
use shakmaty::Position as _;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, fen::Fen, variant::VariantPosition as Board};

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    variant: u8,
    start: u8,
    fen: Option<&'a str>,
    moves: Vec<u8>,
    /// Text after the moves.
    raw: &'a str,
    style: (u8, u8),
    chunk_bytes: u8,
    /// The fact in a template and a condition, and the sign and number of the condition.
    fact: u8,
    sign: u8,
    number: i16,
}

const VARIANTS: &[(Variant, &str)] = &[
    (Variant::Antichess, "Antichess"),
    (Variant::Atomic, "Atomic"),
    (Variant::Crazyhouse, "Crazyhouse"),
    (Variant::Horde, "Horde"),
    (Variant::KingOfTheHill, "King of the Hill"),
    (Variant::RacingKings, "Racing Kings"),
    (Variant::ThreeCheck, "Three-check"),
];

const STARTS: &[&str] = &[
    "",
    "4k3/P7/8/8/8/8/p7/4K3 w - - 0 1",
    "r3k2r/8/8/3pP3/8/8/8/R3K2R[QBNPqbnp] w KQkq d6 0 9",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 2+1 0 1",
    "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1",
];

fn run(text: &str, options: &Options, jobs: usize, chunk_bytes: usize) -> (String, Summary) {
    let options = options.clone().jobs(NonZeroUsize::new(jobs)).chunk_bytes(chunk_bytes);
    let mut output = Vec::new();
    let summary =
        convert(text.as_bytes(), &mut output, &options).expect("memory can be read and written");
    (String::from_utf8(output).expect("records are UTF-8"), summary)
}

/// The operation of the template where the fact has no value.
const NOTHING: &str = " Aa \"<->\";";

/// Whether the lines of `part` are lines of `all`, in order.
fn is_part(part: &str, all: &str) -> bool {
    let mut all = all.lines();
    part.lines().all(|line| all.any(|other| other == line))
}

fuzz_target!(|input: Input<'_>| {
    let (variant, name) = VARIANTS[usize::from(input.variant) % VARIANTS.len()];
    let start = input.fen.unwrap_or(STARTS[usize::from(input.start) % STARTS.len()]);
    let mut position = VariantPosition::start(variant);
    if !start.is_empty() {
        let Ok((read, false)) = VariantPosition::from_fen(variant, start.as_bytes()) else {
            return;
        };
        position = read;
    }
    let style = FieldStyle {
        castling: [CastlingStyle::XFen, CastlingStyle::Shredder][usize::from(input.style.0) % 2],
        en_passant: [EnPassantPolicy::Always, EnPassantPolicy::Pseudo, EnPassantPolicy::Legal]
            [usize::from(input.style.1) % 3],
    };
    let mut text = format!("[Variant \"{name}\"]\n");
    if !start.is_empty() {
        text += &format!("[FEN \"{}\"]\n", start.replace(['"', '\\', '\n', '\r'], "'"));
    }
    text += "\n";
    for choice in input.moves.iter().take(60) {
        let fields = position.fields(style);
        let (back, was_repaired) =
            VariantPosition::from_fen(variant, fields.as_bytes()).expect("it was written");
        assert!(!was_repaired, "{fields}");
        assert_eq!(back.fields(style), fields);
        let setup: Fen = fields.parse().expect("it was written");
        let mode = CastlingMode::detect(setup.as_setup());
        let Ok(board) = Board::from_setup(variant, setup.into_setup(), mode)
            .or_else(|error| error.ignore_too_much_material())
        else {
            panic!("{fields}");
        };
        let moves = board.legal_moves();
        if moves.is_empty() || board.is_game_over() {
            break;
        }
        let next = moves[usize::from(*choice) % moves.len()];
        let san = SanPlus::from_move(board, next).to_string();
        let found = position.resolve(san.as_bytes()).expect("it is legal");
        assert_eq!(position.san_of(found).to_string(), san);
        position.play(found);
        text += &format!("{san} ");
    }
    text += "\n\n";
    text += input.raw;
    text += "\n\n[Event \"x\"]\n\n1. e4 *\n";
    let options = Options::default().castling(style.castling).en_passant(style.en_passant);
    let whole = run(&text, &options, 1, 4 << 20);
    assert_eq!(run(&text, &options, 2, 1 + usize::from(input.chunk_bytes)), whole);

    // The values of a fact as text, and a condition on it.
    let places = [FactPlace::Condition, FactPlace::Template];
    let is_in_both = |fact: &Fact| places.iter().all(|place| fact.is_available_in(*place));
    let facts: Vec<Fact> = Fact::all().filter(is_in_both).collect();
    let fact = facts[usize::from(input.fact) % facts.len()];
    let template = format!("Aa=<{{{fact}|-}}>").parse().expect("it is a template");
    let options = options.templates(vec![template]).registers(Some(RegisterStyle::Off));
    let (all, _) = run(&text, &options, 1, 4 << 20);
    let condition = match input.sign % 8 {
        0 => fact.to_string(),
        1 => format!("{fact} ~ \"{}\"", input.number),
        sign => {
            let signs = ["=", "!=", "<", "<=", ">", ">="];
            format!("{fact} {} {}", signs[usize::from(sign) - 2], input.number)
        }
    };
    let (Ok(yes), Ok(no)) = (condition.parse(), format!("not ({condition})").parse()) else {
        return;
    };
    let [yes, no] =
        [yes, no].map(|filter| run(&text, &options.clone().filter(Some(filter)), 1, 4 << 20).0);
    assert!(is_part(&yes, &all) && is_part(&no, &all), "{condition}");
    assert_eq!(yes.lines().count() + no.lines().count(), all.lines().count(), "{condition}");
    // A fact alone is true where it has a value, unless it is true or false.
    if input.sign % 8 == 0 && fact.kind() != FactKind::Truth {
        assert!(yes.lines().all(|line| !line.contains(NOTHING)), "{condition}: {yes}");
        assert!(no.lines().all(|line| line.contains(NOTHING)), "{condition}: {no}");
    }
});
