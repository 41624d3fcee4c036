//! The chart of README.md: the nanoseconds for a position that the table of docs/speed.md has.

use std::fmt::Write;

use crate::support::{assert_up_to_date, text_of};

const TABLE: &str = "docs/speed.md";

/// The beginnings of the names of inputs in the table, and their titles.
const INPUTS: [(&str, &str); 3] = [
    ("twic", "TWIC: games without comments"),
    ("lichess", "Lichess: games with clocks"),
    ("8moves", "8moves_v3: lines of 16 plies"),
];

/// The programs of the table that are drawn, their names in the chart, and the classes of their
/// bars.
const PROGRAMS: [(&str, &str, &str); 4] = [
    ("pgn2epd -j 1 --ops hmvc,fmvn", "pgn2epd, fields and counters", "ours"),
    ("pgn2epd -j 1", "pgn2epd, with move, game, opening", "ours"),
    ("pgn-reader + shakmaty", "pgn-reader + shakmaty", "peer"),
    ("pgn-extract -Wepd", "pgn-extract", "peer"),
];

const STYLE: &str = "text{font:13px sans-serif;fill:#24292f}.title{font-weight:bold}.ours{fill:#0969da}.peer{fill:#8c959f}\
    @media(prefers-color-scheme:dark){text{fill:#e6edf3}.ours{fill:#4493f8}.peer{fill:#6e7681}}";

/// Where bars begin, and the length of the longest.
const BARS: (f64, f64) = (250.0, 400.0);
const LINE: f64 = 20.0;

struct Measurement {
    input: String,
    program: String,
    nanoseconds: f64,
}

/// Returns the chart as SVG.
fn drawn() -> String {
    let page = text_of(TABLE);
    let measurements = measurements(&page);
    let longest = measurements.iter().map(|one| one.nanoseconds).fold(0.0, f64::max);
    let (mut body, mut y) = (String::new(), LINE);
    text(&mut body, 0.0, y, "title", "Nanoseconds for a position, one thread: less is faster");
    for (input, title) in INPUTS {
        y += 1.5 * LINE;
        text(&mut body, 0.0, y, "title", title);
        for (program, name, class) in PROGRAMS {
            let is_it = |one: &&Measurement| one.input.starts_with(input) && one.program == program;
            let measured = measurements.iter().find(is_it);
            let measured = measured.unwrap_or_else(|| panic!("no row for {program} and {input}"));
            let (left, length) = (BARS.0, measured.nanoseconds / longest * BARS.1);
            y += LINE;
            text(&mut body, 10.0, y, "", name);
            writeln!(
                body,
                r#"<rect class="{class}" x="{left}" y="{}" width="{length:.1}" height="14"/>"#,
                y - 12.0
            )
            .unwrap();
            text(&mut body, left + length + 6.0, y, "", &format!("{:.0}", measured.nanoseconds));
        }
    }
    let (width, height) = (BARS.0 + BARS.1 + 50.0, y + 10.0);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\">\
         <title>Nanoseconds for a position</title>\n<style>{STYLE}</style>\n{body}</svg>\n"
    )
}

fn text(body: &mut String, x: f64, y: f64, class: &str, text: &str) {
    let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
    writeln!(body, "<text{class} x=\"{x:.1}\" y=\"{y}\">{text}</text>").unwrap();
}

/// Returns the rows of the table that `benches/peers/run` prints.
fn measurements(page: &str) -> Vec<Measurement> {
    let rows = page.lines().skip_while(|line| !line.starts_with("| input")).skip(2);
    let rows = rows.take_while(|line| line.starts_with('|')).map(|line| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [input, program, _positions, _seconds, nanoseconds, _ratio] = cells[..] else {
            panic!("{TABLE}: not a row of measurements: {line}");
        };
        let nanoseconds = nanoseconds.parse().unwrap();
        Measurement { input: input.to_owned(), program: program.to_owned(), nanoseconds }
    });
    rows.collect()
}

#[test]
fn the_chart_has_the_figures_of_the_table() {
    assert_up_to_date("docs/images/speed.svg", &drawn());
}
