//! Random patterns of boards, material and attacks, against a naive matcher on boards of letters.

use emit::Filter;
use san::Position;
use testkit::rng::Rng;

use crate::support::{bare, values};

/// Ranks from the first to the eighth, files from a to h; `.` is an empty square.
type Board = [[char; 8]; 8];

fn board(fen: &str) -> Board {
    let mut board = [['.'; 8]; 8];
    for (rank, text) in (0..8).rev().zip(fen.split([' ', '/'])) {
        let mut file = 0;
        for c in text.chars() {
            match c.to_digit(10) {
                Some(free) => file += free as usize,
                None => {
                    board[rank][file] = c;
                    file += 1;
                }
            }
        }
    }
    board
}

/// The board with the colours of the pieces exchanged, seen from the other side.
fn for_other_colors(board: &Board) -> Board {
    let swapped = |c: char| match c.is_ascii_uppercase() {
        true => c.to_ascii_lowercase(),
        false => c.to_ascii_uppercase(),
    };
    let mut turned = board.map(|rank| rank.map(swapped));
    turned.reverse();
    turned
}

/// The board in a mirror: the a-file is the h-file.
fn mirrored(board: &Board) -> Board {
    board.map(|mut rank| {
        rank.reverse();
        rank
    })
}

/// A condition on a board.
#[derive(Clone, Debug)]
enum Pattern {
    /// What may stand on each square: letters, of `.AaPNBRQKpnbrqk`; anything if there is none.
    Board(Vec<String>),
    /// The letter of a piece of each side, and the least and the most of them.
    Material([Vec<(char, u32, u32)>; 2]),
    /// A piece that attacks a square or a piece; `A` and `a` are any piece of a side.
    Attack(char, Result<(usize, usize), char>),
    Either(Box<Pattern>),
    Mirrored(Box<Pattern>),
}

fn is_one_of(letters: &str, piece: char) -> bool {
    letters.chars().any(|letter| match letter {
        'A' => piece.is_ascii_uppercase(),
        'a' => piece.is_ascii_lowercase(),
        '!' => piece != '.',
        letter => letter == piece,
    })
}

/// Whether the piece on a square attacks another one.
fn attacks(board: &Board, (rank, file): (usize, usize), to: (usize, usize)) -> bool {
    let (up, right) = (to.0 as i32 - rank as i32, to.1 as i32 - file as i32);
    let (far, near) = (up.abs().max(right.abs()), up.abs().min(right.abs()));
    let is_free = || {
        (1..far).all(|step| {
            let at = |from: usize, way: i32| (from as i32 + step * way.signum()) as usize;
            board[at(rank, up)][at(file, right)] == '.'
        })
    };
    let (is_straight, is_diagonal) = (near == 0 && far > 0, near == far && far > 0);
    match board[rank][file] {
        'P' => up == 1 && right.abs() == 1,
        'p' => up == -1 && right.abs() == 1,
        'N' | 'n' => (far, near) == (2, 1),
        'K' | 'k' => far == 1,
        'B' | 'b' => is_diagonal && is_free(),
        'R' | 'r' => is_straight && is_free(),
        'Q' | 'q' => (is_straight || is_diagonal) && is_free(),
        _ => false,
    }
}

fn holds(pattern: &Pattern, on: &Board) -> bool {
    let squares = || (0..8).flat_map(|rank| (0..8).map(move |file| (rank, file)));
    match pattern {
        Pattern::Board(wanted) => squares().zip(wanted).all(|((rank, file), letters)| {
            letters.is_empty() || is_one_of(letters, on[rank][file])
        }),
        Pattern::Material(sides) => [0, 1].into_iter().all(|side| {
            let count = |letter: char| {
                let piece = if side == 0 { letter } else { letter.to_ascii_lowercase() };
                on.as_flattened().iter().filter(|square| **square == piece).count() as u32
            };
            material_holds(&sides[side], count)
        }),
        Pattern::Attack(by, target) => squares().any(|(rank, file)| {
            let is_target = |to: &(usize, usize)| match target {
                Ok(square) => square == to,
                Err(piece) => is_one_of(&piece.to_string(), on[to.0][to.1]),
            };
            is_one_of(&by.to_string(), on[rank][file])
                && squares().filter(is_target).any(|to| attacks(on, (rank, file), to))
        }),
        Pattern::Either(inner) => holds(inner, on) || holds(inner, &for_other_colors(on)),
        Pattern::Mirrored(inner) => holds(inner, on) || holds(inner, &mirrored(on)),
    }
}

/// Whether the pieces can be divided among the letters, so that each gets as many as it may have.
fn material_holds(wanted: &[(char, u32, u32)], count: impl Fn(char) -> u32) -> bool {
    let sum = |letter: char| {
        let of = wanted.iter().filter(|(other, ..)| *other == letter);
        of.fold((0, 0), |(least, most), one| (least + one.1, most + one.2))
    };
    let is_within = |count: u32, (least, most): (u32, u32)| least <= count && count <= most;
    let minors = sum('M');
    // Some of the knights and bishops are `N` and `B`, the others are `M`.
    let divided = (0..=count('N')).any(|knights| {
        (0..=count('B')).any(|bishops| {
            let others = count('N') - knights + count('B') - bishops;
            is_within(knights, sum('N'))
                && is_within(bishops, sum('B'))
                && is_within(others, minors)
        })
    });
    divided && ['P', 'R', 'Q'].into_iter().all(|letter| is_within(count(letter), sum(letter)))
}

/// How a number of pieces is written.
fn number(rng: &mut Rng, near: u32) -> (String, u32, u32) {
    let near = (near + rng.below(3)).saturating_sub(1);
    match rng.below(8) {
        0 => (String::new(), 1, 1),
        1 => ("*".into(), 0, 64),
        2 => ("+".into(), 1, 64),
        3 => ("?".into(), 0, 1),
        4 => (format!("{near}+"), near, 64),
        5 => (format!("{near}-"), 0, near),
        6 => (format!("{near}-{}", near + 2), near, near + 2),
        _ => (near.to_string(), near, near),
    }
}

/// A random pattern that is likely to hold on a board, and its text.
fn pattern(rng: &mut Rng, on: &Board) -> (Pattern, String) {
    match rng.below(5) {
        0 => board_pattern(rng, on),
        1 | 2 => material_pattern(rng, on),
        _ => attack_pattern(rng),
    }
}

fn board_pattern(rng: &mut Rng, on: &Board) -> (Pattern, String) {
    let (mut letters, mut ranks) = (vec![String::new(); 64], Vec::new());
    for rank in (0..8).rev() {
        let mut text = String::new();
        for file in 0..8 {
            if !rng.one_in(12) {
                text += rng.pick(&["?", "1"]);
                continue;
            }
            let piece = on[rank][file];
            let is_white = piece.is_ascii_uppercase();
            let mut of = match (rng.below(5), piece) {
                (0, _) => rng.pick(&['P', 'p', 'N', 'q', 'A', 'a', '!', '_']).to_string(),
                (_, '.') => "_".into(),
                (1, _) => if is_white { "A" } else { "a" }.into(),
                (2, _) => "!".into(),
                _ => piece.to_string(),
            };
            if rng.one_in(3) {
                of.push(rng.pick(&['R', 'r', 'K', '_', 'a']));
                text += &format!("[{of}]");
            } else {
                text += &of;
            }
            letters[rank * 8 + file] = of.replace('_', ".");
        }
        ranks.push(text);
    }
    (Pattern::Board(letters), format!("board ~ '{}'", ranks.join("/")))
}

fn material_pattern(rng: &mut Rng, on: &Board) -> (Pattern, String) {
    let has_minors = rng.one_in(2);
    let mut texts = [String::new(), String::new()];
    let sides = [0, 1].map(|side| {
        let text = &mut texts[side];
        *text += if rng.one_in(2) { "K" } else { "" };
        let count = |letter: char| {
            let piece = if side == 0 { letter } else { letter.to_ascii_lowercase() };
            on.as_flattened().iter().filter(|square| **square == piece).count() as u32
        };
        let mut wanted = Vec::new();
        for letter in ['Q', 'R', 'B', 'N', 'M', 'M', 'P'] {
            let is_minor = matches!(letter, 'B' | 'N');
            let is_given = match letter {
                'M' => has_minors && rng.one_in(2),
                _ if is_minor && has_minors => rng.one_in(2),
                _ => count(letter) > 0 || rng.one_in(4),
            };
            if !is_given {
                continue;
            }
            let near = if letter == 'M' { count('N') + count('B') } else { count(letter) };
            let near = if is_minor && has_minors { near.min(1) } else { near };
            let (how, least, most) = match rng.one_in(2) {
                true => number(rng, near),
                false => ("*".into(), 0, 64),
            };
            *text += &format!("{letter}{how}");
            wanted.push((letter, least, most));
        }
        wanted
    });
    (Pattern::Material(sides), format!("material ~ '{}v{}'", texts[0], texts[1]))
}

fn attack_pattern(rng: &mut Rng) -> (Pattern, String) {
    let piece = |rng: &mut Rng| {
        let letter = rng.pick(&['A', 'P', 'N', 'B', 'R', 'Q', 'K']);
        match rng.one_in(2) {
            true => (letter, format!("w{letter}")),
            false => (letter.to_ascii_lowercase(), format!("b{letter}")),
        }
    };
    let (by, text) = piece(rng);
    let (target, of) = match rng.one_in(2) {
        true => {
            let (rank, file) = (rng.below(8) as usize, rng.below(8) as usize);
            (Ok((rank, file)), format!("{}{}", char::from(b'a' + file as u8), rank + 1))
        }
        false => {
            let (piece, text) = piece(rng);
            (Err(piece), text)
        }
    };
    (Pattern::Attack(by, target), format!("attacks({text}, {of})"))
}

/// A random game, as positions and as text.
fn game(rng: &mut Rng) -> (String, Vec<Board>) {
    let mut position = Position::default();
    let (mut text, mut boards) = (String::new(), vec![board(&position.to_string())]);
    for _ in 0..rng.between(0, 120) {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        // Captures, so that few pieces are left.
        let captures = moves.iter().filter(|next| next.is_capture()).copied().collect::<Vec<_>>();
        let next = match captures.is_empty() || rng.one_in(3) {
            true => moves[rng.below(moves.len() as u32) as usize],
            false => rng.pick(&captures),
        };
        text += &format!("{} ", san::san_of(&position, next));
        position.play_unchecked(next);
        boards.push(board(&position.to_string()));
    }
    (text + "*\n", boards)
}

#[test]
fn random_patterns_hold_where_a_naive_matcher_finds_them() {
    let mut rng = Rng::new(1415);
    let mut counts = [0; 3];
    for _ in 0..6000 {
        let (pgn, boards) = game(&mut rng);
        let sample = boards[rng.below(boards.len() as u32) as usize];
        let (mut pattern, mut text) = pattern(&mut rng, &sample);
        let kind = match pattern {
            Pattern::Board(_) => 0,
            Pattern::Material(_) => 1,
            _ => 2,
        };
        let (either, mirror) = (rng.one_in(2), rng.one_in(3));
        for (is_wanted, word, wrap) in [
            (either, "either", Pattern::Either as fn(_) -> _),
            (mirror, "mirrored", Pattern::Mirrored as fn(_) -> _),
        ] {
            if is_wanted {
                (pattern, text) = (wrap(Box::new(pattern)), format!("{word}({text})"));
            }
        }
        let filter: Filter = text.parse().unwrap_or_else(|error| panic!("{error}"));
        let plan = emit::Plan { filter: Some(filter), ..bare() };
        let found = values(&pgn, "{ply}", plan);
        let expected = (0..boards.len()).filter(|ply| holds(&pattern, &boards[*ply]));
        let expected: Vec<String> = expected.map(|ply| ply.to_string()).collect();
        assert_eq!(found, expected, "{text}: {pgn}");
        // Neither nowhere nor everywhere.
        counts[kind] += usize::from(!found.is_empty() && found.len() < boards.len());
    }
    assert!(counts.iter().all(|count| *count > 300), "{counts:?}");
}
