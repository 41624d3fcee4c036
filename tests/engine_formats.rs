//! `pgn2epd analyse` in other formats than EPD, compared with what the scripted engine answers.

use shakmaty::fen::Fen;
use shakmaty::san::San;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Position};
use testkit::pack;
use testkit::program::{Outcome, Program};
use testkit::scripted_engine::{Expected, expected};

use crate::engines::{engine, position, san, sealed};
use crate::support::{fixture, program};

fn analyse(program: Program, arguments: &[&str]) -> Outcome {
    program.args(["analyse", "--engine", &engine(&[]), "--nodes", "500"]).args(arguments).run()
}

fn games() -> Program {
    program().file("games.pgn", fixture("immortal.pgn"))
}

/// The best line of the engine; `None` if the game is over.
fn best(position: &Chess) -> Option<Expected> {
    let fen = Fen::from_position(position, EnPassantMode::Legal).to_string();
    expected(&fen, false, 1, &[]).into_iter().next()
}

/// The command of a comment for an evaluation.
fn command(position: &Chess) -> Option<String> {
    let score = best(position)?.score;
    let white = if position.turn() == Color::White { score } else { -score };
    Some(format!("[%eval {:.2},7]", white as f64 / 100.0))
}

/// The words of a line, with the numbers of its moves.
fn numbered(start: &Chess, moves: &str) -> Vec<String> {
    let (mut words, mut position) = (Vec::new(), start.clone());
    for word in moves.split(' ') {
        let number = position.fullmoves();
        match position.turn() {
            Color::White => words.push(format!("{number}.")),
            Color::Black if words.is_empty() => words.push(format!("{number}...")),
            Color::Black => {}
        }
        words.push(word.to_owned());
        let mv = word.trim_end_matches(['+', '#']).parse::<San>().unwrap();
        let mv = mv.to_move(&position).unwrap();
        position.play_unchecked(mv);
    }
    words
}

/// The movetext with evaluations, by other code; with the expected moves for moves that are this
/// many centipawns worse.
fn annotated(moves: &[&str], worse_by: Option<i64>) -> Vec<String> {
    let (mut words, mut position) = (Vec::new(), Chess::default());
    let mut is_apart = true;
    for san_of_move in moves {
        let number = position.fullmoves();
        match position.turn() {
            Color::White => words.push(format!("{number}.")),
            Color::Black if is_apart => words.push(format!("{number}...")),
            Color::Black => {}
        }
        words.push((*san_of_move).to_owned());
        is_apart = false;
        let before = position.clone();
        let mv = san_of_move.trim_end_matches(['+', '#']).parse::<San>().unwrap();
        let mv = mv.to_move(&position).unwrap();
        position.play_unchecked(mv);
        let Some(command) = command(&position) else { continue };
        words.extend(format!("{{{command}}}").split(' ').map(str::to_owned));
        is_apart = true;
        let (best, after) = (best(&before).unwrap(), best(&position).unwrap());
        let line = san(&before, &best.moves);
        let is_worse = worse_by.is_some_and(|least| best.score + after.score >= least);
        if is_worse && line.split(' ').next() != Some(san_of_move) {
            let variation = numbered(&before, &line).join(" ");
            words.extend(format!("({variation})").split(' ').map(str::to_owned));
        }
    }
    words
}

/// The moves of a game without comments and variations.
fn moves(text: &str) -> Vec<&str> {
    let movetext = text.split("\n\n").nth(1).unwrap();
    let is_move = |word: &&str| !word.ends_with('.') && !word.starts_with(|c| "10*".contains(c));
    movetext.split_ascii_whitespace().filter(is_move).collect()
}

#[test]
fn games_get_evaluations_and_lines() {
    let pgn = String::from_utf8(fixture("immortal.pgn")).unwrap();
    let moves = moves(&pgn);
    assert_eq!(moves.len(), 45);
    for (option, worse_by) in [
        (&[][..], None),
        (&["--annotate"], Some(50)),
        (&["--annotate=-0"], None),
        (&["--annotate=9"], Some(9)),
    ] {
        let outcome = analyse(games(), &[&["games.pgn", "-o", "out.pgn"], option].concat());
        if option == ["--annotate=-0"] {
            assert_eq!(outcome.status, 2);
            continue;
        }
        assert_eq!(outcome.status, 0, "{}", outcome.stderr);
        let written = outcome.string("out.pgn");
        let (tags, movetext) = written.split_once("\n\n").unwrap();
        assert!(pgn.starts_with(tags));
        let words: Vec<&str> = movetext.split_ascii_whitespace().collect();
        let expected = [annotated(&moves, worse_by), vec!["1-0".to_owned()]].concat();
        assert_eq!(words, expected, "{option:?}");
        assert_eq!(movetext.matches('(').count() > 3, worse_by == Some(9));
        assert_eq!(outcome.names(), ["games.pgn", "out.pgn"]);
    }
}

#[test]
fn evaluations_replace_those_of_the_game_and_other_comments_stay() {
    let pgn = "[Event \"x\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n\
               [Result \"*\"]\n\n1. e4 $1 {[%eval 9.9] [%clk 0:01:00] best} e5 (1... c5 {[%eval 1.1]}) *\n\n";
    let program = program().file("games.pgn", pgn);
    let outcome = analyse(program, &["-q", "games.pgn", "-o", "out.pgn"]);
    let written = outcome.string("out.pgn");
    let movetext = written.split_once("\n\n").unwrap().1.replace('\n', " ");
    let after = |moves: &[&str]| {
        let mut position = Chess::default();
        for text in moves {
            let mv = text.parse::<San>().unwrap().to_move(&position).unwrap();
            position.play_unchecked(mv);
        }
        command(&position).unwrap()
    };
    let (first, second) = (after(&["e4"]), after(&["e4", "e5"]));
    let expected =
        format!("1. e4 $1 {{{first}}} {{[%clk 0:01:00] best}} 1... e5 {{{second}}} (1... c5) *  ");
    assert_eq!(movetext, expected);
}

#[test]
fn tables_and_labels_have_the_evaluations() {
    let epd = analyse(games(), &["games.pgn", "--ops=fmvn,hmvc", "--registers=off"]);
    let scores = epd.lines().into_iter().map(|line| {
        let (position, _) = position(line, CastlingMode::Standard).unwrap();
        let fen = Fen::from_position(&position, EnPassantMode::Legal).to_string();
        (
            position.turn(),
            fen,
            best(&position).map(|best| (best.score, san(&position, &best.moves))),
        )
    });
    let scores: Vec<_> = scores.collect();
    assert_eq!(scores.len(), 46);
    let run = |name: &str, arguments: &[&str]| {
        let outcome = analyse(games(), &[&["games.pgn", "-o", name], arguments].concat());
        assert_eq!(outcome.status, 0, "{}", outcome.stderr);
        (outcome.string(name), outcome.stderr)
    };
    let rows = scores.iter().map(|(_, fen, best)| match best {
        Some((score, line)) => {
            format!("{fen},{score},,7,500,{},{line}\n", line.split(' ').next().unwrap())
        }
        None => format!("{fen},,,,,,\n"),
    });
    let header = "fen,ce,dm,acd,acn,pm,pv\n".to_owned();
    let table = header + &rows.collect::<String>();
    assert_eq!(run("out.csv", &["--ep", "legal"]).0, table);
    let (few, _) = run("out.tsv.gz.csv", &["--columns", "ce", "--ply", "..1"]);
    assert_eq!(few.lines().next(), Some("ce"));
    assert_eq!(few.lines().count(), 3);
    let labels = scores.iter().filter_map(|(turn, fen, best)| {
        let score = best.as_ref()?.0;
        let white = if *turn == Color::White { score } else { -score };
        Some(format!("{fen} | {white} | 1.0\n"))
    });
    let (written, said) = run("out.txt", &["--format", "bullet", "--ep", "legal"]);
    assert_eq!(written, labels.collect::<String>());
    assert!(said.ends_with(", 1 without a legal move, 1 without a label\n"), "{said}");
}

#[test]
fn positions_are_games_with_the_line_of_the_engine() {
    let suite = program().file("suite.epd", "4k3/8/8/8/8/8/4P3/4K3 w - - id \"pawn\";\n");
    let outcome = analyse(suite, &["suite.epd", "-o", "out.pgn"]);
    let written = outcome.string("out.pgn");
    let (start, _) = position("4k3/8/8/8/8/8/4P3/4K3 w - -", CastlingMode::Standard).unwrap();
    let line = numbered(&start, &san(&start, &best(&start).unwrap().moves)).join(" ");
    assert!(written.starts_with("[Event \"pawn\"]\n"), "{written}");
    assert!(written.ends_with(&format!("\n\n{line} *\n\n")), "{written} {line}");
}

#[test]
fn an_interrupted_run_goes_on_in_any_format() {
    let whole = analyse(games(), &["games.pgn", "-o", "out.pgn"]).file("out.pgn").unwrap();
    let records = analyse(games(), &["games.pgn"]);
    let digits = records.text().split_once("; #").unwrap().1.split_once('"').unwrap().0;
    let half: String = records.lines().iter().take(20).map(|line| sealed(line, digits)).collect();
    for name in ["out.pgn", "out.csv"] {
        let partial = format!("{name}.partial");
        let refused = analyse(games().file(&partial, &half), &["games.pgn", "-o", name]);
        assert_eq!(refused.status, 2);
        assert!(refused.stderr.contains("continue it with --resume"), "{}", refused.stderr);
        let resumed = games().file(&partial, &half);
        let outcome = analyse(resumed, &["games.pgn", "-o", name, "--resume"]);
        assert!(outcome.stderr.starts_with("25 positions analysed, 20 done before"));
        assert_eq!(outcome.names(), ["games.pgn", name]);
        if name == "out.pgn" {
            assert!(outcome.file(name).unwrap() == whole);
        }
    }
}

#[test]
fn what_can_be_read_of_a_damaged_file_is_written_if_the_user_wants_it() {
    let whole = pack::gzip(&fixture("classics.pgn"));
    let given = || program().file("games.pgn.gz", &whole[..whole.len() / 2]);
    let plain = analyse(program().file("games.pgn", fixture("classics.pgn")), &["games.pgn"]);
    for name in ["out.epd", "out.csv", "out.pgn"] {
        let arguments = ["games.pgn.gz", "-o", name];
        let stopped = analyse(given(), &arguments);
        assert_eq!(stopped.status, 2);
        assert_eq!(stopped.names(), ["games.pgn.gz", &format!("{name}.partial")]);
        assert!(stopped.stderr.contains("--resume goes on"), "{}", stopped.stderr);
        let kept = analyse(given(), &[&arguments[..], &["--on-damage=keep"]].concat());
        assert_eq!(
            (kept.status, kept.names()),
            (2, vec!["games.pgn.gz".to_owned(), name.to_owned()])
        );
        assert!(kept.stderr.ends_with("cannot read games.pgn.gz: the gzip data ends too early\n"));
        assert!(!kept.stderr.contains("--resume"), "{}", kept.stderr);
        let written = kept.string(name);
        match name {
            // The move of the last record is missing.
            "out.epd" => {
                let records = written.lines().count();
                assert!(records > 20);
                assert!(written.lines().zip(plain.lines()).take(records - 1).all(|(a, b)| a == b));
            }
            "out.csv" => assert!(written.lines().count() > 20),
            _ => assert!(written.matches("[%eval ").count() > 20, "{written}"),
        }
    }
}
