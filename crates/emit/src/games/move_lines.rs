//! Lines of moves.

/// Divides movetext into lines of less than 80 characters (PGN standard 8.2.1).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MoveLines {
    width: usize,
}

const WIDTH: usize = 80;

impl MoveLines {
    pub(crate) fn before(&mut self, word: &str) -> &'static str {
        let len = word.chars().count();
        let (width, space) = match self.width {
            0 => (len, ""),
            width if width + 1 + len < WIDTH => (width + 1 + len, " "),
            _ => (len, "\n"),
        };
        self.width = width;
        space
    }
}
