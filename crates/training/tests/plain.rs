//! Stockfish's .plain.

use training::{GameResult, PlainEntries};

#[test]
fn entries_of_a_text_are_read_with_their_sizes() {
    let text = "fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 9\nmove e2e4\nscore 35\nply 16\nresult 1\ne\n\
                fen 4k3/8/8/8/4P3/8/8/4K3 b - - 0 9\nmove e8d7\nscore -40\nply 17\nresult -1\ne\n\
                fen 4k3/8/8/8/8/8/4P3/4K3 b - - 3 20\nmove e8e7\nscore 0\nply 39\nresult 0\ne\n";
    let mut entries = PlainEntries::new(text.as_bytes());
    let found: Vec<_> = entries
        .by_ref()
        .map(|entry| {
            let entry = entry.unwrap();
            (entry.score.get(), entry.ply, entry.result, entry.is_start)
        })
        .collect();
    let expected = [
        (35, 16, GameResult::WhiteWins, true),
        (-40, 17, GameResult::WhiteWins, false),
        (0, 39, GameResult::Draw, true),
    ];
    assert_eq!(found, expected);
    assert_eq!(entries.bytes_read(), text.len() as u64);
}
