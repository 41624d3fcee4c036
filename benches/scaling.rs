//! How jobs gain from more cores, shown on a machine with two: `cargo bench --bench scaling`, on Linux.
//!
//! Each job runs with 1, 2 and 8 threads, alternating; the medians are printed as a table in Markdown. With 8 threads on fewer cores one
//! thread does little but what the others wait for: reading from pipes, committing and writing. Its share of the processor time of all
//! threads is an upper bound of the serial share, and gives the speed-up that Amdahl's law allows.

#![allow(clippy::print_stdout, reason = "it prints a table")]

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use testkit::generate::{Generator, Style};

/// Size of the input in bytes.
const BYTES: u64 = 48 << 20;
const SEED: u64 = 1;
const RUNS: usize = 5;
const THREADS: [u32; 3] = [1, 2, 64];
const CORES: [f64; 5] = [4.0, 8.0, 16.0, 32.0, 64.0];

/// The names of jobs and their arguments; `OUT` stands for a name in a temporary folder, `IN` for the input.
const JOBS: &[(&str, &str)] = &[
    ("FEN to /dev/null", "--format fen IN -o /dev/null"),
    ("EPD to /dev/null", "IN -o /dev/null"),
    ("FEN to a file", "--format fen IN -o OUT.fen"),
    ("FEN to `.zst`", "--format fen --compress zstd:1 IN -o OUT.fen.zst"),
    ("FEN to `.gz`", "--format fen IN -o OUT.fen.gz"),
    (
        "FEN to 4 files in `.zst`",
        "--format fen --compress zstd:1 --shards 4 IN -o OUT-{shard}.fen.zst",
    ),
    ("`--unique`", "--format fen --unique IN -o /dev/null"),
    ("`--shuffle`", "--format fen --shuffle IN -o /dev/null"),
    ("`--split`", "--format fen --split a=0.9,b=0.1 IN -o OUT-{split}.fen"),
    ("CSV to /dev/null", "--format csv IN -o /dev/null"),
    #[cfg(feature = "arrow")]
    ("Parquet to /dev/null", "--format parquet IN -o /dev/null"),
    ("`book`", "book --ply ..24 IN -o OUT.csv"),
    ("`check`", "check OUT.epd"),
];

/// A run of a job.
#[derive(Clone, Copy)]
struct Run {
    seconds: f64,
    /// Processor time of all threads, in milliseconds.
    all: f64,
    /// Processor time of the busiest thread besides the workers, in milliseconds.
    serial: f64,
}

fn main() -> io::Result<()> {
    let folder = tempfile::tempdir()?;
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::write(path("in.pgn"), Generator::text(Style::Plain, SEED, BYTES))?;
    // Later jobs read it.
    run(&["--format".into(), "epd".into(), path("in.pgn"), "-o".into(), path("out.epd")], 2)?;
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    println!(
        "| job | processor time, ms | serial share | 2 threads | 4 cores | 8 | 16 | 32 | 64 |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|");
    for (name, args) in JOBS {
        if !wanted.is_empty() && !wanted.iter().any(|wanted| name.contains(&**wanted)) {
            continue;
        }
        let args: Vec<String> = args
            .split(' ')
            .map(|arg| arg.replace("IN", &path("in.pgn")).replace("OUT", &path("out")))
            .collect();
        let mut runs: HashMap<u32, Vec<Run>> = HashMap::new();
        for _ in 0..RUNS {
            for threads in THREADS {
                runs.entry(threads).or_default().push(run(&args, threads)?);
            }
        }
        let median = |threads: u32, value: fn(&Run) -> f64| {
            let mut values: Vec<f64> = runs[&threads].iter().map(value).collect();
            values.sort_by(f64::total_cmp);
            values[RUNS / 2]
        };
        let share = median(8, |run| run.serial / run.all);
        let gain = median(1, |run| run.seconds) / median(2, |run| run.seconds);
        let bounds = CORES.map(|cores| format!("{:.1}", 1.0 / (share + (1.0 - share) / cores)));
        println!(
            "| {name} | {:.0} | {:.1} % | {gain:.2} | {} |",
            median(1, |run| run.all),
            100.0 * share,
            bounds.join(" | ")
        );
    }
    Ok(())
}

fn run(args: &[String], threads: u32) -> io::Result<Run> {
    let began = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_pgn2epd"))
        .args(args)
        .args(["-j", &threads.to_string(), "--quiet"])
        .stdout(Stdio::null())
        .spawn()?;
    let mut times = HashMap::new();
    let status = loop {
        note_times(&child, &mut times);
        if let Some(status) = child.try_wait()? {
            break status;
        }
        std::thread::sleep(Duration::from_micros(500));
    };
    assert!(status.success(), "{args:?}: {status}");
    let milliseconds = |nanoseconds: u64| nanoseconds as f64 / 1e6;
    Ok(Run {
        seconds: began.elapsed().as_secs_f64(),
        all: milliseconds(times.values().sum()),
        serial: milliseconds(times.get(&child.id().to_string()).copied().unwrap_or_default()),
    })
}

/// Notes the processor time of each thread so far, in nanoseconds.
fn note_times(child: &Child, times: &mut HashMap<String, u64>) {
    let tasks = format!("/proc/{}/task", child.id());
    for entry in fs::read_dir(Path::new(&tasks)).into_iter().flatten().flatten() {
        let time = fs::read_to_string(entry.path().join("schedstat")).unwrap_or_default();
        if let Some(time) = time.split(' ').next().and_then(|time| time.parse::<u64>().ok()) {
            let id = entry.file_name().to_string_lossy().into_owned();
            let known = times.entry(id).or_insert(0);
            *known = time.max(*known);
        }
    }
}
