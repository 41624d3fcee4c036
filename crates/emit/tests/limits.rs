//! Limits and counts of a replay: bounds on memory, problems reported once, and the state after a
//! discarded game.

use emit::{Counts, OnError, Plan, Problem, Reason, Replay, Text};
use pgn::{Chunk, PgnDiagnosticKind};

fn replay(pgn: &str, plan: &Plan) -> (Text, Counts) {
    let mut text = Text::default();
    let (counts, _) = Replay::new(Chunk::whole(pgn.as_bytes()), plan).run(&mut text.sink(plan));
    (text, counts)
}

#[test]
fn problems_in_the_variations_of_a_game_are_bounded() {
    let plan = Plan { variations: true, ..Plan::default() };
    for (variations, expected) in [(99, 99), (100, 100), (101, 101), (500, 101)] {
        let game = format!("1. e4 {} e5 2. Ke7 *\n\n", "(1. e5) ".repeat(variations));
        let (text, counts) = replay(&game.repeat(2), &plan);
        let [first, second] = [1, 2].map(|game| -> Vec<&Problem> {
            text.problems.iter().filter(|problem| problem.game == game).collect()
        });
        for problems in [first, second] {
            let (last, in_variations) = problems.split_last().unwrap();
            // Problems in the main line are reported regardless of the number in variations.
            assert!(!last.in_variation && last.token == "Ke7", "{last}");
            assert!(in_variations.iter().all(|problem| problem.in_variation));
            assert_eq!(in_variations.len(), expected, "{variations}");
            let more = Reason::Text(PgnDiagnosticKind::More);
            let is_more: Vec<_> =
                in_variations.iter().map(|problem| problem.reason == more).collect();
            assert_eq!(
                is_more.iter().position(|is_more| *is_more),
                (variations > 100).then_some(100)
            );
        }
        assert_eq!(counts.bad_games, 2);
    }
}

#[test]
fn a_game_above_the_size_limit_is_an_error_though_the_filter_does_not_want_it() {
    let small = "[White \"A\"]\n\n1. e4 *\n\n";
    let large = format!("[White \"A\"]\n\n1. e4 {{{}}} *\n\n", "x".repeat(200));
    let filter = Some("White = \"B\"".parse().unwrap());
    let plan = Plan { filter, max_game_bytes: 100, ..Plan::default() };
    let (text, counts) = replay(&format!("{small}{large}{small}"), &plan);
    assert_eq!((counts.games, counts.bad_games, counts.left_out), (3, 1, 2));
    let [problem] = &text.problems[..] else { panic!("{:?}", text.problems) };
    assert_eq!((problem.game, &problem.reason), (2, &Reason::TooLarge { limit: 100 }));
    assert!(!counts.stopped && text.bytes.is_empty());

    let plan = Plan { on_error: OnError::Stop, ..plan };
    let (text, counts) = replay(&format!("{small}{large}{small}"), &plan);
    assert_eq!((counts.games, counts.bad_games, counts.left_out), (2, 1, 1));
    assert!(counts.stopped && text.problems.len() == 1);
}

#[test]
fn the_strings_that_an_undone_game_shortened_are_not_counted() {
    let long = format!("1. e4 {{{}}} e5", "word ".repeat(100));
    let pgn = format!("{long} *\n\n{long} 2. Ke7 Ke7 *\n\n{long} *\n");
    for (on_error, shortened) in [(OnError::Keep, 3), (OnError::Skip, 2)] {
        let (text, counts) = replay(&pgn, &Plan { on_error, ..Plan::default() });
        assert_eq!((counts.bad_games, text.losses().long_comments), (1, shortened), "{on_error:?}");
    }
}

#[test]
fn a_template_that_does_not_fit_is_reported_once_for_each_game() {
    let templates = vec!["bm={White}".parse().unwrap(), "dm={Black}".parse().unwrap()];
    let plan = Plan { templates, ..Plan::default() };
    let game = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3 *\n\n";
    let (text, _) = replay(&game.repeat(2), &plan);
    let reported: Vec<_> =
        text.problems.iter().map(|problem| (problem.game, &*problem.token)).collect();
    assert_eq!(reported, [(1, "A"), (1, "B"), (2, "A"), (2, "B")]);
}
