//! An opening explorer over HTTP.

pub use serve::{
    ClientLimits, FileNameError, Games, Library, OriginError, Positions, Server, signalled,
};

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use pgn::{Unit, games, part};

const RANGE: u64 = 1 << 20;

/// Files of games, of which each game can be read.
///
/// When the first game of a file is asked for, the games before each part of the file are counted.
/// After that, one part is read for a game.
#[derive(Debug)]
pub struct NumberedGames(Vec<Option<NumberedFile>>);

#[derive(Debug)]
struct NumberedFile {
    path: PathBuf,
    /// The number of games before each part, and of all.
    counted: Mutex<Vec<u64>>,
}

impl NumberedGames {
    /// Returns the games of files in PGN that are not compressed. `files` are the names in the
    /// header of an explorer file, without folders; of these, only those that are among `paths`
    /// are read.
    pub fn new(files: &[String], paths: &[PathBuf]) -> Self {
        let is_it = |path: &&PathBuf, file: &str| path.file_name() == Path::new(file).file_name();
        let numbered =
            |path: &PathBuf| NumberedFile { path: path.clone(), counted: Mutex::default() };
        let found = |file: &String| paths.iter().find(|path| is_it(path, file)).map(numbered);
        NumberedGames(files.iter().map(found).collect())
    }

    /// Whether a game of any file can be read.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(Option::is_none)
    }
}

impl Games for NumberedGames {
    fn game(&self, file: u32, game: u64) -> io::Result<Option<Vec<u8>>> {
        match self.0.get(file as usize) {
            Some(Some(file)) => file.game(game),
            _ => Ok(None),
        }
    }
}

impl NumberedFile {
    fn game(&self, number: u64) -> io::Result<Option<Vec<u8>>> {
        let Some(index) = number.checked_sub(1) else { return Ok(None) };
        let (place, before) = {
            let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
            if counted.is_empty() {
                *counted = self.count()?;
            }
            let Some(place) = counted.partition_point(|games| *games <= index).checked_sub(1)
            else {
                return Ok(None);
            };
            (place, counted[place])
        };
        let text = self.text(place as u64 * RANGE)?;
        let found = games(&text).nth((index - before) as usize);
        Ok(found.map(|game| text[game.span().range()].trim_ascii().to_vec()))
    }

    fn count(&self) -> io::Result<Vec<u64>> {
        let len = File::open(&self.path)?.metadata()?.len();
        let (mut counted, mut at) = (vec![0], 0);
        while at < len {
            let games = games(&self.text(at)?).count() as u64;
            counted.push(counted.last().unwrap_or(&0) + games);
            at += RANGE;
        }
        Ok(counted)
    }

    fn text(&self, start: u64) -> io::Result<Vec<u8>> {
        let mut part = part(File::open(&self.path)?, start..start + RANGE, |_| Some(Unit::Game))?;
        let mut text = Vec::new();
        if let Some(mut source) = part.source.next_text().map_err(io::Error::other)? {
            source.read_to_end(&mut text)?;
        }
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of games in files of some parts, compared with the texts that were written.
    #[test]
    fn each_game_has_its_number() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        // Games are of different lengths, and begin anywhere in a part.
        let text = |i: usize| {
            let comment = "x".repeat(i * 7919 % 5_000);
            format!("[Event \"{i}\"]\n[White \"[Event {i}\"]\n\n1. e4 {{{comment}}} *")
        };
        let count = 1_500;
        let (mut whole, mut firsts) = (String::new(), Vec::new());
        for i in 1..=count {
            // The first game that begins in each part.
            if whole.len() as u64 >= firsts.len() as u64 * RANGE {
                firsts.push(i);
            }
            whole += &(text(i) + "\n\n");
        }
        std::fs::write(&path, whole).unwrap();
        assert_eq!(firsts.len(), 4);
        let games = NumberedGames::new(&["other.pgn".into(), "games.pgn".into()], &[path]);
        let around = firsts.iter().flat_map(|first| [first - 1, *first, first + 1]);
        for i in (1..=count).step_by(37).chain([count]).chain(around.filter(|i| *i > 0)) {
            let found = games.game(1, i as u64).unwrap().unwrap();
            assert_eq!(String::from_utf8(found).unwrap(), text(i), "game {i}");
        }
        for (file, game) in [(1, 0), (1, count as u64 + 1), (0, 1), (2, 1)] {
            assert_eq!(games.game(file, game).unwrap(), None, "{file}-{game}");
        }
    }
}
