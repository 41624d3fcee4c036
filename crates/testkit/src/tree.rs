//! A game with variations, and what is known of each of its positions.

use shakmaty::fen::Epd;
use shakmaty::san::SanPlus;
use shakmaty::{Chess, EnPassantMode, Position};

/// A game with variations, in which pieces often move back.
///
/// ```
/// use testkit::{rng::Rng, tree::Tree};
///
/// let mut rng = Rng::new(1);
/// let tree = Tree::new(&mut |bound| rng.below(bound));
/// assert!(tree.pgn.starts_with("1. ") && tree.paths.len() == tree.is_main.len());
/// ```
#[derive(Debug, Default)]
pub struct Tree {
    /// With all move numbers, and signs in place of some NAGs.
    pub pgn: String,
    /// The movetext as the export format (PGN standard 8.2) has it, in one line.
    pub normal: String,
    /// What tells the positions apart, from the start to each position, in the order in which they
    /// are converted: variations before the move that they replace.
    pub paths: Vec<Vec<String>>,
    /// For each position, whether it is of the main line.
    pub is_main: Vec<bool>,
}

/// Chooses a number below the bound.
type Choose<'c> = &'c mut dyn FnMut(u32) -> u32;

/// Comments and NAGs, as they are in the text and in the export format.
const NOTES: [(&str, &str); 5] =
    [("{a}", "{a}"), ("{b; (c)}", "{b; (c)}"), ("$7", "$7"), ("±", "$16"), ("-+", "$19")];

impl Tree {
    /// Makes a game from numbers that `choose` returns.
    pub fn new(choose: Choose<'_>) -> Tree {
        let (mut tree, start) = (Tree::default(), Chess::default());
        let path = tree.visit(&[], &start, true);
        let plies = 1 + choose(24);
        tree.line(choose, start, path, (plies, 0));
        tree
    }

    /// For each position, how often it has occurred in its line so far, itself included.
    pub fn repetitions(&self) -> Vec<usize> {
        let count = |path: &Vec<String>| {
            path.iter().filter(|position| Some(*position) == path.last()).count()
        };
        self.paths.iter().map(count).collect()
    }

    /// Returns the path to the position.
    fn visit(&mut self, before: &[String], position: &Chess, is_main: bool) -> Vec<String> {
        let fields = Epd::from_position(position, EnPassantMode::Legal).to_string();
        let path = [before, &[fields]].concat();
        self.paths.push(path.clone());
        self.is_main.push(is_main);
        path
    }

    fn word(&mut self, pgn: &str, normal: &str) {
        for (text, word) in [(&mut self.pgn, pgn), (&mut self.normal, normal)] {
            // A parenthesis touches what is in it.
            let is_apart = !word.is_empty() && word != ")" && !text.ends_with('(');
            *text += if is_apart && !text.is_empty() { " " } else { "" };
            *text += word;
        }
    }

    /// Adds comments and NAGs; returns whether there is a comment.
    fn notes(&mut self, choose: Choose<'_>) -> bool {
        let mut has_comment = false;
        while choose(4) == 1 {
            let (pgn, normal) = NOTES[choose(NOTES.len() as u32) as usize];
            self.word(pgn, normal);
            has_comment |= pgn.starts_with('{');
        }
        has_comment
    }

    /// Adds a line of `plies` moves, inside of `depth` variations.
    fn line(
        &mut self,
        choose: Choose<'_>,
        mut position: Chess,
        mut path: Vec<String>,
        (plies, depth): (u32, u32),
    ) {
        let mut earlier = Vec::new();
        // Whether something else than a move is before the next one.
        let mut is_apart = true;
        for _ in 0..plies {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let back = earlier.len().checked_sub(2).map(|at| earlier[at]);
            let back = moves.iter().find(|next| Some((next.from(), next.to())) == back);
            let any = moves[choose(moves.len() as u32) as usize];
            let next = back.copied().filter(|_| choose(3) > 0).unwrap_or(any);
            earlier.push((Some(next.to()), next.from().unwrap_or(next.to())));
            let (number, san) = (position.fullmoves(), SanPlus::from_move(position.clone(), next));
            match position.turn().is_white() {
                true => self.word(&format!("{number}."), &format!("{number}.")),
                false if is_apart => self.word(&format!("{number}..."), &format!("{number}...")),
                false => self.word(&format!("{number}..."), ""),
            }
            self.word(&san.to_string(), &san.to_string());
            is_apart = self.notes(choose);
            while depth < 3 && choose(5) == 1 {
                self.word("(", "(");
                let plies = 1 + choose(12);
                self.line(choose, position.clone(), path.clone(), (plies, depth + 1));
                self.word(")", ")");
                self.notes(choose);
                is_apart = true;
            }
            position.play_unchecked(next);
            path = self.visit(&path, &position, depth == 0);
        }
    }
}
