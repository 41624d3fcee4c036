//! Game boundaries: results, bare move lists, and games larger than a chunk.

use super::{Inputs, SOUND, between};

pub(super) fn add(inputs: &mut Inputs) {
    let shuffle = "Nf3 Nf6 Ng1 Ng8 ";
    inputs.extend([
        ("bare_games", "1. e4 e5 1-0\n1. d4 d5 2. c4 0-1\n1. c4 1/2-1/2\n*\n1. Nf3 *\n".into()),
        ("bare_games_on_one_line", b"1. e4 e5 1-0 1. d4 d5 0-1 1. c4 * 1. b3 b6".to_vec()),
        ("bare_games_without_results", b"1. e4 e5 2. Nf3\n1. d4 d5\n\n1. c4\n1. e4 c5\n".to_vec()),
        ("bare_games_without_numbers", b"e4 e5 Nf3 1-0\nd4 d5 c4 0-1\n".to_vec()),
        ("bare_games_many", "1. e4 e5 2. Nf3 Nc6 *\n".repeat(5000).into_bytes()),
        ("games_without_blank_lines", SOUND.replace("\n\n", "\n").repeat(50).into_bytes()),
        ("games_without_line_ends", SOUND.replace('\n', " ").repeat(50).into_bytes()),
        ("games_without_results", {
            "[Event \"x\"]\n\n1. e4 e5 2. Nf3\n\n".repeat(50).into_bytes()
        }),
        ("games_without_results_or_blank_lines", {
            "[Event \"x\"]\n1. e4 e5 2. Nf3\n".repeat(50).into_bytes()
        }),
        ("games_that_begin_with_another_tag", {
            "[White \"x\"]\n[Event \"y\"]\n\n1. e4 e5\n\n".repeat(50).into_bytes()
        }),
        ("games_that_begin_inside_a_line", between("1. e4 e5 1-0 [Event \"x\"]\n\n1. d4 *")),
        ("games_indented", SOUND.replace('\n', "\n   ").repeat(20).into_bytes()),
        ("many_blank_lines", {
            let blank = "\n".repeat(100_000);
            format!("{blank}{SOUND}{blank}{SOUND}{blank}").into()
        }),
        ("text_before_a_game_with_a_hundred_faults", {
            format!("text\n[White \"B\"]\n\n1. e4 {} e5 *\n", ")".repeat(100)).into()
        }),
        ("two_results", between("1. e4 e5 1-0 1-0")),
        ("two_results_that_differ", between("1. e4 e5 1-0 0-1 2. Nf3 *")),
        ("results_only", b"1-0\n0-1\n1/2-1/2\n*\n* * *\n".to_vec()),
        ("results_glued", between("1. e4 e5*1. d4 d51-0 1. c4 c51/2-1/2 *")),
        ("results_in_odd_forms", {
            let forms = [
                "1:0", "0 - 1", "1/2", "\u{bd}-\u{bd}", "1\u{2013}0", "+-", "1-1", "0-0", "-/+",
                "1-0.",
            ];
            forms.map(|result| format!("[Event \"x\"]\n\n1. e4 e5 {result}\n\n")).concat().into()
        }),
        ("result_cut", format!("{SOUND}1. e4 e5 1/2-").into()),
        ("result_in_a_variation", between("1. e4 (1. d4 d5 1-0) e5 2. Nf3 0-1")),
        ("result_over_lines", between("1. e4 e5 1\n-\n0")),
        ("moves_behind_the_result", between("1. e4 e5 1-0 2. Nf3 Nc6")),
        (
            "game_larger_than_a_chunk",
            between(format!("[Event \"x\"]\n\n{}*", shuffle.repeat(20_000))),
        ),
        ("game_larger_than_a_chunk_in_lines", {
            between(format!("[Event \"x\"]\n\n{}*", format!("{shuffle}\n").repeat(20_000)))
        }),
        ("game_larger_than_a_chunk_after_small_ones", {
            let small = SOUND.repeat(100);
            format!("{small}1. e4 {{{}}} e5 *\n\n{small}", "long ".repeat(100_000)).into()
        }),
        (
            "game_that_never_ends",
            format!("{SOUND}[Event \"x\"]\n\n{}", shuffle.repeat(5000)).into(),
        ),
    ]);
}
