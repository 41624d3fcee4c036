//! How jobs gain from more cores, shown on a machine with two: `cargo bench --bench scaling`, on
//! Linux with perf.
//!
//! Each job runs with one and with two threads, alternating; the medians are printed as a table in
//! Markdown. One thread reads from pipes, commits and writes, and the others wait for it. While it
//! has nothing to commit it works as they do, so its processor time says little. Therefore perf
//! samples it: the serial share is that of its samples outside of the work that any thread may do.
//! It gives the speed-up that Amdahl's law allows.

#![allow(clippy::print_stdout, reason = "it prints a table")]

use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use testkit::generate::{Generator, Style};

/// Size of the input in bytes.
const BYTES: u64 = 96 << 20;
const SEED: u64 = 1;
const RUNS: usize = 5;
/// Enough of them that one hardly ever waits for work.
const SAMPLED_THREADS: u32 = 8;
/// Parts of the names of functions that any thread calls. The outermost ones of deep calls may be
/// missing in samples.
const SHARED_WORK: &[&str] = &[
    "threads::run_job",
    "ChunkWorker",
    "worker::Convert",
    "compress::Frame",
    "RowEncoder",
    "threads::OrderedTasks",
    "threads::Threads::map::{{closure}}",
    "FnOnce::call_once{{vtable",
];
const PROGRAM: &str = env!("CARGO_BIN_EXE_pgn2epd");
const CORES: [f64; 5] = [4.0, 8.0, 16.0, 32.0, 64.0];

/// The names of jobs and their arguments; `OUT` stands for a name in a temporary folder, `IN` for
/// the input.
const JOBS: &[(&str, &str)] = &[
    ("FEN to /dev/null", "--format fen IN -o /dev/null"),
    ("EPD to /dev/null", "IN -o /dev/null"),
    ("FEN to a file", "--format fen IN -o OUT.fen"),
    ("FEN to `.zst`", "--format fen --compress zstd:1 IN -o OUT.fen.zst"),
    ("FEN to `.gz`", "--format fen IN -o OUT.fen.gz"),
    ("`--unique`", "--format fen --unique IN -o /dev/null"),
    ("`--shuffle`", "--format fen --shuffle IN -o /dev/null"),
    ("`--split`", "--format fen --split a=0.9,b=0.1 --overwrite IN -o OUT"),
    ("CSV to /dev/null", "--format csv IN -o /dev/null"),
    #[cfg(feature = "arrow")]
    ("Parquet to /dev/null", "--format parquet IN -o /dev/null"),
    ("`book`", "book --ply ..24 IN -o OUT.csv"),
    ("`check`", "check OUT.epd"),
    ("EPD to FEN", "--format fen OUT.epd -o /dev/null"),
    ("EPD to EPD", "OUT.epd -o /dev/null"),
];

/// A run of a job, in seconds.
#[derive(Clone, Copy)]
struct Run {
    elapsed: f64,
    /// Processor time of all threads.
    processor: f64,
}

fn main() -> io::Result<()> {
    // `cargo test` does not pass it: each job is tried once.
    let is_measured = std::env::args().any(|arg| arg == "--bench");
    let (bytes, count) = if is_measured { (BYTES, RUNS) } else { (1 << 20, 1) };
    let folder = tempfile::tempdir()?;
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::write(path("in.pgn"), Generator::text(Style::Plain, SEED, bytes))?;
    // Later jobs read it.
    run(&["--format".into(), "epd".into(), path("in.pgn"), "-o".into(), path("out.epd")], 2)?;
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    println!(
        "| job | processor time, ms | 2 threads | serial share | 4 cores | 8 | 16 | 32 | 64 |"
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
        let mut runs: [Vec<Run>; 2] = [Vec::new(), Vec::new()];
        for _ in 0..count {
            for (runs, threads) in runs.iter_mut().zip([1, 2]) {
                runs.push(run(&args, threads)?);
            }
        }
        let [one, two] = &runs;
        let gain = median(one, |run| run.elapsed) / median(two, |run| run.elapsed);
        print!("| {name} | {:.0} | {gain:.2} ", 1e3 * median(one, |run| run.processor));
        match serial_share(&args, folder.path())? {
            None => println!("| perf is missing | | | | | |"),
            Some(share) => {
                let bounds = CORES.map(|cores| 1.0 / (share + (1.0 - share) / cores));
                let bounds = bounds.map(|bound| format!("{bound:.1}")).join(" | ");
                println!("| {:.1} % | {bounds} |", 100.0 * share);
            }
        }
    }
    Ok(())
}

fn median(runs: &[Run], value: fn(&Run) -> f64) -> f64 {
    let mut values: Vec<f64> = runs.iter().map(value).collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn command(program: &str, args: &[String], threads: u32) -> Command {
    let mut command = Command::new(program);
    command.args(args).args(["-j", &threads.to_string(), "--quiet"]).stdout(Stdio::null());
    command
}

fn run(args: &[String], threads: u32) -> io::Result<Run> {
    let (began, before) = (Instant::now(), processor_time_of_children()?);
    let status = command(PROGRAM, args, threads).status()?;
    assert!(status.success(), "{args:?}: {status}");
    let processor = processor_time_of_children()? - before;
    Ok(Run { elapsed: began.elapsed().as_secs_f64(), processor })
}

/// Returns the processor time of all programs that have ended, in seconds.
fn processor_time_of_children() -> io::Result<f64> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    // Fields 16 and 17 (proc_pid_stat(5)), in hundredths of a second; the name in field 2 may
    // contain spaces.
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let fields = after_name.split_whitespace().skip(13).take(2);
    Ok(fields.filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0)
}

/// Returns the share of the work that only one thread does; `None` if there is no perf.
fn serial_share(args: &[String], folder: &Path) -> io::Result<Option<f64>> {
    let data = folder.join("perf.data").display().to_string();
    let record =
        ["record", "--quiet", "--freq=3000", "--call-graph=dwarf,6000", "--output", &data, PROGRAM];
    let record: Vec<String> =
        record.into_iter().map(str::to_owned).chain(args.iter().cloned()).collect();
    let status = match command("perf", &record, SAMPLED_THREADS).stderr(Stdio::null()).status() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        status => status?,
    };
    assert!(status.success(), "perf: {status}");
    let script = ["script", "--no-inline", "--fields=pid,tid,ip,sym", "--input", &data];
    let output = Command::new("perf").args(script).stderr(Stdio::null()).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let (mut all, mut serial) = (0_u32, 0_u32);
    // A sample begins with the process and the thread; a line for each function that was active
    // follows.
    for sample in text.split("\n\n") {
        let Some((process, thread)) =
            sample.split_whitespace().next().and_then(|ids| ids.split_once('/'))
        else {
            continue;
        };
        all += 1;
        let is_shared = || SHARED_WORK.iter().any(|function| sample.contains(function));
        serial += u32::from(process == thread && !is_shared());
    }
    Ok(Some(f64::from(serial) / f64::from(all.max(1))))
}
