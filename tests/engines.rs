//! `pgn2epd analyse` with a scripted engine, compared with what that engine answers.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use pgn2epd::Options;
use pgn2epd::analyse::{AnalyseOptions, Analysis};
use sha2::{Digest, Sha256};
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode};
use testkit::program::{Outcome, Program};
use testkit::rng::Rng;
use testkit::scripted_engine::{self, EXIT_STATUS, expected};

use crate::support::{PROGRAM, fields, fixture, program};

#[test]
fn scripted_engine() {
    scripted_engine::run();
}

/// The command of the engine with a script, quoted for a POSIX shell.
pub(crate) fn engine(script: &[&str]) -> String {
    let words = scripted_engine::command("engines::scripted_engine", script);
    let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    quoted.join(" ")
}

fn analyse(program: Program, script: &[&str], arguments: &[&str]) -> Outcome {
    program.args(["analyse", "--engine", &engine(script), "--nodes", "500"]).args(arguments).run()
}

/// A position of a line of EPD with the counters of its operations.
pub(crate) fn position(line: &str, mode: CastlingMode) -> Option<(Chess, String)> {
    let all = operations(line);
    let counter = |name, default| all.get(name).map_or(default, String::as_str);
    let fen = format!("{} {} {}", fields(line), counter("hmvc", "0"), counter("fmvn", "1"));
    let fen: Fen = fen.parse().unwrap();
    let position: Chess = fen.into_position(mode).ok()?;
    // An en passant square only if a capture is legal, as the engine gets it.
    let fen = Fen::from_position(&position, EnPassantMode::Legal).to_string();
    Some((position, fen))
}

/// The operations of a line, by their opcodes.
pub(crate) fn operations(line: &str) -> BTreeMap<String, String> {
    let text = line.splitn(5, ' ').nth(4).unwrap_or_default();
    let all = text.split(';').map(str::trim).filter(|operation| !operation.is_empty());
    let pair = |operation: &str| {
        let (name, operands) = operation.split_once(' ').unwrap_or((operation, ""));
        (name.to_owned(), operands.to_owned())
    };
    all.map(pair).collect()
}

pub(crate) fn san(start: &Chess, moves: &[String]) -> String {
    let mut position = start.clone();
    let moves = moves.iter().map(|text| {
        let mv = text.parse::<UciMove>().unwrap().to_move(&position).unwrap();
        SanPlus::from_move_and_play_unchecked(&mut position, mv).to_string()
    });
    moves.collect::<Vec<_>>().join(" ")
}

/// A line with what the engine answers, made by other code.
fn evaluated(line: &str) -> String {
    let mut all = operations(line);
    let (position, fen) = position(line, CastlingMode::Standard).unwrap();
    if let Some(best) = expected(&fen, false, 1, &[]).first() {
        let line = san(&position, &best.moves);
        let first = line.split(' ').next().unwrap().to_owned();
        let added = [
            ("acd", "7".to_owned()),
            ("acn", "500".to_owned()),
            ("ce", best.score.to_string()),
            ("pm", first),
            ("pv", line),
        ];
        all.extend(added.map(|(name, operands)| (name.to_owned(), operands)));
    }
    let written = all.iter().map(|(name, operands)| match &**operands {
        "" => format!(" {name};"),
        operands => format!(" {name} {operands};"),
    });
    fields(line) + &written.collect::<String>()
}

/// Removes the name of the engine and its settings from the first record, and returns the digits
/// that stand for them.
fn without_header(text: &str) -> (String, String) {
    let (before, after) = text.split_once(" c9 \"Scripted 1.0; nodes 500").unwrap();
    let (_, after) = after.split_once("; #").unwrap();
    let (digits, after) = after.split_once("\";").unwrap();
    (before.to_owned() + after, digits.to_owned())
}

/// A record as it is kept for a later run.
pub(crate) fn sealed(record: &str, settings: &str) -> String {
    let sealed = format!("{record} settings {settings};");
    let digest = Sha256::digest(&sealed);
    let digits: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    format!("{sealed} checksum {digits};\n")
}

/// The records of a file in which they are kept.
fn kept(file: &[u8]) -> String {
    let lines = str::from_utf8(file).unwrap().lines();
    lines.map(|line| line.rsplit_once(" settings ").unwrap().0.to_owned() + "\n").collect()
}

pub(crate) const FILES: [&str; 2] = ["games.pgn", "more.pgn"];

pub(crate) fn games() -> Program {
    program().file("games.pgn", fixture("immortal.pgn")).file("more.pgn", fixture("classics.pgn"))
}

#[test]
fn each_record_gets_what_the_engine_answers() {
    let plain = games().args(FILES).run();
    let lines: Vec<String> = plain.lines().into_iter().map(evaluated).collect();
    assert!(lines.len() > 100);
    for arguments in [
        &[][..],
        &["--engines", "1", "-j", "1"],
        &["--engines", "5", "--chunk-bytes=500"],
        &["--keep-hash"],
    ] {
        let arguments = [&FILES[..], arguments].concat();
        let outcome = analyse(games(), &["slow=2", "chatty"], &arguments);
        assert_eq!(outcome.status, 0, "{}", outcome.stderr);
        let text = without_header(outcome.text()).0;
        assert!(text.lines().eq(&lines), "{arguments:?}");
    }
}

#[test]
fn the_selection_is_that_of_the_converter() {
    for selection in [
        &["--last"][..],
        &["--ply", "10..20", "--ops", "none"],
        &["--unique", "--sort", "-pieces", "--ops", "hmvc,fmvn"],
        &["--sample", "9", "--seed", "3", "--where", "check"],
    ] {
        let plain = games().args(FILES).args(selection).run();
        let outcome = analyse(games(), &[], &[&FILES[..], selection].concat());
        let lines: Vec<String> = plain.lines().into_iter().map(evaluated).collect();
        assert!(!lines.is_empty());
        assert_eq!(without_header(outcome.text()).0, lines.join("\n") + "\n");
    }
}

#[test]
fn equal_positions_are_analysed_once_and_old_evaluations_are_replaced() {
    let suite = "\
        4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; ce 5; dm 3; id \"a\"; pv Kd1;\n\
        4k3/8/8/8/8/8/4P3/4K3 w - - c9 \"7 points\"; id \"b\";\n\
        4k3/8/8/8/8/8/4P3/4K3 w - - hmvc 4; id \"c\";\n\
        7k/5Q2/6K1/8/8/8/8/8 b - - acd 3; id \"stalemate\";\n";
    let suite_program = program().file("suite.epd", suite);
    let log = suite_program.folder().join("log");
    let word = format!("log={}", log.display());
    let outcome = analyse(suite_program, &[&word], &["--engines=1", "suite.epd"]);
    let log = outcome.file("log").unwrap();
    let searches = String::from_utf8(log).unwrap().matches("go nodes 500").count();
    assert_eq!((searches, outcome.status), (2, 0));
    let clean = suite.replace(" ce 5; dm 3;", "").replace(" pv Kd1;", "").replace(" acd 3;", "");
    let lines: Vec<String> = clean.lines().map(evaluated).collect();
    assert_eq!(without_header(outcome.text()).0, lines.join("\n") + "\n");
    let totals = "2 positions analysed, 1 equal to others, 1 without a legal move\n";
    assert_eq!(outcome.stderr, totals);
}

#[test]
fn best_moves_mates_and_statistics_are_operations() {
    let suite = "4k3/8/8/8/8/8/4P3/4K3 w - -\n4k3/8/8/8/8/8/4P3/4K3 b - -\n";
    let run = |script: &[&str], arguments: &[&str]| {
        let arguments = [&["suite.epd", "--registers=off"], arguments].concat();
        let outcome = analyse(program().file("suite.epd", suite), script, &arguments);
        assert_eq!(outcome.status, 0, "{}", outcome.stderr);
        outcome.lines().iter().map(|line| operations(line)).collect::<Vec<_>>()
    };
    let fens = suite.lines().map(|line| format!("{line} 0 1"));
    let best: Vec<i64> = fens.clone().map(|fen| expected(&fen, false, 1, &[])[0].score).collect();
    for (operations, moves) in run(&["mates"], &[]).iter().zip(&best) {
        let plies = if *moves > 0 { 2 * moves - 1 } else { -2 * moves };
        let ce = if *moves > 0 { 32767 - plies } else { plies - 32767 };
        assert_eq!(operations["ce"], ce.to_string());
        let dm = (*moves > 0).then(|| moves.to_string());
        assert_eq!(operations.get("dm"), dm.as_ref());
    }
    // The scores of the engine differ by 10 from one move to the next.
    let good = run(&[], &["--multipv=4", "--bm=within:20", "--wdl"]);
    for (operations, fen) in good.iter().zip(fens) {
        let (position, fen) = position(&fen, CastlingMode::Standard).unwrap();
        let lines = expected(&fen, false, 3, &[]);
        let moves: Vec<String> =
            lines.iter().map(|line| san(&position, &line.moves[..1])).collect();
        assert_eq!(operations["bm"], moves.join(" "));
        let wdl: Vec<u32> = operations["wdl"].split(' ').map(|n| n.parse().unwrap()).collect();
        assert_eq!((wdl.len(), wdl.iter().sum::<u32>(), wdl[2]), (3, 1000, 0));
        assert_eq!(operations.get("pm"), None);
    }
    assert!(run(&[], &["--bm=best"]).iter().all(|operations| operations.contains_key("bm")));
    for operations in run(&[], &["--searchmoves", "Kd1,Kd8"]) {
        assert!(["Kd1", "Kd8"].contains(&&*operations["pm"]), "{operations:?}");
    }
}

#[test]
fn castling_of_chess960_is_sent_and_read() {
    let suite = "4k3/8/8/8/8/8/8/1RK4R w HB -\n";
    let arguments = ["suite.epd", "--searchmoves=O-O", "--registers=off"];
    let outcome = analyse(program().file("suite.epd", suite), &[], &arguments);
    assert!(outcome.text().contains(" pm O-O; pv O-O "), "{}", outcome.text());
    let lacking = ["lacks=UCI_Chess960"];
    let outcome = analyse(program().file("suite.epd", suite), &lacking, &arguments);
    assert_eq!((outcome.status, outcome.text()), (1, "4k3/8/8/8/8/8/8/1RK4R w KQ -\n"));
    assert!(outcome.stderr.contains("the engine does not play Chess960"), "{}", outcome.stderr);
}

#[test]
fn an_engine_that_fails_once_changes_nothing() {
    let plain = analyse(games(), &[], &["games.pgn"]);
    for script in ["crash=5", "lie=5", "garbage=5", "close=5", "hang=9"] {
        let arguments = ["games.pgn", "--timeout=2", "--engines=2"];
        let outcome = analyse(games(), &[script], &arguments);
        assert_eq!(outcome.status, 0, "{script}: {}", outcome.stderr);
        assert_eq!(without_header(outcome.text()).0, without_header(plain.text()).0, "{script}");
    }
}

#[test]
fn a_position_that_fails_twice_is_reported_and_written_without_an_evaluation() {
    let plain = analyse(games(), &[], &["games.pgn"]);
    for (script, reason) in [
        ("crash=k - 1 2", "the engine ended (exit status: 3): a piece fell off the board"),
        ("lie=k - 1 2", "the engine answered \"a1a1\", which is illegal"),
        ("hang=k - 1 2", "the engine wrote nothing for 1 s"),
    ] {
        // After 1. e4 e5 2. f4 exf4 3. Bc4, no other position has these counters.
        let script = script.replace("k - 1 2", " b KQkq - 1 3");
        let arguments = ["games.pgn", "--timeout=1", "-o", "out.epd"];
        let outcome = analyse(games(), &[&script], &arguments);
        assert_eq!(outcome.status, 1, "{script}");
        assert!(outcome.stderr.starts_with("out.epd:6: rnbqkbnr/"), "{}", outcome.stderr);
        assert!(
            outcome.stderr.replace(EXIT_STATUS, "exit status").contains(reason),
            "{}",
            outcome.stderr
        );
        assert!(outcome.stderr.ends_with(", 1 without a legal move, 1 failed\n"));
        let written = outcome.string("out.epd");
        let (written, plain) = (without_header(&written).0, without_header(plain.text()).0);
        for (number, (line, plain)) in written.lines().zip(plain.lines()).enumerate() {
            let has_evaluation = operations(line).contains_key("ce");
            assert!(if number == 5 { !has_evaluation } else { line == plain }, "{line}");
        }
    }
}

#[test]
fn options_that_the_engine_does_not_have_end_the_run() {
    for (option, reason) in [
        ("Hash=0", "Hash=0: the engine expects 1 to 1024"),
        ("X=0", "the engine has no option X; it has Hash, "),
    ] {
        let outcome = analyse(games(), &[], &["games.pgn", "--option", option]);
        assert_eq!((outcome.status, outcome.text()), (2, ""), "{option}");
        assert!(outcome.stderr.contains(reason), "{}", outcome.stderr);
        assert_eq!(outcome.names(), FILES);
    }
}

#[test]
fn the_preset_names_stockfish_and_its_options() {
    let given = games().args(["analyse", "games.pgn", "--preset=stockfish", "--nodes=1", "-q"]);
    let outcome = given.args(["--engine", &engine(&[]), "--limit=1"]).run();
    assert!(outcome.stderr.contains("the engine has no option Threads"), "{}", outcome.stderr);
    let other = games().args(["analyse", "games.pgn", "--preset=stockfish", "--nodes=1", "-q"]);
    let outcome = other.args(["--engine", &engine(&[]), "--option=Hash=9", "--limit=1"]).run();
    assert!(outcome.text().contains("nodes 1; Hash=9; #"), "{}", outcome.text());
}

/// A run in a folder that stays.
fn command(folder: &Path, script: &[&str], arguments: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command.current_dir(folder).args(["analyse", "--nodes=500", "--engine", &engine(script)]);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

fn error(mut command: Command) -> String {
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_run_that_is_killed_goes_on_where_it_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let plain = games().args(["games.pgn", "more.pgn", "--ops=fmvn,hmvc"]).run();
    fs::write(folder.path().join("all.epd"), &plain.stdout).unwrap();
    let script = ["slow=3", "crash=40"];
    let undisturbed = command(folder.path(), &script, &["all.epd", "-o", "whole.epd"]).status();
    assert!(undisturbed.unwrap().success());
    let whole = fs::read(folder.path().join("whole.epd")).unwrap();
    assert!(whole.len() > 10_000);
    let kills = if std::env::var_os("CI_FULL").is_some() { 100 } else { 10 };
    let mut rng = Rng::new(41);
    let partial = folder.path().join("out.epd.partial");
    let len = || fs::metadata(&partial).map_or(0, |partial| partial.len());
    let (mut most, mut finished, mut last) = (0, 0, Vec::new());
    for _ in 0..kills {
        let arguments = ["all.epd", "-o", "out.epd", "--resume", "--engines=2"];
        let mut run = command(folder.path(), &script, &arguments).spawn().unwrap();
        let enough = (most + rng.below((whole.len() / kills) as u32) as usize) as u64;
        while len() <= enough && run.try_wait().unwrap().is_none() {
            thread::sleep(Duration::from_millis(1));
        }
        run.kill().unwrap();
        finished += usize::from(run.wait().unwrap().success());
        let done = fs::read(&partial).unwrap_or_default();
        if finished == 0 {
            // What was done is kept, and equals the beginning of the whole.
            let end = done.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
            assert!(done.len() >= most && whole.starts_with(kept(&done[..end]).as_bytes()));
            (most, last) = (done.len(), done);
        }
    }
    // Ctrl-C names the way to go on.
    #[cfg(unix)]
    {
        // The rest must take longer than it takes to send the signal.
        let half = &last[..most / 2];
        fs::write(&partial, half).unwrap();
        let arguments = ["all.epd", "-o", "out.epd", "--resume"];
        let mut run = command(folder.path(), &script, &arguments);
        let mut run = run.stderr(std::process::Stdio::piped()).spawn().unwrap();
        while len() <= half.len() as u64 && run.try_wait().unwrap().is_none() {
            thread::sleep(Duration::from_millis(1));
        }
        let pid = rustix::process::Pid::from_child(&run);
        rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
        let outcome = run.wait_with_output().unwrap();
        let messages = String::from_utf8(outcome.stderr).unwrap();
        let advice = "out.epd.partial has what is done; --resume goes on\n";
        assert!(outcome.status.code().is_none() && messages.ends_with(advice), "{messages}");
    }
    // A last line that is cut off.
    fs::write(&partial, &last[..most.max(20) - 10]).unwrap();
    let arguments = ["all.epd", "-o", "out.epd", "--resume"];
    let resumed = command(folder.path(), &script, &arguments).output();
    assert!(resumed.unwrap().status.success());
    assert_eq!(fs::read(folder.path().join("out.epd")).unwrap(), whole);
    assert!(!partial.exists());
}

#[test]
fn earlier_results_are_those_of_the_same_input_and_settings() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let suite = "4k3/8/8/8/8/8/4P3/4K3 w - - id \"a\";\n4k3/8/8/8/8/8/3P4/4K3 w - - id \"b\";\n";
    fs::write(path.join("suite.epd"), suite).unwrap();
    let run = ["suite.epd", "-o", "out.epd"];
    let resumed = ["suite.epd", "-o", "out.epd", "--resume"];
    assert!(command(path, &[], &run).status().unwrap().success());
    let whole = fs::read(path.join("out.epd")).unwrap();
    let first = str::from_utf8(&whole).unwrap().lines().next().unwrap();
    let digits = without_header(first).1;
    let half = sealed(first, &digits);
    // Without the option, results of an interrupted run are not overwritten.
    fs::write(path.join("out.epd.partial"), &half).unwrap();
    let found = error(command(path, &[], &run));
    assert!(found.contains("out.epd.partial has the results of a run that was interrupted"));
    let other = error(command(path, &[], &[&resumed[..], &["--depth=3"]].concat()));
    assert!(other.contains("made with \"Scripted 1.0; nodes 500; #"), "{other}");
    fs::write(path.join("suite.epd"), suite.replace("id \"a\"", "id \"x\"")).unwrap();
    let other = error(command(path, &[], &resumed));
    assert!(other.contains("another input: record 1 is not the same"), "{other}");
    fs::write(path.join("suite.epd"), "").unwrap();
    let other = error(command(path, &[], &resumed));
    assert!(other.contains("another input: record 1 is not the same"), "{other}");
    assert_eq!(fs::read_to_string(path.join("out.epd.partial")).unwrap(), half);
    // A complete file is continued too: nothing is asked again.
    let more = format!("{suite}4k3/8/8/8/8/8/2P5/4K3 w - -\n");
    fs::write(path.join("suite.epd"), &more).unwrap();
    fs::remove_file(path.join("out.epd.partial")).unwrap();
    let output = command(path, &[], &resumed).output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "1 position analysed, 2 done before\n");
    let written = fs::read_to_string(path.join("out.epd")).unwrap();
    let lines: Vec<String> = more.lines().map(evaluated).collect();
    assert_eq!(without_header(&written).0, lines.join("\n") + "\n");
}

#[test]
fn a_cache_has_the_evaluations_of_earlier_runs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let suite =
        "4k3/8/8/8/8/8/4P3/4K3 w - - id \"a\";\n4k3/8/8/8/8/8/3P4/4K3 w - - hmvc 4; id \"b\";\n";
    fs::write(path.join("suite.epd"), suite).unwrap();
    let run = |arguments: &[&str]| {
        let arguments = [&["suite.epd", "-o", "out.epd", "--cache=cache"], arguments].concat();
        let output = command(path, &["crash=2"], &arguments).output().unwrap();
        let text = fs::read_to_string(path.join("out.epd")).unwrap_or_default();
        (String::from_utf8(output.stderr).unwrap(), text)
    };
    let (totals, first) = run(&[]);
    assert_eq!(totals, "2 positions analysed\n");
    let cache = || fs::read_to_string(path.join("cache")).unwrap();
    let whole = cache();
    assert_eq!(whole.lines().count(), 3);
    // Counters and the operations of the record do not belong to its evaluation.
    fs::write(path.join("suite.epd"), suite.replace("id \"a\"", "fmvn 9; id \"x\"")).unwrap();
    let (totals, second) = run(&[]);
    assert_eq!(totals, "0 positions analysed, 2 equal to others\n");
    assert_eq!(second, first.replace("id \"a\"", "fmvn 9; id \"x\""));
    assert_eq!(cache(), whole);
    // Another limit, and another number of plies since a capture.
    assert_eq!(run(&["--depth=3"]).0, "2 positions analysed\n");
    fs::write(path.join("suite.epd"), suite.replace("hmvc 4", "hmvc 5")).unwrap();
    assert_eq!(run(&[]).0, "1 position analysed, 1 equal to others\n");
    assert_eq!(cache().lines().count(), 6);
    assert!(cache().starts_with(&whole));
    // A run that was killed while it wrote a line, or the first one.
    fs::write(path.join("cache"), &whole[..whole.len() - 5]).unwrap();
    fs::write(path.join("suite.epd"), suite).unwrap();
    assert_eq!(run(&[]), ("1 position analysed, 1 equal to others\n".to_owned(), first.clone()));
    assert_eq!(cache(), whole);
    fs::write(path.join("cache"), &whole[..7]).unwrap();
    assert_eq!(run(&[]), ("2 positions analysed\n".to_owned(), first));
    assert_eq!(cache(), whole);
    // Other files stay as they are.
    let (head, records) = whole.split_once('\n').unwrap();
    let no_checksum = format!("{head}\n{}", kept(records.as_bytes()));
    for (text, reason) in [
        (suite, "cache is not a cache of evaluations"),
        ("no line feed", "cache is not a cache of evaluations"),
        (&format!("{whole}4k3/8/8 w"), ""),
        (&format!("{whole}4k3/8/8 w\n"), "line 4 of the cache is damaged"),
        (&no_checksum, "line 2 of the cache is damaged"),
        (&whole.replacen(", each with a checksum", "", 1), "cache is not a cache of evaluations"),
    ] {
        fs::write(path.join("cache"), text).unwrap();
        let (message, _) = run(&[]);
        assert!(message.contains(reason), "{message}");
        assert_eq!(cache(), if reason.is_empty() { &whole } else { text });
    }
    let refused = error(command(path, &[], &["suite.epd", "--cache=suite.epd"]));
    assert!(refused.contains("suite.epd"), "{refused}");
}

/// An evaluation belongs to the command of an engine with its arguments, and to all options: those
/// behind the 255 bytes that a comment has room for too.
#[test]
fn evaluations_with_other_settings_are_not_taken() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let lines = (1..6).map(|clock| format!("4k3/8/8/8/8/8/4P3/4K3 w - - hmvc {clock};\n"));
    fs::write(path.join("suite.epd"), lines.collect::<String>()).unwrap();
    let long = format!("--option=Text={}", "a".repeat(300));
    let settings: [(&[&str], &[&str]); 5] = [
        (&[], &[]),
        (&["scale=3"], &[]),
        (&[], &[&long, "--option=Hash=1"]),
        (&[], &[&long, "--option=Hash=2"]),
        (&[], &[&long, "--option=Hash=2", "--wdl"]),
    ];
    let run = |(script, arguments): (&[&str], &[&str]), more: &[&str]| {
        let arguments = [&["suite.epd", "-o", "out.epd"], arguments, more].concat();
        let output = command(path, script, &arguments).output().unwrap();
        let text = fs::read_to_string(path.join("out.epd")).unwrap_or_default();
        (String::from_utf8(output.stderr).unwrap(), text)
    };
    for kept in settings {
        for other in settings.into_iter().filter(|other| *other != kept) {
            let _ = fs::remove_file(path.join("cache"));
            let (_, before) = run(kept, &["--cache=cache"]);
            let (message, cached) = run(other, &["--cache=cache"]);
            assert_eq!(message, "5 positions analysed\n", "{kept:?} {other:?}");
            assert_eq!(cached, run(other, &[]).1, "{kept:?} {other:?}");
            assert_eq!(
                run(kept, &["--cache=cache"]),
                ("0 positions analysed, 5 equal to others\n".to_owned(), before.clone())
            );
            // What is kept in the output, and in the file beside it.
            let (message, text) = run(other, &["--resume"]);
            let reason = "pgn2epd: the earlier results were made with";
            assert!(message.lines().any(|line| line.starts_with(reason)), "{message}");
            assert_eq!(text, before);
            let digits = before.split_once("; #").unwrap().1.split_once('"').unwrap().0;
            let first = sealed(before.lines().next().unwrap(), digits);
            fs::write(path.join("out.epd.partial"), &first).unwrap();
            let (message, _) = run(other, &["--resume"]);
            assert!(message.contains("the earlier results were made with"), "{message}");
            assert_eq!(fs::read_to_string(path.join("out.epd.partial")).unwrap(), first);
            let (message, text) = run(kept, &["--resume"]);
            assert_eq!((&*message, text), ("4 positions analysed, 1 done before\n", before));
        }
    }
    // Without comments a file says nothing of the settings, but the one beside it does.
    let off = |more: &[&str]| run(settings[0], &[&["--registers=off"], more].concat());
    let (_, plain) = off(&[]);
    let message = off(&["--resume"]).0;
    assert!(
        message.contains("does not say in its first record what it was made with"),
        "{message}"
    );
    assert!(!path.join("out.epd.partial").exists());
    let digits = without_header(&run(settings[0], &[]).1).1;
    let beside = sealed(plain.lines().next().unwrap(), &digits);
    for (script, expected) in
        [(&["scale=3"][..], "were made with \"#"), (&[], "4 positions analysed, 1 done")]
    {
        fs::write(path.join("out.epd.partial"), &beside).unwrap();
        let message = run((script, &["--registers=off"]), &["--resume"]).0;
        assert!(message.contains(expected), "{message}");
    }
    assert_eq!(fs::read_to_string(path.join("out.epd")).unwrap(), plain);
}

/// Whatever happens to a file of evaluations, the run is refused or its result is the same.
#[test]
fn damaged_caches_and_results_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let lines = (1..9).map(|clock| format!("4k3/8/8/8/8/8/4P3/4K3 w - - hmvc {clock};\n"));
    fs::write(path.join("suite.epd"), lines.collect::<String>()).unwrap();
    let run = |more: &[&str]| {
        let arguments = [&["suite.epd", "-o", "out.epd"], more].concat();
        command(path, &[], &arguments).output().unwrap()
    };
    assert!(run(&["--cache=cache"]).status.success());
    let whole = fs::read_to_string(path.join("out.epd")).unwrap();
    let cache = fs::read(path.join("cache")).unwrap();
    let digits = without_header(&whole).1;
    let beside: String = whole.lines().take(6).map(|line| sealed(line, &digits)).collect();
    let mut rng = Rng::new(62);
    let (mut refused, mut taken) = (0, 0);
    let runs = if std::env::var_os("CI_FULL").is_some() { 400 } else { 40 };
    for number in 0..2 * runs {
        let is_cache = number % 2 == 0;
        let mut bytes = if is_cache { cache.clone() } else { beside.clone().into_bytes() };
        let mut at = || rng.below(bytes.len() as u32) as usize;
        let (a, b) = (at(), at());
        let (from, to) = (a.min(b), a.max(b));
        match rng.below(6) {
            0 => bytes[from] ^= 1 << rng.below(8),
            1 => drop(bytes.drain(from..(from + 1 + rng.below(60) as usize).min(bytes.len()))),
            2 => drop(bytes.drain(from..to)),
            3 => drop(bytes.splice(to..to, bytes.clone().drain(from..to))),
            4 => bytes.swap(from, to),
            _ => bytes.truncate(from),
        }
        let (name, option) = match is_cache {
            true => ("cache", "--cache=cache"),
            false => ("out.epd.partial", "--resume"),
        };
        fs::remove_file(path.join("out.epd")).unwrap();
        fs::write(path.join(name), &bytes).unwrap();
        let output = run(&[option]);
        let message = String::from_utf8(output.stderr).unwrap();
        if output.status.success() {
            taken += 1;
            assert_eq!(fs::read_to_string(path.join("out.epd")).unwrap(), whole, "{message}");
        } else {
            refused += 1;
            assert_eq!(output.status.code(), Some(2));
            assert!(
                ["damaged", "not a cache", "another input"].iter().any(|it| message.contains(it)),
                "{message}"
            );
            if is_cache {
                assert_eq!(fs::read(path.join(name)).unwrap(), bytes);
            }
            fs::write(path.join("out.epd"), &whole).unwrap();
            let _ = fs::remove_file(path.join("out.epd.partial"));
        }
    }
    assert!(refused > 10 && taken > 5, "{refused} {taken}");
}

/// Searches that do not do what they are told to are counted, and the remedy is named once.
#[test]
fn searches_without_a_result_are_said() {
    let plain = analyse(games(), &[], &["games.pgn"]);
    assert_eq!(plain.stderr, "45 positions analysed, 1 without a legal move\n");
    for word in ["mute", "vague"] {
        let outcome = analyse(games(), &[word], &["games.pgn"]);
        let totals = "45 positions analysed, 1 without a legal move, 45 without an evaluation by the engine\n";
        assert_eq!((outcome.status, &*outcome.stderr), (0, totals), "{word}");
        assert!(!outcome.text().contains(" ce "));
    }
    for (arguments, known, other) in [
        (&["--nodes=500"][..], "nodes", "depth"),
        (&["--depth=9"], "depth", "nodes"),
        (&["--nodes=500", "--depth=9"], "nodes", "depth"),
    ] {
        let run = |script: &[&str], command: &str| {
            let engine = engine(script);
            let arguments = [&[command, "suite.epd", "--engine", &engine], arguments].concat();
            let suite = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\n4k3/8/8/8/8/8/3P4/4K3 w - - bm d4;\n";
            program().file("suite.epd", suite).args(arguments).run().stderr
        };
        let warning = format!(
            "of 2 searches ended far below the limit: the engine may not know `go {known}`; try --{other}\n"
        );
        assert_eq!(run(&["short"], "analyse"), format!("2 positions analysed\n2 {warning}"));
        assert_eq!(run(&["short"], "solve"), format!("Scripted 1.0: 2 {warning}"));
        assert_eq!(
            (run(&[], "analyse"), run(&[], "solve")),
            ("2 positions analysed\n".to_owned(), String::new())
        );
    }
}

#[test]
fn moves_and_numbers_that_cannot_be_are_errors() {
    for (option, reason) in [
        ("--searchmoves=e4,zz", "\"zz\" is not a move"),
        ("--searchmoves=e2e4;quit", "\"e2e4;quit\" is not a move"),
        ("--searchmoves=e4\nquit", "is not a move"),
        ("--searchmoves=e4,", "\"\" is not a move"),
        ("--engines=1025", "--engines is for at most 1024 processes"),
        ("--engines=18446744073709551615", "--engines is for at most 1024 processes"),
    ] {
        let outcome = analyse(games(), &[], &["games.pgn", option]);
        assert_eq!(outcome.status, 2, "{option:?}");
        assert!(outcome.stderr.contains(reason), "{}", outcome.stderr);
    }
    for option in
        ["--timeout=18446744073709551615", "--movetime=18446744073709551615", "--engines=1024"]
    {
        let outcome = analyse(games(), &[], &["games.pgn", "--limit=2", option]);
        assert_eq!(outcome.status, 0, "{option:?} {}", outcome.stderr);
    }
}

/// Names of positions and engines keep the columns of a table apart, and reach no terminal as they
/// are.
#[test]
fn names_are_text_in_all_tables() {
    let id = "a|b <i>&\u{1b}[31m\u{0}";
    let suite = format!("4k3/8/8/8/8/8/4P3/4K3 w - - am Kd1 Kd2 Kf1 Kf2 e3 e4; id \"{id}\";\n");
    let command = engine(&["name=E|1 <b>\u{1b}[0m"]);
    for (format, engine_cell, id_cell) in [
        ("text", "E|1 <b> [0m", "a|b <i>&"),
        ("markdown", "E\\|1 &lt;b> [0m", "a\\|b &lt;i>&amp;"),
        ("csv", "E|1 <b> [0m", "a|b <i>&"),
    ] {
        let arguments =
            ["solve", "suite.epd", "--nodes=5", "--format", format, "--engine", &command];
        let outcome = program().file("suite.epd", &*suite).args(arguments).run();
        let text = outcome.text();
        assert!(text.contains(engine_cell) && text.contains(id_cell), "{text:?}");
        assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
        if format == "markdown" {
            let bars = |line: &str| line.replace("\\|", "").matches('|').count();
            let mut tables = text.split("\n\n").map(|table| table.lines().map(bars));
            assert!(
                tables.all(|mut table| {
                    let first = table.next();
                    table.all(|bars| Some(bars) == first)
                }),
                "{text}"
            );
        }
    }
}

/// Progress is that of answers, not of what is read: the whole of a small file is read before the
/// first answer.
#[test]
fn progress_counts_the_records_that_are_written() {
    let command = engine(&["slow=3"]);
    let named = [("engine", &*command), ("nodes", "500"), ("engines", "2")];
    let engine = AnalyseOptions::from_names(named).unwrap();
    let (options, seen, mut records) = (Options::default(), RefCell::new(Vec::new()), Vec::new());
    let mut analysis = Analysis::new(&mut records, &options, &engine).unwrap();
    analysis.on_progress(|written| seen.borrow_mut().push(written));
    analysis.input(&fixture("immortal.pgn")[..], &mut ()).unwrap();
    let before = seen.borrow().len();
    analysis.finish().unwrap();
    let lines = records.iter().filter(|byte| **byte == b'\n').count() as u64;
    assert_eq!(seen.into_inner(), (1..=lines).collect::<Vec<u64>>());
    assert!((before as u64) < lines);
}
