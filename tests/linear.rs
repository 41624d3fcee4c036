//! The time of a conversion grows no faster than a game, whatever its text repeats.

use pgn2epd::Options;
use pgn2epd::options::{Comments, Keyword, NameSource, Op, Ops};
use pgn2epd::table::{Fact, FactPlace};

use testkit::cost::{assert_linear, cost};
use testkit::shared::is_full;

use crate::support::{jobs, try_convert};

/// All that a record can have.
fn everything() -> Options {
    let facts = Fact::all().filter(|fact| fact.is_available_in(FactPlace::Template));
    let template = |fact: Fact| format!("F{}={{{fact}}}", fact as u8).parse().unwrap();
    Options::default()
        .ops(Some(Ops::of(Op::ALL).into()))
        .templates(facts.map(template).collect())
        .variations(true)
        .notes(true)
        .ascii(true)
        .comments(Comments::Split)
        .filter(Some("not (eval > 5000) and plies >= 0 and not (san = \"Ke8\")".parse().unwrap()))
        .jobs(jobs(1))
}

#[test]
fn a_game_costs_time_in_proportion_to_its_length() {
    let everything = everything();
    let tags = everything.clone().names(NameSource::Tags).comments(Comments::Raw);
    let plain = Options::default().jobs(jobs(1));
    let form = |word: &str| {
        Options::from_names([("format", "pgn"), ("games", word)]).unwrap().jobs(jobs(1))
    };
    let games = ["uci,no-clocks", "openings", "selected,no-commands"].map(form);
    // before, the repeated part, in which a number replaces #, after
    let cases = [
        ("", "[A \"b\"]\n", "\n1. e4 *\n"),
        ("", "[A# \"b\"]\n", "\n1. e4 *\n"),
        ("", "[A# \"b\"] ", "1. e4 *\n"),
        ("[Event \"x\"]\n\n1. e4 ", "{c#} ", "e5 *\n"),
        ("[Event \"x\"]\n\n1. e4 ", "({c#} ", "e5 *\n"),
        ("[Event \"x\"]\n\n1. e4 ", "$# ", "e5 *\n"),
        ("[Event \"x\"]\n\n1. e4 {", "[%a# b", "} e5 *\n"),
        ("", "[E \"x#\"] 1. e4 e5 2. Nf3 * ", ""),
        ("", "1. e4 {c#} e5 (1... c5) 1-0 ", ""),
        ("[Event \"x\"]\n\n1. e4 ", "{é} ", "e5 *\n"),
        ("[Event \"x\"]\n\n1. e4 {", "wörd ", "} e5 *\n"),
        ("[Event \"x\"]\n\n1. e4 {", "[%csl Ra1]", "} e5 *\n"),
        ("[Event \"x\"]\n\n1. e4 {", "\"\n", "} e5 *\n"),
        ("[Event \"x\"]\n\n1. e4 ", "; rest\n", "e5 *\n"),
        ("[Event \"x\"]\n\n1. e4 ", "$1 ", "e5 *\n"),
        ("[Event \"x\"]\n\n1. e4 ", "(1. d4 d5 {c}) ", "e5 *\n"),
        ("[Event \"x\"]\n\n1. e4 e5 ", "(1... c5 ", "2. Nf3 *\n"),
        ("[Event \"x\"]\n\n1. e4 e5 ", ") ", "2. Nf3 *\n"),
        ("[Event \"x\"]\n\n", "Nf3 {a} Nf6 $3 Ng1 {[%eval 0.1] [%clk 0:01:00]} Ng8 ", "*\n"),
        ("[Event \"x\"]\n\nNf3 {d=1, wv=0.20, pv=Nf3 ", "Nf6 Ng1 Ng8 Nf3 ", ", n=1} Nf6 *\n"),
        ("[Event \"x\"]\n\nNf3 {+0.20/1 1s", ", n=1", "} Nf6 *\n"),
        ("[Event \"x\"]\n\n1. e4 ", "xyz ", "*\n"),
        ("[Event \"x\"]\n\n1. e4 ", "1. ", "*\n"),
        ("[Event \"", "wörd ", "\"]\n\n1. e4 *\n"),
        ("[Variant \"Crazyhouse\"]\n\n", "Nf3 {a} Nf6 (e5 e4) Ng1 Ng8 ", "*\n"),
        ("", "[Event \"x\"]\n\n1. e4 {c} (1. d4) *\n\n", ""),
        ("", "1. e4 ", ""),
        ("", "[", ""),
        ("", "{", ""),
    ];
    for (before, part, after) in cases {
        let what = format!("{before}{part}{after}");
        assert_linear(&what, if is_full() { 1_000 } else { 400 }, |parts| {
            let parts: String =
                (0..parts).map(|number| part.replace('#', &number.to_string())).collect();
            let text = format!("{before}{parts}{after}");
            let time = |options| cost(|| drop(try_convert(text.as_bytes(), options).unwrap()));
            let of_games = games.iter().map(&time).sum();
            [time(&everything), time(&tags), time(&plain), of_games]
        });
    }
}
