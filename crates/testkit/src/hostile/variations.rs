//! Variations: deeply nested, unclosed, and closed too often.

use super::{Inputs, SOUND, between};

/// Deep enough to overflow the stack of any recursive reader.
const DEEP: usize = 20_000;

pub(super) fn add(inputs: &mut Inputs) {
    inputs.extend([
        ("variations_deep", {
            let (open, close) = ("(1. d4 ".repeat(DEEP), ")".repeat(DEEP));
            between(format!("1. e4 {open}{close} e5 *"))
        }),
        ("variations_deep_and_open", format!("{SOUND}1. e4 {}", "(".repeat(DEEP)).into()),
        ("variations_closed_too_often", between(format!("1. e4 {} e5 *", ")".repeat(DEEP)))),
        ("variations_many", between(format!("1. e4 {} e5 *", "(1. d4 d5) ".repeat(DEEP)))),
        ("variations_empty", between("1. e4 () (()) ( ) (((()))) e5 *")),
        ("variation_never_ends", between("1. e4 (1. d4 d5 2. c4")),
        ("variation_never_ends_before_a_result", between("1. e4 (1. d4 d5 e5 2. Nf3 1-0")),
        ("variation_at_the_end", format!("{SOUND}1. e4 (").into()),
        ("variation_before_any_move", between("(1. d4 d5) 1. e4 e5 *")),
        ("variation_behind_the_result", between("1. e4 e5 * (1... c5) 2. Nf3")),
        ("variation_with_a_result", between("1. e4 (1. d4 1-0) (1. c4 *) e5 2. Nf3 *")),
        ("variation_with_a_tag", between("1. e4 (1. d4\n[Event \"x\"]\n\n) e5 *")),
        ("variation_with_illegal_moves", between("1. e4 (1. Qh8 Kxx9 blah) e5 *")),
        ("variation_glued", between("1.e4(1.d4)(1.c4)e5(1...c5(1...e6))2.Nf3*")),
        ("stray_parenthesis", between("1. e4 ) e5 2. Nf3 *")),
        ("stray_parenthesis_first", between(") 1. e4 e5 *")),
        ("stray_brace", between("1. e4 } e5 2. Nf3 *")),
        ("stray_bracket", between("1. e4 ] e5 2. Nf3 *")),
        ("comment_holds_the_parenthesis", between("1. e4 (1. d4 {)} d5 ;)\n) e5 *")),
        ("angle_brackets", between("1. e4 <reserved> e5 <1. d4> *")),
    ]);
}
