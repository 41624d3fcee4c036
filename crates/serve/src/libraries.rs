//! What the server answers from.

use std::fmt;
use std::io;

use axum::http::StatusCode;
use book::GroupBy;
use book::explorer::{ExplorerEntry, ExplorerError, ExplorerFile, ExplorerHeader};
use san::PositionKey;

use crate::class_filter::ClassFilter;
use crate::refusal::Refusal;

/// Positions with their counts, as an [`ExplorerFile`] has them.
pub trait Positions: Send + Sync {
    /// Returns a position; `None` if there are no counts of it.
    ///
    /// # Errors
    ///
    /// If the positions cannot be read.
    fn find(&self, key: PositionKey) -> Result<Option<ExplorerEntry>, ExplorerError>;

    /// Returns what is known of the counts.
    fn header(&self) -> &ExplorerHeader;
}

impl Positions for ExplorerFile {
    fn find(&self, key: PositionKey) -> Result<Option<ExplorerEntry>, ExplorerError> {
        self.find(key)
    }

    fn header(&self) -> &ExplorerHeader {
        self.header()
    }
}

/// The games that were counted, as text.
pub trait Games: Send + Sync {
    /// Returns the text of a game, given the number of its file in the header and its own in the
    /// file; `None` if it is not there.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    fn game(&self, file: u32, game: u64) -> io::Result<Option<Vec<u8>>>;
}

/// Positions under a name, which is the path of requests for them.
pub struct Library {
    name: String,
    positions: Box<dyn Positions>,
    grouped_by: GroupBy,
    games: Option<Box<dyn Games>>,
}

impl fmt::Debug for Library {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Library").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A name that cannot be the path of a library.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NameError {
    /// It has other characters than letters, digits, `-` and `_`, or none.
    #[error("the name {0:?} is not letters, digits, - and _: give another one as NAME=FILE")]
    Characters(String),
    /// It is the path of something else, or of another library.
    #[error("the name {0:?} is taken: give another one as NAME=FILE")]
    Taken(String),
}

/// Paths that are answered by the first library if no library has the name: those of Lichess.
const LICHESS: [&str; 3] = ["masters", "lichess", "master"];

/// Paths that are no library's.
const RESERVED: [&str; 2] = ["player", "personal"];

impl Library {
    /// Makes a library.
    ///
    /// # Errors
    ///
    /// If the name is not the last part of a path.
    pub fn new(
        name: impl Into<String>,
        positions: impl Positions + 'static,
    ) -> Result<Self, NameError> {
        let name = name.into();
        let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        if name.is_empty() || !name.bytes().all(is_allowed) {
            return Err(NameError::Characters(name));
        }
        if RESERVED.contains(&&*name) {
            return Err(NameError::Taken(name));
        }
        let grouped_by = positions.header().grouped_by.parse().unwrap_or_default();
        Ok(Library { name, positions: Box::new(positions), grouped_by, games: None })
    }

    /// Sets the games, which can be asked for.
    #[must_use]
    pub fn games(mut self, games: impl Games + 'static) -> Self {
        self.games = Some(Box::new(games));
        self
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn header(&self) -> &ExplorerHeader {
        self.positions.header()
    }

    pub(crate) fn has_games(&self) -> bool {
        self.games.is_some()
    }

    /// Returns the text of a game with a name as in [`crate::answer`].
    pub(crate) fn game(&self, id: &str) -> Result<Vec<u8>, Refusal> {
        let missing = || Refusal::not_found(format!("no game has the number {id:?}"));
        let Some(games) = &self.games else {
            let reason = format!("the games of {} were not given to the server", self.name);
            return Err(Refusal::not_found(reason));
        };
        let (file, game) = id.split_once('-').ok_or_else(missing)?;
        let (Ok(file), Ok(game)) = (file.parse(), game.parse()) else { return Err(missing()) };
        games.game(file, game).map_err(|error| self.failed(&error))?.ok_or_else(missing)
    }

    fn failed(&self, error: &dyn fmt::Display) -> Refusal {
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, format!("{}: {error}", self.name))
    }

    pub(crate) fn grouped_by(&self) -> &GroupBy {
        &self.grouped_by
    }

    /// Finds a position, and adds up the counts of some classes.
    pub(crate) fn find(
        &self,
        key: PositionKey,
        classes: &ClassFilter,
    ) -> Result<Option<ExplorerEntry>, Refusal> {
        classes.check(&self.grouped_by)?;
        let found = self.positions.find(key).map_err(|error| self.failed(&error))?;
        match classes.is_all() {
            true => Ok(found),
            false => Ok(found.and_then(|entry| entry.of_classes(|class| classes.wants(class)))),
        }
    }
}

/// Several libraries with different names.
#[derive(Debug)]
pub(crate) struct Libraries(Vec<Library>);

impl Libraries {
    pub(crate) fn new(libraries: Vec<Library>) -> Result<Self, NameError> {
        for (i, library) in libraries.iter().enumerate() {
            if libraries[..i].iter().any(|other| other.name.eq_ignore_ascii_case(&library.name)) {
                return Err(NameError::Taken(library.name.clone()));
            }
        }
        Ok(Libraries(libraries))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Library> {
        self.0.iter()
    }

    /// The names of Lichess mean the first library, unless another one has the name.
    pub(crate) fn named(&self, name: &str) -> Result<&Library, Refusal> {
        let found = self.0.iter().find(|library| library.name.eq_ignore_ascii_case(name));
        found.or(self.0.first().filter(|_| LICHESS.contains(&name))).ok_or_else(|| {
            let names: Vec<&str> = self.0.iter().map(Library::name).collect();
            Refusal::not_found(format!(
                "{name:?} is not the name of a file; the names are {}",
                names.join(", ")
            ))
        })
    }
}
