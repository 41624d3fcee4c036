//! Comments: the position they belong to, and the treatment of long ones.

use emit::{Comments, Losses, Op, Ops, Plan, Text};
use testkit::cost::{assert_linear, cost};

use crate::support::{operations, replay, run};

/// Returns the records without their fields, and the sink's counts.
fn records(pgn: &str, plan: &Plan) -> (Vec<String>, Text) {
    let text = replay(pgn, plan);
    (operations(&text).into_iter().map(str::to_owned).collect(), text)
}

fn comments() -> Plan {
    Plan { ops: Ops::of(&[Op::C]), ..Plan::default() }
}

#[test]
fn a_comment_before_a_game_without_tags_belongs_to_that_game() {
    // text, the first records of the games
    let cases: &[(&str, &[&str])] = &[
        ("{intro} 1. e4 *", &[r#"c0; c1 "intro";"#]),
        ("; intro\n1. e4 *", &[r#"c0; c1 "intro";"#]),
        ("{a}\n\n{b} ; c\n% no\n{d}\n1. e4 *", &[r#"c0; c1 "a b c d";"#]),
        ("1. e4 *\n\n{intro}\n1. d4 *", &["c0;", r#"c0; c1 "intro";"#]),
        ("1. e4 1-0\r\n\r\n; a\r\n{b}\r\n\r\n1. d4 *", &["c0;", r#"c0; c1 "a b";"#]),
        ("1. e4 * {end}\n\n{intro} d4 *", &["c0;", r#"c0; c1 "intro";"#]),
        // Without an empty line, a comment after a result belongs to the game that is over.
        ("1. e4 * {end}\n\n1. d4 *", &["c0;", "c0;"]),
        ("1. e4 *\n{end}\n1. d4 *", &["c0;", "c0;"]),
        ("1. e4 *\n{a}\n\n[White \"x\"]\n\n{b} 1. d4 *", &["c0;", r#"c0 "x - ?"; c1 "b";"#]),
    ];
    for (text, expected) in cases {
        let (records, played) = records(text, &comments());
        let first: Vec<&String> = records.iter().filter(|text| text.starts_with("c0")).collect();
        assert_eq!(first, *expected, "{text:?}");
        assert_eq!(played.problems, [], "{text:?}");
    }
}

#[test]
fn a_comment_outside_of_every_game_is_reported() {
    for text in [
        "{file} [White \"x\"]\n\n1. e4 *",
        "; file\n[White \"x\"]\n\n1. e4 *",
        "{alone}",
        "{a} junk {b}",
        "1. e4 *\n\n{between}\n[White \"x\"]\n\n1. e4 *",
        "1. e4 *\n\n; the end\n",
    ] {
        let (_, played) = records(text, &comments());
        assert!(!played.problems.is_empty(), "{text:?}");
        assert!(played.problems.iter().all(|problem| problem.game == 0), "{:?}", played.problems);
    }
}

#[test]
fn lines_longer_than_readers_accept_are_counted() {
    // Comments in ASCII and not, and the number of lines of more than 1024 bytes (EPD 3).
    let plain = |bytes: usize| "w".repeat(bytes);
    for (comment, ascii, expected) in [
        (plain(900), false, 0),
        (plain(1200), false, 1),
        (plain(1200), true, 1),
        ("ЩЩЩЩ ".repeat(95), false, 0),
        ("ЩЩЩЩ ".repeat(95), true, 1),
    ] {
        let plan = Plan { comments: Comments::Split, ascii, ..comments() };
        let text = replay(format!("1. e4 {{{comment}}} e5 *"), &plan);
        let lines = text.bytes.as_bytes().split(|byte| *byte == b'\n');
        let long = lines.filter(|line| line.len() > 1024).count() as u64;
        assert_eq!((text.counts.long_records, long), (expected, expected), "{comment} {ascii}");
    }
}

#[test]
fn a_long_comment_is_cut_split_or_left_out_and_counted() {
    let words = |count: usize| ["word"; 400][..count].join(" ");
    let run = |comment: &str, treatment| {
        let plan = Plan { comments: treatment, ..comments() };
        let (records, text) = records(&format!("1. e4 {{{comment}}} e5 *"), &plan);
        (records[1].clone(), text.losses())
    };
    let losses =
        |long_comments, shortened| Losses { long_comments, shortened, ..Losses::default() };
    // 51 words are 254 bytes.
    let piece = words(51);
    assert_eq!(run(&piece, Comments::Cut), (format!("c1 \"{piece}\";"), losses(0, 0)));
    let long = words(102);
    assert_eq!(run(&long, Comments::Cut), (format!("c1 \"{piece}\";"), losses(1, 1)));
    assert_eq!(run(&long, Comments::Drop), (String::new(), losses(1, 1)));
    let split = format!("c1 \"{piece}\"; c2 \"{piece}\";");
    assert_eq!(run(&long, Comments::Split), (split, losses(1, 0)));
    let (record, lost) = run(&words(51 * 9 - 60), Comments::Split);
    assert!(record.contains("c8 ") && !record.contains("c9 "), "{record}");
    assert_eq!(lost, losses(1, 0));
    // One byte too many.
    let word = "w".repeat(256);
    assert_eq!(run(&word, Comments::Cut), (format!("c1 \"{}\";", &word[1..]), losses(1, 1)));
    let (record, lost) = run(&word, Comments::Split);
    assert_eq!((record, lost), (format!("c1 \"{}\"; c2 \"w\";", &word[1..]), losses(1, 0)));
    let (_, lost) = run(&"w".repeat(255 * 9 + 1), Comments::Split);
    assert_eq!(lost, losses(1, 1));
    // White space is collapsed before the length is measured.
    let loose = format!("word{}word", "\n ".repeat(300));
    assert_eq!(run(&loose, Comments::Cut), ("c1 \"word word\";".to_owned(), losses(0, 0)));
    // The part that does not fit into c9 is lost and counted.
    let (record, lost) = run(&format!("{long} {long} {long} {long} {long}"), Comments::Split);
    assert!(record.contains("c9 "), "{record}");
    assert_eq!(lost, losses(1, 1));
}

#[test]
fn a_split_comment_of_a_variation_begins_at_its_rank_and_is_gone_at_the_next_position() {
    let long = ["word"; 60].join(" ");
    let ops = Ops::of(&[Op::C, Op::Rav]);
    let plan = Plan { comments: Comments::Split, variations: true, ops, ..Plan::default() };
    let (records, _) = records(&format!("1. e4 {{{long}}} (1. d4 {{{long}}} d5) e5 *"), &plan);
    let [piece, rest] = [51, 9].map(|count| ["word"].repeat(count).join(" "));
    let in_variation = format!("Rav \"0 d4\"; c2 \"{piece}\"; c3 \"{rest}\";");
    let in_main_line = format!("c1 \"{piece}\"; c2 \"{rest}\";");
    assert_eq!(records, ["c0;", &in_variation, "Rav \"0 d4\"; c2;", &in_main_line, "c1;"]);
}

#[test]
fn replaced_characters_annotations_and_variations_are_counted() {
    let pgn = "[White \"a \\\"b\\\"\"]\n\n1. e4! $1 {a \"quoted\"\u{1} word} e5 +- (1... c5 $2 (1... c6)) (1... d5) 2. Nf3 {\n two } *";
    let (text, counts) = run(pgn, &comments());
    assert_eq!(text.losses(), Losses { altered: 2, ..Losses::default() });
    assert_eq!((counts.annotations, counts.variations), (3, 2));
}

#[test]
fn annotations_between_a_result_and_the_next_game_are_counted() {
    for line_end in ["\n", "\r\n"] {
        for (between, annotations) in
            [("\n\n", 0), (" $1\n\n", 1), ("\n$1 $2\n\n", 2), ("\n\n$1\n\n", 1)]
        {
            let pgn = format!("1. e4 *{between}[Event \"b\"]\n\n1. d4 *").replace('\n', line_end);
            assert_eq!(run(&pgn, &comments()).1.annotations, annotations, "{pgn:?}");
        }
    }
}

#[test]
fn notes_on_many_tags_of_one_name_cost_no_square_of_their_number() {
    let plan = Plan { notes: true, ..comments() };
    assert_linear("notes on tags of one name", 2_000, |tags| {
        let text = format!("{}\n1. e4 *", "[A \"b\"]\n".repeat(tags));
        [cost(|| assert_eq!(records(&text, &plan).1.problems.len(), tags - 1))]
    });
}
