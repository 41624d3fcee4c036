//! Engines as processes: the scripted engine does what engines do, right and wrong.

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use engine::{
    Answer, Board, EngineError, Limits, OptionSetting, Pool, Question, Score, Settings, StopCheck,
    WinDrawLoss,
};
use proptest::prelude::*;
use san::{MoveText, Position, Variant, VariantPosition};
use testkit::scripted_engine::{self, EXIT_STATUS, Expected, expected};

#[test]
fn scripted_engine() {
    scripted_engine::run();
}

fn settings(script: &[&str]) -> Settings {
    let words = scripted_engine::command("scripted_engine", script);
    let command = shlex::try_join(words.iter().map(String::as_str)).unwrap();
    let limits = Limits { nodes: Some(500), ..Limits::default() };
    Settings { limits, ..Settings::new(command.parse().unwrap()) }
}

fn pool(settings: Settings, engines: usize) -> Pool {
    Pool::start(settings, NonZeroUsize::new(engines).unwrap()).unwrap()
}

fn question(fen: &str) -> Question {
    Question::new(Board::Chess(Position::from_fen(fen).unwrap()))
}

/// Positions with different halfmove clocks, whose FEN are all different.
fn fens(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("4k3/8/8/8/8/8/4P3/4K2R w K - {number} 60")).collect()
}

fn ask(pool: &mut Pool, fens: &[String]) -> Vec<Result<Answer, EngineError>> {
    let mut answers = Vec::new();
    for fen in fens {
        pool.push(question(fen));
        while let Some(answer) = pool.next_ready() {
            answers.push(answer.unwrap());
        }
    }
    while let Some(answer) = pool.wait() {
        answers.push(answer.unwrap());
    }
    answers
}

fn uci(answer: &Answer) -> Vec<(Score, Vec<String>)> {
    let text = |mv: &MoveText| mv.to_string();
    let line = |line: &engine::EvaluatedLine| (line.score, line.moves.iter().map(text).collect());
    answer.lines.iter().map(line).collect()
}

/// The lines of the engine, in SAN by shakmaty.
fn as_san(fen: &str, chess960: bool, lines: &[Expected]) -> Vec<(Score, Vec<String>)> {
    use shakmaty::{CastlingMode, Chess, fen::Fen, san::SanPlus, uci::UciMove};
    let mode = if chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
    let start: Chess = fen.parse::<Fen>().unwrap().into_position(mode).unwrap();
    let line = |line: &Expected| {
        let mut position = start.clone();
        let moves = line.moves.iter().map(|text| {
            let mv = text.parse::<UciMove>().unwrap().to_move(&position).unwrap();
            SanPlus::from_move_and_play_unchecked(&mut position, mv).to_string()
        });
        (Score::Centipawns(line.score), moves.collect())
    };
    lines.iter().map(line).collect()
}

#[test]
fn answers_leave_in_the_order_of_the_questions() {
    let fens = fens(300);
    for engines in [1, 3] {
        let mut pool = pool(settings(&["slow=3"]), engines);
        assert_eq!(pool.name(), "Scripted 1.0");
        let answers = ask(&mut pool, &fens);
        assert_eq!(answers.len(), fens.len());
        for (fen, answer) in fens.iter().zip(answers) {
            let answer = answer.unwrap();
            let lines = as_san(fen, false, &expected(fen, false, 1, &[]));
            assert_eq!(uci(&answer), lines, "{fen}");
            assert_eq!(answer.best.as_str(), lines[0].1[0], "{fen}");
            assert_eq!((answer.nodes, answer.lines[0].depth), (Some(500), Some(7)));
        }
    }
}

#[test]
fn noise_and_bounds_change_nothing() {
    let fens = fens(10);
    let plain = ask(&mut pool(settings(&[]), 1), &fens);
    let plain: Vec<Answer> = plain.into_iter().map(Result::unwrap).collect();
    for script in [&["chatty"][..], &["bounds"], &["chatty", "bounds"]] {
        let noisy = ask(&mut pool(settings(script), 2), &fens);
        let noisy: Vec<Answer> = noisy.into_iter().map(Result::unwrap).collect();
        assert_eq!(noisy, plain, "{script:?}");
    }
}

#[test]
fn an_engine_that_fails_is_restarted_and_asked_again() {
    let fens = fens(12);
    let plain = ask(&mut pool(settings(&[]), 1), &fens);
    for script in ["crash=3", "lie=3", "garbage=3", "close=3", "hang=4"] {
        let quick = Settings { timeout: Duration::from_millis(1500), ..settings(&[script]) };
        let answers = ask(&mut pool(quick, 2), &fens);
        for (answer, plain) in answers.iter().zip(&plain) {
            assert_eq!(answer.as_ref().unwrap(), plain.as_ref().unwrap(), "{script}");
        }
    }
}

#[test]
fn a_position_that_fails_twice_is_reported_and_the_others_are_answered() {
    let fens = fens(6);
    for (script, message) in [
        ("crash=K - 3 ", "the engine ended (exit status: 3): a piece fell off the board"),
        ("lie=K - 3 ", "the engine answered \"a1a1\", which is illegal"),
        (
            "garbage=K - 3 ",
            "the engine wrote \"segment 1000 of the log\", and more that is not UCI",
        ),
        ("hang=K - 3 ", "the engine wrote nothing for 1.5 s"),
    ] {
        let quick = Settings { timeout: Duration::from_millis(1500), ..settings(&[script]) };
        let answers = ask(&mut pool(quick, 2), &fens);
        for (number, answer) in answers.iter().enumerate() {
            match answer {
                Ok(_) => assert_ne!(number, 3, "{script}"),
                Err(error) => {
                    let message = message.replace("exit status", EXIT_STATUS);
                    assert_eq!((number, error.to_string()), (3, message), "{script}");
                }
            }
        }
    }
}

#[test]
fn a_run_that_is_stopped_ends_its_engines() {
    let began = Instant::now();
    let stop = StopCheck::new(|| true);
    let mut pool = pool(Settings { stop, ..settings(&["hang=K - 0 "]) }, 2);
    pool.push(question(&fens(1)[0]));
    assert!(matches!(pool.wait(), Some(Err(EngineError::Stopped))));
    // Waits for the engine, which without being killed ends after a minute.
    drop(pool);
    assert!(began.elapsed() < Duration::from_secs(20));
}

#[test]
fn best_moves_win_draw_loss_and_mates_are_read() {
    let fen = "4k3/8/8/8/8/8/4P3/4K2R w K - 0 60";
    let asked = Settings { multipv: 3, shows_wdl: true, ..settings(&[]) };
    let answers = ask(&mut pool(asked, 1), &[fen.to_owned()]);
    let answer = answers[0].as_ref().unwrap();
    assert_eq!(uci(answer), as_san(fen, false, &expected(fen, false, 3, &[])));
    let WinDrawLoss { wins, draws, losses } = answer.lines[2].wdl.unwrap();
    assert_eq!((wins + draws, losses), (1000, 0));
    // Without the option, the engine says nothing of it.
    let lacking = Settings { shows_wdl: true, ..settings(&["lacks=UCI_ShowWDL", "mates"]) };
    let answers = ask(&mut pool(lacking, 1), &fens(40));
    let mut signs: Vec<bool> = Vec::new();
    for (fen, answer) in fens(40).iter().zip(answers) {
        let line = answer.unwrap().lines[0].clone();
        let Score::Mate(moves) = line.score else { panic!("{line:?}") };
        assert_eq!((moves, line.wdl), (expected(fen, false, 1, &[])[0].score, None));
        signs.push(moves > 0);
    }
    assert!(signs.contains(&true) && signs.contains(&false));
}

#[test]
fn only_given_moves_are_searched() {
    let fen = "4k3/8/8/8/8/8/4P3/4K2R w K - 0 60";
    let mut question = question(fen);
    question.search_only(["O-O", "Rh7"]).unwrap();
    let mut pool = pool(Settings { multipv: 9, ..settings(&[]) }, 1);
    pool.push(question);
    let answer = pool.wait().unwrap().unwrap().unwrap();
    assert_eq!(uci(&answer), as_san(fen, false, &expected(fen, false, 9, &["e1g1", "h1h7"])));
    assert_eq!(answer.lines.len(), 2);
}

#[test]
fn chess960_and_variants_are_played_if_the_engine_can() {
    let standard = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    let chess960 = "4k3/8/8/8/8/8/8/1RK4R w HB - 0 1";
    let mut all = pool(Settings { multipv: 256, ..settings(&[]) }, 1);
    let fens = [standard, chess960, standard].map(str::to_owned);
    let answers = ask(&mut all, &fens);
    for ((fen, answer), is_960) in fens.iter().zip(answers).zip([false, true, false]) {
        let lines = uci(&answer.unwrap());
        assert_eq!(lines, as_san(fen, is_960, &expected(fen, is_960, 256, &[])), "{fen}");
        assert!(lines.iter().any(|(_, moves)| moves[0] == "O-O"), "{fen}");
    }
    let mut lacking = pool(settings(&["lacks=UCI_Chess960"]), 1);
    let answers = ask(&mut lacking, &fens);
    assert!(answers[0].is_ok() && answers[2].is_ok());
    assert!(matches!(answers[1], Err(EngineError::NoChess960)));

    let variant = |variant, fen: &[u8]| {
        let (position, _, _) = VariantPosition::playable_from_fen(variant, fen).unwrap();
        Question::new(Board::Variant(position))
    };
    all.push(variant(Variant::Crazyhouse, b"4k3/8/8/8/8/8/8/4K3[N] w - - 0 1"));
    let answer = all.wait().unwrap().unwrap().unwrap();
    assert!(answer.lines.iter().any(|line| line.moves[0].as_str() == "N@f6+"));
    all.push(variant(Variant::Horde, b"4k3/8/8/8/8/8/PPPPPPPP/PPPPPPPP w - - 0 1"));
    let error = all.wait().unwrap().unwrap().unwrap_err();
    assert_eq!(error.to_string(), "the engine does not play horde");
}

/// The lines that engines have read.
fn log(script: &[&str], change: impl FnOnce(&mut Settings), fens: &[String]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let word = format!("log={}", path.display());
    let mut settings = settings(&[script, &[&word]].concat());
    change(&mut settings);
    ask(&mut pool(settings, 1), fens);
    std::fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn the_dialogue_is_that_of_uci() {
    let setting = |text: &str| text.parse::<OptionSetting>().unwrap();
    let change = |settings: &mut Settings| {
        settings.options = vec![setting("hash=32"), setting("Clear Hash")];
        settings.limits.movetime = Some(Duration::from_millis(20));
    };
    let fen = |number| format!("position fen 4k3/8/8/8/8/8/4P3/4K2R w K - {number} 60");
    let game =
        |number| ["ucinewgame", "isready", &fen(number), "go nodes 500 movetime 20"].join("\n");
    let options = "setoption name Hash value 32\nsetoption name Clear Hash";
    let expected = ["uci", options, "isready", &game(0), &game(1), "quit"];
    assert_eq!(log(&[], change, &fens(2)).join("\n"), expected.join("\n"));
    let kept = log(&[], |settings| settings.keeps_hash = true, &fens(2));
    assert!(!kept.contains(&"ucinewgame".to_owned()), "{kept:?}");
}

#[test]
fn an_engine_that_cannot_be_used_is_an_error_at_the_start() {
    let failure = |settings| Pool::start(settings, NonZeroUsize::MIN).unwrap_err().to_string();
    let with = |options| Settings { options, ..settings(&["lacks=UCI_Variant"]) };
    let option = |text: &str| with(vec![text.parse().unwrap()]);
    assert_eq!(failure(option("Hash=4096")), "Hash=4096: the engine expects 1 to 1024");
    let names = "Hash, Clear Hash, MultiPV, UCI_Chess960, UCI_ShowWDL, Text";
    let unknown = format!("the engine has no option Threds; it has {names}");
    assert_eq!(failure(option("Threds=1")), unknown);
    let missing = Settings::new("./no-such-engine".parse().unwrap());
    assert_eq!(failure(missing), "./no-such-engine cannot be started");
    if cfg!(unix) {
        let ended = Settings::new("sh -c 'echo no net >&2; exit 7'".parse().unwrap());
        assert_eq!(failure(ended), "the engine ended (exit status: 7): no net");
    }
}

/// A time-out also ends what an engine has started, here a process that keeps its output open.
#[cfg(unix)]
#[test]
fn a_script_around_an_engine_is_ended_with_it() {
    let command = "sh -c 'echo uciok; echo readyok; sleep 3600 & wait'".parse().unwrap();
    let timeout = Duration::from_millis(300);
    let began = Instant::now();
    let mut pool = pool(Settings { timeout, ..Settings::new(command) }, 1);
    pool.push(question("4k3/8/8/8/8/8/4P3/4K2R w K - 0 60"));
    let error = pool.wait().unwrap().unwrap().unwrap_err();
    assert_eq!(error.to_string(), "sh wrote no readyok for 0.3 s");
    assert!(began.elapsed() < Duration::from_secs(600));
}

/// An engine that does not come to an end gets `stop`, and the position is an error, whatever
/// the engine writes.
#[test]
fn a_search_without_an_end_is_stopped() {
    let time = Duration::from_millis(1500);
    let (nodes, depth) = (Limits { nodes: Some(5), ..Limits::default() }, Some(3));
    let depth = Limits { depth, ..Limits::default() };
    let movetime = Limits { movetime: Some(Duration::from_millis(50)), ..Limits::default() };
    let beyond = "the engine searched on for 1.5 s after its limit, ";
    let babble = "the engine wrote nothing new for 1.5 s";
    let cases = [
        (nodes, "info depth 1 nodes # score cp 1 pv e2e4", &*format!("{beyond}nodes 5")),
        (depth, "info depth # nodes 1", &format!("{beyond}depth 3")),
        (depth, "info nodes 7", babble),
        (movetime, "info depth # nodes # currmove e2e4", &format!("{beyond}movetime 50")),
        (nodes, "info depth 1 nodes 1 time # score cp 1 pv e2e4", babble),
        (depth, "info string #", babble),
        (nodes, "", babble),
        (depth, "uciok", babble),
        (nodes, "readyok", babble),
        (depth, "option name Late type button", babble),
    ];
    std::thread::scope(|scope| {
        for (limits, text, expected) in cases {
            scope.spawn(move || {
                let folder = tempfile::tempdir().unwrap();
                let log = folder.path().join("log");
                let words =
                    ["endless=K - 1 ", &format!("says={text}"), &format!("log={}", log.display())];
                let settings = Settings { limits, timeout: time, ..settings(&words) };
                let answers = ask(&mut pool(settings, 1), &fens(3));
                assert!(answers[0].is_ok() && answers[2].is_ok(), "{text}");
                assert_eq!(answers[1].as_ref().unwrap_err().to_string(), expected, "{text}");
                let log = std::fs::read_to_string(log).unwrap();
                assert!(log.contains("stop\nquit\n"), "{text}: {log}");
            });
        }
    });
}

/// It is not said to have searched on.
#[test]
fn an_engine_that_writes_nothing_in_its_time_is_silent() {
    let limits = Limits { movetime: Some(Duration::from_millis(50)), ..Limits::default() };
    let timeout = Duration::from_millis(1500);
    let settings = Settings { limits, timeout, ..settings(&["hang=K - 1 "]) };
    let answers = ask(&mut pool(settings, 1), &fens(3));
    assert!(matches!(answers[1], Err(EngineError::Silent { babbles: false, .. })), "{answers:?}");
    assert!(answers[0].is_ok() && answers[2].is_ok());
}

/// What an engine writes does not renew the time for an answer to `uci` and `isready`.
#[cfg(unix)]
#[test]
fn an_engine_that_does_not_answer_is_named() {
    let failure = |command: &str| {
        let timeout = Duration::from_millis(400);
        let settings = Settings { timeout, ..Settings::new(command.parse().unwrap()) };
        Pool::start(settings, NonZeroUsize::MIN).unwrap_err().to_string()
    };
    for (command, expected) in [
        ("cat", "cat wrote no uciok for 0.4 s: is it a UCI engine?"),
        ("yes ''", "yes wrote no uciok for 0.4 s: is it a UCI engine?"),
        ("yes 'option name X type button'", "yes wrote no uciok for 0.4 s: is it a UCI engine?"),
        ("yes 'id name X'", "yes wrote no uciok for 0.4 s: is it a UCI engine?"),
        ("yes uciok", "yes wrote no readyok for 0.4 s"),
        ("yes x", "the engine wrote \"x\", and more that is not UCI"),
    ] {
        assert_eq!(failure(command), expected, "{command}");
    }
}

/// A process that an engine has started, and that is not of its group, keeps its output open.
#[cfg(unix)]
#[test]
fn the_end_of_an_engine_is_the_end_of_its_output() {
    let began = Instant::now();
    let helper = "sleep 3600 & echo $! >&2; trap '' TERM";
    let with_helper = |words: &[&str]| {
        let words = scripted_engine::command("scripted_engine", words);
        let engine = shlex::try_join(words.iter().map(String::as_str)).unwrap();
        let script = format!("set -m; {helper}; exec {engine}");
        let command = shlex::try_join(["sh", "-c", &script]).unwrap();
        let limits = Limits { nodes: Some(500), ..Limits::default() };
        Settings { limits, ..Settings::new(command.parse().unwrap()) }
    };
    let fens = fens(4);
    for (words, failed) in [(&[][..], 0), (&["crash=K - 1 "], 1), (&["close=2"], 0)] {
        let answers = ask(&mut pool(with_helper(words), 1), &fens);
        let errors: Vec<_> = answers.into_iter().filter_map(Result::err).collect();
        assert_eq!(errors.len(), failed, "{words:?} {errors:?}");
        assert!(errors.iter().all(|error| matches!(error, EngineError::Ended { .. })));
    }
    let hangs = Settings { timeout: Duration::from_millis(1500), ..with_helper(&["hang=K - 1 "]) };
    let answers = ask(&mut pool(hangs, 1), &fens);
    assert!(matches!(answers[1], Err(EngineError::Silent { babbles: false, .. })));
    assert!(began.elapsed() < Duration::from_secs(120));
}

/// The longest times are no limits, and no error.
#[test]
fn times_have_no_greatest_value() {
    let all =
        Limits { movetime: Some(Duration::MAX), depth: Some(u32::MAX), nodes: Some(u64::MAX) };
    for limits in [all, Limits { movetime: None, ..all }] {
        let settings = Settings { timeout: Duration::MAX, limits, ..settings(&[]) };
        assert!(ask(&mut pool(settings, 1), &fens(2)).iter().all(Result::is_ok));
    }
}

/// What UCI consists of, right and wrong.
fn uci_line() -> impl Strategy<Value = String> {
    const WORDS: [&str; 32] = [
        "info", "bestmove", "depth", "nodes", "time", "multipv", "score", "cp", "mate",
        "lowerbound", "upperbound", "wdl", "pv", "currmove", "string", "refutation", "currline",
        "0", "1", "2", "-3", "99999999999", "e2e4", "e7e5", "e1g1", "a1a1", "e7e8q", "(none)",
        "0000", "P@e4", "é", "",
    ];
    const OUT_OF_RANGE: [&str; 2] = ["-9223372036854775808", "18446744073709551615"];
    let words = [&WORDS[..], &OUT_OF_RANGE].concat();
    let words = proptest::collection::vec(proptest::sample::select(words), 0..12);
    let start =
        proptest::sample::select(&["info ", "info ", "info multipv 2 ", "bestmove ", ""][..]);
    (start, words).prop_map(|(start, words)| start.to_owned() + &words.join(" "))
}

proptest! {
    /// Whatever an engine writes, an answer has legal moves, by shakmaty, and not more of them than
    /// there is room for.
    #[test]
    fn answers_have_legal_moves(lines in proptest::collection::vec(uci_line(), 0..12), any in "\\PC{0,40}") {
        use shakmaty::{Chess, Position, san::SanPlus};
        let question = question("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        let settings = settings(&[]);
        let lines = lines.iter().map(String::as_str).chain([&*any, "bestmove e2e4"]);
        let Ok(answer) = Answer::read(&question, &settings, lines) else { return Ok(()) };
        let plays = |moves: &[MoveText]| {
            let mut position = Chess::default();
            for mv in moves {
                let san: SanPlus = mv.as_str().parse().unwrap();
                position.play_unchecked(san.san.to_move(&position).expect("it is legal"));
            }
        };
        plays(&[answer.best]);
        answer.lines.iter().for_each(|line| plays(&line.moves));
        answer.findings.iter().for_each(|found| plays(&[found.best]));
        prop_assert!(answer.lines.len() <= 1024 && answer.findings.len() <= 14);
    }
}
