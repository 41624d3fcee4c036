//! Limits and counts of a replay: bounds on memory, problems reported once, and the state after a
//! discarded game.

use emit::{Counts, OnError, Plan, Problem, Reason, Replay, Text};
use pgn::{Chunk, PgnDiagnosticKind};

use crate::support::run;

#[test]
fn problems_in_the_variations_of_a_game_are_bounded() {
    let plan = Plan { variations: true, ..Plan::default() };
    for (variations, expected) in [(99, 99), (100, 100), (101, 101), (500, 101)] {
        let game = format!("1. e4 {} e5 2. Ke7 *\n\n", "(1. e5) ".repeat(variations));
        let (text, counts) = run(game.repeat(2), &plan);
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
            let first_more = in_variations.iter().position(|problem| problem.reason == more);
            assert_eq!(first_more, (variations > 100).then_some(100));
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
    let (text, counts) = run(format!("{small}{large}{small}"), &plan);
    assert_eq!((counts.games, counts.bad_games, counts.left_out), (3, 1, 2));
    let [problem] = &text.problems[..] else { panic!("{:?}", text.problems) };
    assert_eq!((problem.game, &problem.reason), (2, &Reason::TooLarge { limit: 100 }));
    assert!(!counts.stopped && text.bytes.is_empty());

    let plan = Plan { on_error: OnError::Stop, ..plan };
    let (text, counts) = run(format!("{small}{large}{small}"), &plan);
    assert_eq!((counts.games, counts.bad_games, counts.left_out), (2, 1, 1));
    assert!(counts.stopped && text.problems.len() == 1);
}

#[test]
fn the_strings_that_an_undone_game_shortened_are_not_counted() {
    let long = format!("1. e4 {{{}}} e5", "word ".repeat(100));
    let pgn = format!("{long} *\n\n{long} 2. Ke7 Ke7 *\n\n{long} *\n");
    for (on_error, shortened) in [(OnError::Keep, 3), (OnError::Skip, 2)] {
        let (text, counts) = run(&pgn, &Plan { on_error, ..Plan::default() });
        assert_eq!((counts.bad_games, text.losses().long_comments), (1, shortened), "{on_error:?}");
    }
}

#[test]
fn a_template_that_does_not_fit_is_reported_once_for_each_game() {
    let templates = vec!["bm={White}".parse().unwrap(), "dm={Black}".parse().unwrap()];
    let plan = Plan { templates, ..Plan::default() };
    let game = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3 *\n\n";
    let (text, _) = run(game.repeat(2), &plan);
    let reported: Vec<_> =
        text.problems.iter().map(|problem| (problem.game, &*problem.token)).collect();
    assert_eq!(reported, [(1, "A"), (1, "B"), (2, "A"), (2, "B")]);
}

#[test]
fn a_game_of_exactly_the_limit_is_played_and_nothing_of_a_larger_one_is_counted() {
    let game = "1. e4! (1. d4) e5 $1 *";
    let before = "1. d4? (1. c4) *";
    for (limit, is_large) in [(game.len(), false), (game.len() - 1, true)] {
        for on_error in [OnError::Keep, OnError::Skip, OnError::Stop] {
            let plan = Plan { max_game_bytes: limit, on_error, ..Plan::default() };
            let (text, counts) = run(format!("{before}\n\n{game}"), &plan);
            let large = u64::from(is_large);
            assert_eq!((counts.games, counts.bad_games), (2, large), "{limit}");
            assert_eq!((counts.annotations, counts.variations), (3 - 2 * large, 2 - large));
            assert_eq!(text.counts.positions, 5 - 3 * large, "{limit}");
            assert_eq!(counts.stopped, is_large && on_error == OnError::Stop);
            let reasons: Vec<_> = text.problems.iter().map(|problem| &problem.reason).collect();
            assert_eq!(reasons, vec![&Reason::TooLarge { limit }; usize::from(is_large)]);
        }
    }
}

#[test]
fn a_game_that_is_too_large_has_the_tags_within_the_limit() {
    let game = "[White \"A\"]\n[Round \"3\"]\n\n1. e4 e5 *";
    // The limit, the player and the round.
    let cases = [
        (8, None, None),
        (9, None, None),
        (10, Some("A"), None),
        (21, Some("A"), None),
        (22, Some("A"), Some("3")),
        (30, Some("A"), Some("3")),
    ];
    for (limit, white, round) in cases {
        let plan = Plan { max_game_bytes: limit, ..Plan::default() };
        let (text, _) = run(format!("*\n\n{game}"), &plan);
        let [problem] = &text.problems[..] else { panic!("{limit}: {:?}", text.problems) };
        let identity = &problem.identity;
        let found = (identity.white.as_deref(), identity.round.as_deref());
        assert_eq!((problem.game, found), (2, (white, round)), "{limit}");
        assert_eq!((problem.place.line, &*problem.token), (3, ""), "{limit}");
    }
}

#[test]
fn a_game_that_never_ends_is_reported_with_the_text_before_it() {
    let pgn = "junk\n[White \"A\"]\n\n1. e4 e4 {x";
    for on_error in [OnError::Keep, OnError::Stop] {
        let plan = Plan { max_game_bytes: 15, on_error, ..Plan::default() };
        let mut text = Text::default();
        let counts =
            Replay::new(Chunk::whole(pgn.as_bytes()), &plan).too_large(&mut text.sink(&plan));
        let stopped = on_error == OnError::Stop;
        assert_eq!(counts, Counts { games: 1, bad_games: 1, stopped, ..Counts::default() });
        let found: Vec<_> =
            text.problems.iter().map(|problem| (problem.game, problem.reason.kind())).collect();
        assert_eq!(found, [(0, "text"), (1, "too-large")]);
    }
}

#[test]
fn text_after_the_last_game_is_reported_unless_the_run_was_stopped() {
    let after = "\n\n{a comment";
    for (game, on_error, kinds) in [
        ("1. e4 *", OnError::Keep, vec![(0, "text")]),
        ("1. e4 e4 *", OnError::Keep, vec![(1, "illegal-move"), (0, "text")]),
        ("1. e4 e4 *", OnError::Stop, vec![(1, "illegal-move")]),
    ] {
        let plan = Plan { on_error, ..Plan::default() };
        let (text, _) = run(format!("{game}{after}"), &plan);
        let found: Vec<_> =
            text.problems.iter().map(|problem| (problem.game, problem.reason.kind())).collect();
        assert_eq!(found, kinds, "{game} {on_error:?}");
    }
}

#[test]
fn a_run_ends_at_an_error_only_if_it_must() {
    let pgn = "1. e4 *\n\n1. d4 d5 d6 *\n\n1. c4 *\n";
    for (on_error, games, positions) in [(OnError::Keep, 3, 7), (OnError::Stop, 2, 5)] {
        let plan = Plan { on_error, ..Plan::default() };
        let (text, counts) = run(pgn, &plan);
        assert_eq!((counts.games, counts.bad_games, text.counts.positions), (games, 1, positions));
        assert_eq!(counts.stopped, on_error == OnError::Stop);
    }
}
