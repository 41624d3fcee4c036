//! Training data as text: all forms, games that give the same bytes again, and files that are
//! damaged or of another format.

use pgn2epd::options::{Format, Keyword, LabelForm};
use pgn2epd::training::{Damage, ReadError, ScoreUnit, TrainingFormat};
use pgn2epd::{ConvertError, Options};
use sfbinpack::chess::color::Color;
use sfbinpack::chess::coords::Square;
use sfbinpack::chess::r#move::Move as BinpackMove;
use sfbinpack::chess::piece::Piece;
use sfbinpack::chess::piecetype::PieceType;
use sfbinpack::chess::position::Position as BinpackPosition;
use sfbinpack::{CompressedTrainingDataEntryWriter, TrainingDataEntry};
use testkit::generate::{Generator, Style};
#[cfg(feature = "compression")]
use testkit::pack;
use testkit::shared::is_full;

use super::assert_failed;
use super::training::{encoded, games, options};
use crate::support::{convert, missing_file, program};

const CP: ScoreUnit = ScoreUnit::Centipawns;

/// The options that read a format.
fn reading(format: TrainingFormat, form: &str, unit: ScoreUnit) -> Options {
    let (input, unit) = (format.to_string(), unit.to_string());
    Options::from_names([("input", &*input), ("format", form), ("score", &*unit)]).unwrap()
}

/// The text of training data without damage.
#[track_caller]
fn decoded(bytes: &[u8], format: TrainingFormat, form: &str, unit: ScoreUnit) -> String {
    let options = reading(format, form, unit);
    let converted = convert(bytes, &options);
    assert_eq!(converted.summary.games == 0, bytes.is_empty());
    // However many threads read it, the result is the same.
    let alone = convert(bytes, &options.jobs(std::num::NonZeroUsize::new(1)));
    assert!(alone == converted, "{format} {form}");
    String::from_utf8(converted.output).unwrap()
}

/// The scores of a text label as a binary format has them: mates are counted from 32767 in text.
fn in_16_bits(line: &str, place: usize, separator: &str) -> String {
    let mut parts: Vec<String> = line.split(separator).map(str::to_owned).collect();
    let score: i32 = parts[place].parse().unwrap();
    let limited = match 32767 - score.abs() {
        plies @ 0..767 if score > 0 => 32767 - plies.min(245),
        plies @ 0..767 => plies.min(246) - 32767,
        _ => score.clamp(-31753, 31753),
    };
    parts[place] = limited.to_string();
    parts.join(separator)
}

#[test]
fn labels_are_those_of_the_games() {
    for (name, pgn) in games() {
        let binpack = encoded(&pgn, TrainingFormat::Binpack).output;
        let found = decoded(&binpack, TrainingFormat::Binpack, "plain", CP);
        let text = convert(&pgn, &options(Format::Label(LabelForm::Plain)));
        assert!(found.lines().eq(text.lines()), "{name} plain");

        let marlinformat = encoded(&pgn, TrainingFormat::Marlinformat).output;
        for (form, separator) in [(LabelForm::Bullet, " | "), (LabelForm::CChessCli, ",")] {
            let label = Format::Label(form).to_string();
            let found = decoded(&marlinformat, TrainingFormat::Marlinformat, &label, CP);
            let text = convert(&pgn, &options(Format::Label(form)));
            let lines = text.lines().into_iter();
            let expected = lines.map(|line| in_16_bits(line, 1, separator));
            assert!(found.lines().map(str::to_owned).eq(expected), "{name} {form:?}");
        }
    }
}

#[test]
fn games_give_the_same_bytes_again() {
    let chess960 = Generator::text(Style::Chess960, 3, 40_000);
    let chess960 = String::from_utf8(chess960).unwrap();
    // Without comments there is no evaluation.
    let chess960 =
        chess960.replace(". ", ". {+0.10/1 1s} ").replace("\n\n1. {+0.10/1 1s} ", "\n\n1. ");
    // The longest mate that is stored is in 123 moves.
    let knights = ["Nf3", "Nf6", "Ng1", "Ng8"].into_iter().cycle();
    let mates = [1, 122, 123, 124, 125, 246, 300].map(|moves| [moves, -moves]).concat();
    let mates = mates.iter().zip(knights).map(|(mate, san)| format!("{san} {{[%eval #{mate}]}} "));
    let mates = format!("[Result \"1-0\"]\n\n{}1-0\n", mates.collect::<String>());
    let others = [("chess960", chess960.into_bytes()), ("mates", mates.into_bytes())];
    for (name, pgn) in games().into_iter().chain(others) {
        for format in [TrainingFormat::Viriformat, TrainingFormat::Binpack] {
            for unit in ScoreUnit::ALL {
                let as_format = Options::default().format(Format::Training(format)).score(*unit);
                let first = convert(&pgn, &as_format).output;
                // The games of chess.com have clocks only.
                assert_eq!(first.is_empty(), name.starts_with("chesscom"), "{name} {format}");
                let text = decoded(&first, format, "pgn", *unit);
                let again = convert(text.as_bytes(), &as_format);
                assert_eq!(again.problems, [], "{name} {format}");
                // The unit of Stockfish is finer than centipawns, so its scores are rounded.
                assert_eq!(first.len(), again.output.len(), "{name} {format} {unit}");
                assert!(*unit != CP || first == again.output, "{name} {format}");
            }
        }
    }
}

/// An entry of a binpack from a record, as the crate of the format has it.
fn entry_of(record: &str) -> TrainingDataEntry {
    let (fields, operations) = record.split_at(record.find(" c9 ").unwrap());
    let operand = |opcode: &str| {
        let operation = operations.split("; ").map(|operation| operation.trim_matches([' ', ';']));
        let mut found = operation.filter_map(|operation| operation.strip_prefix(opcode));
        found.next().unwrap_or_else(|| panic!("{record}: {opcode}")).trim()
    };
    let fen = format!("{fields} {} {}", operand("hmvc"), operand("fmvn"));
    let position = san::Position::from_fen(&fen).unwrap();
    let white = match operand("c9") {
        "\"1-0\"" => 1,
        "\"0-1\"" => -1,
        _ => 0,
    };
    let is_black = fields.contains(" b ");
    let ply = 2 * (position.fullmoves() - 1) + u32::from(is_black);
    let score: i32 = operand("ce").parse().unwrap();
    let score = match 32767 - score.abs() {
        plies @ 0..=246 => score.signum() * (32000 - plies),
        _ => score,
    };
    TrainingDataEntry {
        pos: BinpackPosition::from_fen(&fen).unwrap(),
        mv: move_of(san::resolve(&position, operand("sm").as_bytes()).unwrap(), is_black),
        score: score as i16,
        ply: ply as u16,
        result: if is_black { -white } else { white },
    }
}

fn move_of(played: san::Move, is_black: bool) -> BinpackMove {
    let code = u32::from(played.code().0);
    let (from, to) = (Square::new(code & 63), Square::new(code >> 6 & 63));
    let color = if is_black { Color::Black } else { Color::White };
    let role = match played.promotion() {
        Some(san::Role::Knight) => PieceType::Knight,
        Some(san::Role::Bishop) => PieceType::Bishop,
        Some(san::Role::Rook) => PieceType::Rook,
        Some(_) => PieceType::Queen,
        None if played.castling().is_some() => return BinpackMove::castle(from, to),
        None if played.is_en_passant() => return BinpackMove::en_passant(from, to),
        None => return BinpackMove::normal(from, to),
    };
    BinpackMove::promotion(from, to, Piece::new(role, color))
}

#[test]
fn records_have_all_that_a_binpack_has() {
    for (name, pgn) in games() {
        let binpack = encoded(&pgn, TrainingFormat::Binpack).output;
        let records = decoded(&binpack, TrainingFormat::Binpack, "epd", CP);
        let mut writer = CompressedTrainingDataEntryWriter::new_in_memory().unwrap();
        for record in records.lines() {
            writer.write_entry(&entry_of(record)).unwrap();
        }
        assert!(writer.into_bytes().unwrap() == binpack, "{name}");
    }
}

#[test]
fn damage_costs_nothing_before_it() {
    let pgn = Generator::text(Style::Cutechess, 8, 2_000);
    for format in TrainingFormat::ALL {
        let whole = encoded(&pgn, *format).output;
        let text = decoded(&whole, *format, "epd", CP);
        let all = text.lines().count();
        let mut positions_before = 0;
        for len in (0..whole.len()).step_by(if is_full() { 1 } else { 3 }) {
            let mut found = Vec::new();
            let options = reading(*format, "epd", CP);
            match pgn2epd::convert(&whole[..len], &mut found, &options) {
                Ok(_) => {}
                Err(ConvertError::Read(error)) => {
                    let error = error.get_ref().unwrap().downcast_ref::<ReadError>().unwrap();
                    assert_eq!(error.offset, len as u64, "{format}");
                    let is_cut = matches!(error.damage, Damage::Truncated(_));
                    assert!(is_cut, "{format} {len}: {error}");
                }
                Err(error) => panic!("{error}"),
            }
            let found = String::from_utf8(found).unwrap();
            assert!(text.starts_with(&found), "{format} {len}");
            let positions = found.lines().count();
            assert!(positions >= positions_before, "{format} {len}");
            positions_before = positions;
        }
        assert!(positions_before + 1 >= all, "{format}: {positions_before} of {all}");
    }
}

#[test]
fn files_that_are_not_what_they_seem_are_refused() {
    let pgn = Generator::text(Style::Cutechess, 8, 3_000);
    let bytes = |format| encoded(&pgn, format).output;
    let (viriformat, binpack) = (bytes(TrainingFormat::Viriformat), bytes(TrainingFormat::Binpack));
    let bullet = bytes(TrainingFormat::Bulletformat);
    let garbage: Vec<u8> =
        (0..5_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let block = "byte 0: a block of a binpack begins with BINP, this with ";
    let of_pgn = format!("{block}\"[Eve\"");
    let marlinformat = &["--input", "marlinformat"][..];
    let cases: [(&str, &[u8], &[&str], &str); 12] = [
        ("a.vf", &binpack, &[], "byte 0: "),
        ("a.binpack", &viriformat, &[], block),
        ("a.bullet", &viriformat, &[], "byte 0: "),
        ("a.bullet", &bullet, marlinformat, "byte 0: "),
        ("a.bullet", &garbage, &[], "byte "),
        ("a.vf", &garbage, &[], "byte "),
        ("a.binpack", &garbage, &[], block),
        ("a.bin", &garbage, marlinformat, "byte "),
        ("a.binpack", &pgn, &[], &of_pgn),
        ("a.bin", &viriformat, &[], "this is a binary file, not PGN or EPD"),
        ("a.vf/b", b"", &[], "it is a folder; name the files in it"),
        ("b.vf", b"", &[], &missing_file()),
    ];
    for (name, bytes, args, message) in cases {
        let file = match name {
            "a.vf/b" | "b.vf" => "a.vf",
            name => name,
        };
        for quiet in [&[][..], &["-q"]] {
            let run = program().file(name, bytes).args([file]).args(args).args(quiet);
            let outcome = run.args(["-o", "out.txt"]).run();
            assert_failed(&outcome);
            let message = format!("pgn2epd: cannot read {file}: {message}");
            assert!(outcome.stderr.starts_with(&message), "{}", outcome.stderr);
            assert_eq!(outcome.file("out.txt"), None, "{name}");
        }
    }
    // A binpack has a mark, so that it needs no name.
    let read = |name| program().file(name, &binpack).args(["-q", name]).run();
    let (marked, named) = (read("a.bin"), read("a.binpack"));
    assert_eq!((marked.status, marked.text()), (0, named.text()), "{}", marked.stderr);
    // A file without any byte has no entries.
    for name in ["a.vf", "a.binpack", "a.bullet"] {
        let outcome = program().file(name, b"").args([name]).run();
        assert_eq!((outcome.status, outcome.stdout.len()), (1, 0), "{}", outcome.stderr);
    }
}

#[test]
fn a_damaged_file_does_not_cost_the_others() {
    let pgn = Generator::text(Style::Cutechess, 8, 3_000);
    let whole = encoded(&pgn, TrainingFormat::Viriformat).output;
    let text = decoded(&whole, TrainingFormat::Viriformat, "fen", CP);
    let cut = whole.len() - 5;
    let run = program().file("a.vf", &whole[..cut]).file("b.vf", &whole);
    let outcome = run.args(["--format", "fen", "a.vf", "b.vf", "-o", "out.fen"]).run();
    assert_eq!(outcome.status, 2);
    let message = format!("pgn2epd: cannot read a.vf: byte {cut}: the file ends within a game\n");
    assert_eq!(outcome.stderr, message);
    let written = outcome.string("out.fen");
    // The first file lacks its last move and what follows it.
    let lines: Vec<&str> = text.lines().collect();
    let expected = [&lines[..lines.len() - 1], &lines[..]].concat();
    assert!(written.lines().eq(expected));
    let outcome = program().file("a.vf", &whole).args(["a.vf", "-o", "a.vf"]).run();
    assert_failed(&outcome);
    assert_eq!(outcome.stderr, "pgn2epd: -o a.vf is the same file as the input a.vf\n");
}

#[cfg(feature = "compression")]
#[test]
fn compressed_files_are_read() {
    let pgn = Generator::text(Style::Cutechess, 8, 30_000);
    let written =
        program().file("a.pgn", &pgn).args(["a.pgn", "-o", "a.binpack.zst"]).run_quietly();
    let compressed = written.file("a.binpack.zst").unwrap();
    let binpack = encoded(&pgn, TrainingFormat::Binpack).output;
    let viriformat = encoded(&pgn, TrainingFormat::Viriformat).output;
    let expected = decoded(&binpack, TrainingFormat::Binpack, "epd", CP);
    let files = [
        ("a.binpack.zst", compressed),
        ("b.binpack.gz", pack::gzip(&binpack)),
        ("a.VF.GZ", pack::gzip(&viriformat)),
        // The suffix alone does not make a file compressed.
        ("b.vf.zst", viriformat.clone()),
    ];
    for (name, bytes) in files {
        let outcome = program().file(name, &bytes).args([name]).run_quietly();
        assert!(outcome.text() == expected, "{name}");
    }
    let cut = pack::gzip(&viriformat);
    let outcome = program().file("a.vf.gz", &cut[..cut.len() / 2]).args(["a.vf.gz"]).run();
    assert_eq!(outcome.status, 2);
    assert!(
        outcome.stderr.starts_with("pgn2epd: cannot read a.vf.gz: byte "),
        "{}",
        outcome.stderr
    );
    assert!(outcome.text().len() > 1000 && expected.starts_with(outcome.text()));
}

/// Peak memory in kibibytes of a run that has read `first` bytes of standard input, and `all`.
#[cfg(target_os = "linux")]
fn peaks(args: &[&str], part: &[u8], times: [usize; 2]) -> [u64; 2] {
    use std::io::Write;
    use std::process::{Command, Stdio};

    use crate::support::peak;

    let mut child = Command::new(env!("CARGO_BIN_EXE_pgn2epd"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let mut written = 0;
    let peaks = times.map(|times| {
        (written..times).for_each(|_| pipe.write_all(part).unwrap());
        written = times;
        peak(&child)
    });
    drop(pipe);
    assert!(child.wait().unwrap().success());
    peaks
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "slow: CI_FULL=1 runs it"]
fn memory_does_not_depend_on_the_size_of_the_input() {
    let pgn = Generator::text(Style::Cutechess, 8, 500_000);
    for format in TrainingFormat::ALL {
        let name = &*format.to_string();
        let [few, many] = peaks(&["-j", "2", "--format", name, "-"], &pgn, [6, 60]);
        // On a busy machine more chunks wait.
        assert!(many < few + 16_000 && many < 64_000, "{format}: {few} and {many} KiB");
        let data = encoded(&pgn, *format).output;
        for form in ["bullet", "pgn"] {
            if form == "bullet" || format.has_games() {
                let args = ["-q", "--input", name, "--format", form, "-"];
                let [few, many] = peaks(&args, &data, [20, 160]);
                assert!(many < few + 16_000 && many < 64_000, "{args:?}: {few} and {many} KiB");
            }
        }
    }
}
