//! Limits that prevent hostile or wrong inputs from using all memory or all threads.

use testkit::pack;

use super::GOOD;
use crate::support::{limited, program};

#[test]
fn show_holds_one_game_in_memory() {
    // 350 MB of spaces before the game.
    let blanks = pack::zstd(&vec![b' '; 50_000_000]);
    let bomb = [blanks.repeat(7), pack::zstd(GOOD.as_bytes())].concat();
    let outcome = limited(300_000).args(["show", "--format", "ascii", "-"]).stdin(bomb).succeed();
    assert!(outcome.text().contains("1... e5"));
}

#[test]
fn show_holds_one_record_in_memory() {
    // The diagrams would take some 100 MB.
    let record = |number: u32| format!("4k3/8/8/8/8/8/4P3/4K3 w - - id \"{number:06}\"; sm e4;\n");
    let records: String = (1..=100_000).map(record).collect();
    let show = ["show", "--format", "ascii", "a.epd", "-o", "out"];
    let outcome = limited(100_000).file("a.epd", records).args(show).succeed();
    let text = outcome.string("out");
    let end: Vec<&str> = text.lines().rev().take(3).collect();
    assert!(end.iter().any(|line| line.contains("100000")), "{end:?}");
}

#[test]
fn games_that_are_held_as_values_have_a_smaller_limit() {
    let table = ["--format", "csv", "-o", "/dev/null", "--columns"];
    let cases: [(&[&str], usize, Option<usize>); 5] = [
        (&["ply"], 5 << 20, Some(4 << 20)),
        (&["ply", "--max-game-bytes", "8M"], 5 << 20, None),
        (&["ply,legal_moves"], 2 << 20, Some(1 << 20)),
        (&["ply"], 2 << 20, None),
        (&[], 5 << 20, Some(4 << 20)),
    ];
    for (args, bytes, limit) in cases {
        let game = format!("{}*\n", "Nf3 Nf6 Ng1 Ng8 ".repeat(bytes / 16));
        let outcome = match args {
            [] => program().args(["show", "--format", "ascii", "-"]).stdin(game).run(),
            _ => program().args(table).args(args).stdin(game).run(),
        };
        let named = |limit| {
            let text = format!("larger than {limit} bytes, the limit for one game: omitted");
            outcome.stderr.contains(&text)
        };
        assert!(limit.map_or(outcome.status == 0, named), "{args:?}: {}", outcome.stderr);
    }
}
