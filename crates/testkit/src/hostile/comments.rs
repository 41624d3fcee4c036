//! Comments: unclosed, long, and containing whole games.

use super::{Inputs, SOUND, between};

pub(super) fn add(inputs: &mut Inputs) {
    // A comment before any tag hides the game in it, whose lines look exactly like the beginning of
    // a game.
    let quoted = "[Event \"x\"]\n[Site \"y\"]\n\n1. d4 d5 1-0\n\n";
    let many_quoted = quoted.repeat(50_000 / quoted.len());
    inputs.extend([
        ("comment_quotes_a_game", between(format!("1. e4 {{\n{quoted}}} e5 2. Nf3 *"))),
        ("comment_quotes_a_tag_at_its_end", between("1. e4 {see\n[Event \"x\"]\n} e5 *")),
        ("comment_quotes_a_tag_and_ends_there", between("1. e4 {see\n[Event \"x\"]} e5 *")),
        ("comment_quotes_a_game_before_the_tags", between(format!("{{\n{quoted}}}\n{quoted}"))),
        ("comment_quotes_a_game_behind_the_tags", {
            between(format!("[Event \"z\"]\n\n{{\n{quoted}}} 1. e4 *"))
        }),
        ("comment_quotes_a_game_behind_the_result", between(format!("1. e4 *\n{{\n{quoted}}}\n"))),
        ("comment_quotes_a_game_in_a_variation", {
            between(format!("1. e4 (1. c4 {{\n\n{quoted}}} c5) e5 *"))
        }),
        ("comment_quotes_many_games", between(format!("1. e4 {{\n\n{many_quoted}}} e5 2. Nf3 *"))),
        ("comment_quotes_many_games_with_results", {
            let text = format!("1-0\n\n{SOUND}").repeat(300);
            between(format!("1. e4 {{\n{text}}} e5 *"))
        }),
        (
            "comment_quotes_many_games_and_never_ends",
            format!("{SOUND}1. e4 {{\n{many_quoted}").into(),
        ),
        ("comments_quote_games_after_each_move", {
            between(format!(
                "1. e4 {{\n\n{quoted}}} 1... e5 {{\n\n{quoted}}} 2. Nf3 {{\n\n{quoted}}} *"
            ))
        }),
        ("comment_quotes_move_numbers", between("1. e4 {1-0\n1. d4 d5\n2. c4 *\n1. c4\n} e5 *")),
        ("line_comment_quotes_a_tag", between("1. e4 ;\\\n;[Event \"x\"]\n; [Event \"x\"]\ne5 *")),
        ("escape_line_quotes_a_tag", between("1. e4\n%[Event \"x\"]\n%\n[Event \"y\"]\n\n1. d4 *")),
        (
            "escape_lines",
            between("% one\n[Event \"x\"]\n%two {\n\n% three (\n1. e4\n%four\"\ne5 *\n%"),
        ),
        ("percent_inside_a_line", between("1. e4 % not an escape\n e5 %\n 2. Nf3 *")),
        ("escape_line_at_the_end", format!("{SOUND}% the end").into()),
        ("line_comment_holds_openers", between("1. e4 ; { ( [ \" $\n1... e5 ;}\n2. Nf3 ;)\n*")),
        ("line_comment_at_the_end", format!("{SOUND}1. e4 ; the end").into()),
        ("line_comment_before_cr", between("1. e4 ; one\r1... e5 ; two\r\n2. Nf3 *")),
        ("comment_holds_openers", between("1. e4 { { ( ; [ \" $ % } e5 {;\n} 2. Nf3 {%\n%\n} *")),
        ("comment_never_ends", format!("{SOUND}1. e4 {{ never\n\n{SOUND}").into()),
        ("comment_at_the_end", format!("{SOUND}1. e4 {{").into()),
        ("comment_ends_twice", between("1. e4 {x}} e5 } 2. Nf3 *")),
        ("comment_empty", between("{} 1. {} e4 {}{} e5{}2.{}Nf3 {} * {}")),
        ("comment_glued_to_a_move", between("1.e4{x}e5{y}2.Nf3;z\nNc6{")),
        ("comment_only", b"{ nothing but words }\n".to_vec()),
        ("comments_between_games", between("{one}\n\n{two}\n; three\n% four\n")),
        ("very_long_comment", between(format!("1. e4 {{{}}} e5 *", "x y ".repeat(200_000)))),
        ("very_many_comments", between(format!("1. e4 {} e5 *", "{x} ".repeat(100_000)))),
        ("comment_with_quotes", between("1. e4 {\"a\" 'b' \\ ;} e5 {\t\u{85}\r\n} *")),
        ("comment_commands_broken", {
            between(
                "1. e4 {[%eval] [%eval x] [%clk 9:99] [%eval #] [%emt -] [%} e5 {[%eval 1e999]} *",
            )
        }),
        ("engine_comments_broken", {
            between("1. e4 {d=, sd=x, wv=, pv=} e5 {+/12 s} 2. Nf3 {+1.0e/99999999999 9s} *")
        }),
    ]);
}
