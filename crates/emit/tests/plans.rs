//! What a plan, a template and a set of operations or facts say of themselves.

use emit::{Fact, Format, LabelForm, Op, Ops, Plan};
use epd::RegisterStyle;
use openings::NameSource;

use super::support::{bare, games, operations, rows, run};

#[test]
fn a_sum_of_losses_has_the_sum_of_each_count() {
    let losses = |factor| emit::Losses {
        long_comments: factor,
        shortened: 2 * factor,
        altered: 3 * factor,
        cut_lines: 4 * factor,
        annotations: 5 * factor,
        variations: 6 * factor,
    };
    let mut sum = losses(1);
    sum += losses(10);
    assert_eq!(sum, losses(11));
}

#[test]
fn sets_of_operations_are_read_and_written() {
    let ops: Ops = "sm, rc".parse().unwrap();
    assert_eq!(ops.to_string(), "rc,sm");
    assert!(ops.has(Op::Sm) && ops.has(Op::Rc) && !ops.has(Op::C));
    assert!(ops.has_any(Ops::of(&[Op::C, Op::Rc])) && !ops.has_any(Ops::of(&[Op::C])));
    assert!(!ops.has_any(Ops::NONE) && Ops::NONE.to_string() == "none");
    assert_eq!(ops.with(Op::C).to_string(), "c,rc,sm");
    assert_eq!(ops.with(Op::Sm), ops);
    assert_eq!(ops.without(Ops::of(&[Op::Sm, Op::C])).to_string(), "rc");
    assert_eq!(Ops::default().to_string(), "Rav,c,eco,fmvn,hmvc,nic,sm,v");
}

#[test]
fn a_plan_knows_what_its_records_depend_on() {
    let with = |ops: &str| Plan { ops: ops.parse().unwrap(), ..bare() };
    let template = |template: &str| Plan { templates: vec![template.parse().unwrap()], ..bare() };
    let filter = |filter: &str| Plan { filter: Some(filter.parse().unwrap()), ..bare() };
    let label = |form| Plan { format: Format::Label(form), ..bare() };
    let facts = |fact: Fact| Plan { facts: [fact].into_iter().collect(), ..bare() };
    let omit = |omit: &str| Plan { omit: omit.parse().unwrap(), ..bare() };
    // The plan, whether it looks ahead, counts games, and has registers.
    let cases = [
        (bare(), false, false, false),
        (Plan::default(), false, false, true),
        (Plan { registers: RegisterStyle::Off, ..Plan::default() }, false, false, false),
        (with("c"), false, false, true),
        (with("eco"), false, false, false),
        (Plan { names: NameSource::Tags, ..with("eco") }, false, false, true),
        (Plan { names: NameSource::Tags, ..with("sm,Rav,rc") }, false, false, false),
        (with("ce"), true, false, false),
        (with("acd"), true, false, false),
        (with("resign"), true, false, false),
        (with("draw_claim"), true, false, false),
        (Plan { variations: true, ..with("ce") }, true, false, false),
        (Plan { variations: true, ..with("rc") }, false, false, false),
        (Plan { notes: true, ..label(LabelForm::Bullet) }, true, false, false),
        (with("rc"), false, false, false),
        (template("My={game}"), false, true, false),
        (template("My={ply}"), false, false, false),
        (template("c3={game}"), false, true, true),
        (Plan { registers: RegisterStyle::Off, ..template("c3={ply}") }, false, false, false),
        (template("My={eval}"), true, false, false),
        (template("My={clock}"), true, false, false),
        (filter("eval > 0 and ply = 1"), true, false, false),
        (filter("ply > 0"), false, false, false),
        (facts(Fact::Eval), true, false, false),
        (facts(Fact::Game), false, false, false),
        (Plan { eval: "..1".parse().ok(), ..bare() }, true, false, false),
        (omit("captures"), false, false, false),
        (label(LabelForm::C9), false, false, false),
        (label(LabelForm::Bullet), true, false, false),
        (Plan { raw_comments: true, comments: emit::Comments::Raw, ..bare() }, false, false, false),
    ];
    for (plan, looks_ahead, counts_games, has_registers) in cases {
        assert_eq!(plan.looks_ahead(), looks_ahead, "{plan:?}");
        assert_eq!(plan.counts_games(), counts_games, "{plan:?}");
        assert_eq!(plan.register_clearer().is_some(), has_registers, "{plan:?}");
    }
}

#[test]
fn a_set_of_facts_has_those_of_both_sets() {
    let set = |facts: &[Fact]| facts.iter().copied().collect::<emit::FactSet>();
    let both = set(&[Fact::Check, Fact::Ply]).union(set(&[Fact::Ply, Fact::Uci]));
    assert_eq!(both, set(&[Fact::Uci, Fact::Ply, Fact::Check]));
    for fact in Fact::all() {
        let has = matches!(fact, Fact::Check | Fact::Ply | Fact::Uci);
        assert_eq!(both.has(fact), has, "{fact}");
        let one = set(&[fact]);
        assert!(one.has(fact) && one.union(one) == one);
        use Fact::{Clock, Depth, Eval, EvalCp, Mate, Nodes, Seldepth, Time, WhiteCp, WhiteMate};
        let evaluations = [Eval, EvalCp, Mate, WhiteCp, WhiteMate];
        let is_in_comments =
            matches!(fact, Clock | Depth | Nodes | Seldepth | Time) || evaluations.contains(&fact);
        assert_eq!(one.needs_comments(), is_in_comments, "{fact}");
        assert_eq!(one.needs_names(), matches!(fact, Fact::Eco | Fact::Opening), "{fact}");
        let places = [emit::FactPlace::Column, emit::FactPlace::GameColumn];
        if !places.iter().any(|place| fact.is_available_in(*place)) {
            continue;
        }
        // Exactly these are missing in a game without tags, comments and moves.
        let (_, cells) = rows("*", &[fact.name()], &Plan { file: "f".to_owned(), ..bare() });
        let is_of_chess = fact.about().contains("nothing in variants");
        // Others are missing in other positions and records.
        let is_missing =
            cells[0][0] == "-" || is_of_chess || matches!(fact, Fact::Castling | Fact::Hmvc);
        assert_eq!(is_missing, fact.may_be_missing(), "{fact}: {cells:?}");
    }
    assert!(!set(&[]).needs_comments() && !set(&[]).needs_names());
}

#[test]
fn comments_and_annotations_are_kept_only_where_they_are_wanted() {
    let game = "1. e4! $14 {[%clk 0:01:00]} e5 {good} *";
    let template = |template: &str| Plan { templates: vec![template.parse().unwrap()], ..bare() };
    let with = |ops: &str| Plan { ops: ops.parse().unwrap(), ..bare() };
    let comments = emit::Comments::Raw;
    let filter = Some("not nags ~ '$2'".parse().unwrap());
    // The plan, and the last two records without their fields.
    let cases = [
        (bare(), ["", ""]),
        (with("c"), ["", "c1 \"good\";"]),
        (Plan { comments, ..with("c") }, ["c1 \"[%clk 0:01:00]\";", "c1 \"good\";"]),
        (template("My={clock}"), ["My 60;", ""]),
        (template("My={nags}"), ["My \"$1 $14\";", ""]),
        (Plan { filter, ..template("My={ply}") }, ["My 1;", "My 2;"]),
    ];
    for (plan, expected) in cases {
        let (text, counts) = run(game, &plan);
        assert_eq!(operations(&text)[1..], expected, "{plan:?}");
        let has_nags = |text: String| text.contains("nags");
        let wants_nags = plan.templates.iter().any(|template| has_nags(template.to_string()))
            || plan.filter.iter().any(|filter| has_nags(filter.to_string()));
        assert_eq!(counts.annotations, if wants_nags { 0 } else { 2 }, "{plan:?}");
    }
}

#[test]
fn a_template_is_read_with_its_opcode_its_facts_and_its_braces() {
    for text in [
        "Abcdefghijklmno=x", "a_1=x", "dm=1", "ce= 5 ", "tcri=a|b", "tcri=\"a\" \"b\"", "resign=",
        "id={White|}}}",
    ] {
        assert_eq!(text.parse::<emit::Template>().unwrap().to_string(), text);
    }
    for text in [
        "Abcdefghijklmnop=x", "_a=x", "a-b=x", "=x", "dm=x", "ce=40000", "tcgs=x", "tcri=a",
        "tcri=\"a|b", "resign= ", "id={}",
    ] {
        let found = text.parse::<emit::Template>();
        assert!(found.is_err(), "{text}: {found:?}");
    }
}

#[test]
fn facts_have_descriptions_of_their_own() {
    let abouts: std::collections::HashSet<&str> = Fact::all().map(Fact::about).collect();
    assert_eq!(abouts.len(), Fact::all().count());
    let units: Vec<_> = Fact::all().filter_map(|fact| Some((fact, fact.unit()?))).collect();
    assert_eq!(
        units,
        [
            (Fact::BaseTime, "seconds"),
            (Fact::BlackElo, "rating"),
            (Fact::Clock, "seconds"),
            (Fact::Depth, "plies"),
            (Fact::Elo, "rating"),
            (Fact::Eval, "centipawns"),
            (Fact::EvalCp, "centipawns"),
            (Fact::Hmvc, "plies"),
            (Fact::Increment, "seconds"),
            (Fact::Mate, "moves"),
            (Fact::Nodes, "nodes"),
            (Fact::Npm, "pawns"),
            (Fact::OpponentElo, "rating"),
            (Fact::PlayerElo, "rating"),
            (Fact::Plies, "plies"),
            (Fact::Ply, "plies"),
            (Fact::Points, "points"),
            (Fact::Score, "points"),
            (Fact::Seldepth, "plies"),
            (Fact::Time, "seconds"),
            (Fact::WhiteCp, "centipawns"),
            (Fact::WhiteElo, "rating"),
            (Fact::WhiteMate, "moves"),
        ]
    );
    let kinds = [
        (Fact::Check, emit::FactKind::Truth),
        (Fact::Key, emit::FactKind::Key),
        (Fact::Eval, emit::FactKind::Signed),
        (Fact::San, emit::FactKind::Text),
    ];
    assert!(kinds.iter().all(|(fact, kind)| fact.kind() == *kind));
    assert_eq!(Fact::Game.places(), "templates and columns");
    assert_eq!(Fact::Record.places(), "columns");
    assert_eq!(Fact::Ply.places(), "templates, columns, conditions and sort keys");
}

#[test]
fn a_sink_gets_the_comments_that_its_plan_wants() {
    let pgn = b"1. e4 {[%clk 0:01:00]} e5 {x} 2. Nf3 {+0.1/3 1s} Nc6 {[%clk 0:01:00] y} *";
    let facts = [Fact::Line].into_iter().collect();
    let with_clock = [Fact::Clock, Fact::Line].into_iter().collect();
    let plan = Plan { facts, ..bare() };
    let comments = Plan { ops: Ops::of(&[Op::C]), ..plan.clone() };
    let all = vec!["[%clk 0:01:00]", "x", "+0.1/3 1s", "[%clk 0:01:00] y"];
    let cases = [
        (plan.clone(), vec![]),
        (Plan { notes: true, ..plan.clone() }, vec![]),
        (comments.clone(), vec!["x", "[%clk 0:01:00] y"]),
        (Plan { notes: true, ..comments.clone() }, vec!["x", "[%clk 0:01:00] y"]),
        (Plan { registers: RegisterStyle::Off, ..comments.clone() }, vec![]),
        (Plan { comments: emit::Comments::Raw, ..comments.clone() }, all.clone()),
        (Plan { raw_comments: true, ..plan.clone() }, all.clone()),
        (Plan { ops: Ops::of(&[Op::Ce]), ..plan.clone() }, all.clone()),
        (Plan { facts: with_clock, ..plan.clone() }, all.clone()),
        (Plan { filter: Some("eval or ply >= 0".parse().unwrap()), ..plan.clone() }, all.clone()),
        (Plan { omit: "book-moves".parse().unwrap(), ..plan.clone() }, all),
        // Only 2. Nf3 has an evaluation, that of the position before it.
        (Plan { eval: "-1000..1000".parse().ok(), ..plan.clone() }, vec!["x"]),
    ];
    for (plan, expected) in cases {
        let list = games(pgn, &plan);
        let positions = list.games.iter().flat_map(|game| &game.positions);
        let found: Vec<&String> = positions.flat_map(|position| &position.comments).collect();
        assert_eq!(found, expected, "{plan:?}");
    }
}
