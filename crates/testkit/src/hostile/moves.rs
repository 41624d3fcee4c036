//! Moves: illegal, unknown, and in unusual spellings.

use super::{Inputs, between};

pub(super) fn add(inputs: &mut Inputs) {
    inputs.extend([
        ("illegal_first_move", between("1. Ke3 e5 2. Nf3 *")),
        ("illegal_move_in_the_middle", between("1. e4 e5 2. Qh5 Nc6 3. Qh8 Nf6 4. Bc4 1-0")),
        ("illegal_last_move", between("1. e4 e5 2. Bb6 1-0")),
        ("illegal_castling", between("1. O-O O-O-O *")),
        ("moves_behind_mate", between("1. f3 e5 2. g4 Qh4# 3. Kf2 Qxf2 0-1")),
        ("ambiguous_move", between("1. Nf3 Nf6 2. d3 d6 3. Nd2 *")),
        ("king_takes_king", between("1. e4 e5 2. Kxe8 *")),
        ("unknown_words", between("1. e4 hello e5 @#~ 2. Nf3 N Q x = + - / 12a Nc6 *")),
        ("unknown_words_at_the_end", between("1. e4 e5 * and so they agreed to a draw")),
        ("prose", b"Dear friend,\n\nthe game was good. I won (as always) in 12 moves!\n".to_vec()),
        ("figurines", between("1. \u{2659}e4 \u{265f}e5 2. \u{2658}f3 \u{265e}c6 3. \u{2657}b5 *")),
        ("german_letters", between("1. e4 e5 2. Sf3 Sc6 3. Lc4 Lc5 4. De2 *")),
        ("cyrillic_letters", between("1. \u{435}4 \u{435}5 2. \u{41a}\u{444}3 *")),
        ("null_moves", between("1. e4 -- 2. Z0 Nf6 3. @@@@ 0000 4. null pass *")),
        ("null_move_in_check", between("1. e4 f6 2. Qh5+ -- 3. Qxe8 *")),
        ("long_algebraic", between("1. e2-e4 e7e5 2. Ng1-f3 Nb8c6 3. Bf1xb5 a7-a6 4. Pa2-a3 *")),
        ("castling_in_all_letters", {
            let start = "1. e4 e5 2. Nf3 Nf6 3. Be2 Be7";
            let forms = [
                "O-O", "0-0", "o-o", "OO", "00", "O\u{2013}O", "e1g1", "e1h1", "Kg1",
                "\u{41e}-\u{41e}",
            ];
            forms.map(|castling| between(format!("{start} 4. {castling} {castling} *"))).concat()
        }),
        ("promotions_in_all_forms", {
            let tags = "[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 1\"]";
            let forms = [
                "a8=Q", "a8Q", "a8(Q)", "a8/Q", "a8=q", "a8q+", "a8=K", "a8=P", "a8", "a7a8q",
                "a8=",
            ];
            forms.map(|promotion| between(format!("{tags}\n\n1. {promotion} Kd7 *"))).concat()
        }),
        (
            "en_passant_marked",
            between("1. e4 a6 2. e5 d5 3. exd6e.p. exd6 *\n\n1. e4 a6 2. e5 d5 3. ed6 e.p. *"),
        ),
        ("suffixes_heaped", between("1. e4!!??!?!? e5+#+# 2. Nf3$1$2$3!= Nc6\u{b1} 3. Bb5+- *")),
        ("glyphs_out_of_range", between("1. e4 $999999999999999 e5 $ $-1 $x 2. Nf3 $0 *")),
        (
            "move_numbers_wrong",
            between("7. e4 7... e5 1. Nf3 1. Nc6 0. Bb5 99999999999999999999. a6 *"),
        ),
        ("move_numbers_missing", between("e4 e5 Nf3 Nc6 Bb5 a6 *")),
        (
            "move_numbers_glued",
            between("1.e4 1...e5 2.Nf3 2..Nc6 3...... Bb5 3.\u{2026}a6 4 Ba4 4) Nf6 *"),
        ),
        ("move_numbers_only", between("1. 2. 3... 4 5.*")),
        ("dots_only", between(". .. ... .... *")),
        (
            "blank_lines_in_movetext",
            between("[Event \"x\"]\n\n1. e4\n\ne5\n\n\n2. Nf3 {x}\n\n{y} Nc6\n\n*"),
        ),
        ("one_move_a_line", between("1.\ne4\ne5\n2.\nNf3\nNc6\n1/2-1/2")),
        ("very_long_word", between(format!("1. e4 {} e5 *", "N".repeat(500_000)))),
        ("very_long_number", between(format!("{}. e4 e5 *", "1".repeat(500_000)))),
        ("piece_letters_many", between(format!("1. e4 {} e5 *", "N ".repeat(5_000)))),
        ("piece_letter_before_the_next_game", between("1. e4 e5 2. N\n[White \"B\"]\n\n1. d4 *")),
        ("tabs_for_spaces", between("1.\te4\te5\t2.\tNf3\t*")),
        ("too_many_pieces_of_a_move", between("1. Ng1f3x Nb8xc6=Q+ 2. Pe2xe4=Q O-O-O-O *")),
    ]);
}
