//! Facts by their names, and the error for a name that cannot be used.

use std::fmt;

use super::place::FactPlace;
use super::similar::{self, KNOWN_TAGS};
use super::table::{Fact, is_tag_name};

/// A name that is neither a tag nor a fact available at its place of use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownField {
    /// The name.
    pub name: String,
    /// Where it is used.
    pub place: FactPlace,
    /// The fact of that name, if it is available elsewhere.
    pub fact: Option<Fact>,
}

impl Fact {
    /// Looks up a fact by its name in `place`.
    ///
    /// # Errors
    ///
    /// If the fact is unknown or not available in `place`.
    pub fn named(name: &str, place: FactPlace) -> Result<Fact, UnknownField> {
        match Fact::all().find(|fact| fact.name() == name) {
            Some(fact) if fact.is_available_in(place) => Ok(fact),
            fact => Err(UnknownField { name: name.to_owned(), place, fact }),
        }
    }
}

/// What a name stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Variable {
    /// A tag of games, or an operation of records.
    Tag(String),
    Fact(Fact),
}

/// Before a name that means an operation or a column, even if it is the name of a fact.
pub(crate) const OF_RECORD: &str = "record.";

impl Variable {
    /// The rule for all names: a fact; else, or with a capital or [`OF_RECORD`], a tag or column.
    pub(crate) fn named(name: &str, place: FactPlace) -> Result<Self, UnknownField> {
        if let Some(own) = name.strip_prefix(OF_RECORD).filter(|own| is_name(own)) {
            return Ok(Variable::Tag(own.to_owned()));
        }
        if is_tag_name(name) {
            return Ok(Variable::Tag(name.to_owned()));
        }
        match Fact::named(name, place) {
            Ok(fact) => Ok(Variable::Fact(fact)),
            Err(error) if error.fact.is_none() && is_name(name) => {
                Ok(Variable::Tag(name.to_owned()))
            }
            Err(error) => Err(error),
        }
    }
}

/// Whether a name can be that of an operation or a column.
fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Returns the names of variables and tags to which a name is similar, for a message.
pub fn did_you_mean(name: &str) -> String {
    let known = Fact::all().map(Fact::name).chain(KNOWN_TAGS);
    let similar: Vec<&str> =
        similar::names(name, known).into_iter().filter(|known| *known != name).collect();
    match similar.is_empty() {
        true => String::new(),
        false => format!("; did you mean {}?", similar.join(" or ")),
    }
}

/// The variables of positions with counts, which explorer files have.
pub const COUNTS: [&str; 8] = [
    "games",
    "white_wins",
    "draws",
    "black_wins",
    "white_score",
    "rating",
    "first_year",
    "last_year",
];

impl UnknownField {
    fn similar(&self) -> Vec<&str> {
        let known = Fact::all().filter(|fact| fact.is_available_in(self.place)).map(Fact::name);
        similar::names(&self.name, known.chain(KNOWN_TAGS))
    }
}

impl std::error::Error for UnknownField {}

impl fmt::Display for UnknownField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.place {
            FactPlace::Template => format!("{{{}}}", self.name.escape_debug()),
            _ => self.name.escape_debug().to_string(),
        };
        if let Some(fact) = self.fact {
            let place = self.place.name();
            return write!(f, "{name} is not available in {place}, only in {}", fact.places());
        }
        let similar = self.similar();
        if !similar.is_empty() {
            return write!(f, "unknown variable {name}; did you mean {}?", similar.join(" or "));
        }
        let known: Vec<&str> =
            Fact::all().filter(|fact| fact.is_available_in(self.place)).map(Fact::name).collect();
        let known = known.join(", ");
        write!(
            f,
            "unknown variable {name}; available: {known}; names of tags begin with a capital letter"
        )
    }
}
