//! What games are equal by.

use std::sync::Arc;

use dataset::equal::GamePreference;
use dataset::{ComparedGame, GamePlace, random_rank_of};
use emit::{Ply, Ratings, VariantPly, date_of_game};
use pgn::{Outcome, Place, Scanner, TagPair, Token, known_value};
use san::{AnyPosition, FieldStyle, MoveCode, PositionKey, VariantPosition};

use crate::options::game_equality::GameEquality;

/// Makes the keys of games.
#[derive(Debug)]
pub(crate) struct GameKey {
    equality: GameEquality,
    keep: GamePreference,
    place: GamePlace,
    tags: Tags,
    /// The starting position.
    start: Vec<u8>,
    /// The moves that are compared, and the one after the last position.
    moves: Vec<u8>,
    /// The length of those before it.
    end: usize,
    plies: u32,
    annotations: u32,
    is_discarded: bool,
}

/// What of the tags is compared.
#[derive(Debug, Default)]
struct Tags {
    /// All of them, for games without moves.
    all: Vec<u8>,
    variant: String,
    result: Option<Outcome>,
    /// As far as it is known.
    date: Vec<u8>,
    /// The names of the players in normal form, if both are known.
    players: Option<[String; 2]>,
    /// The mean rating, times two.
    elo: u32,
}

impl Tags {
    fn of(tags: &[TagPair<'_>], equality: GameEquality) -> Self {
        let mut all = Vec::new();
        for tag in tags {
            for part in [tag.name(), tag.raw_value()] {
                all.extend_from_slice(part);
                all.push(0);
            }
        }
        let value = |name: &[u8]| known_value(tags, name);
        let player = |name: &[u8]| value(name).and_then(|name| player(&name));
        let date = date_of_game(tags).into_iter().take_while(|part| *part > 0);
        Tags {
            all,
            // Names of the same variant are the same.
            variant: value(b"Variant")
                .map(|name| format!("{:?}", VariantPosition::variant_named(name.as_bytes())))
                .unwrap_or_default(),
            result: value(b"Result").map(|result| Outcome::of_tag(result.as_bytes())),
            date: date.flat_map(|part| (part as u16).to_be_bytes()).collect(),
            players: match equality {
                GameEquality::Players(_) => player(b"White").zip(player(b"Black")).map(Into::into),
                _ => None,
            },
            elo: mean_rating(tags),
        }
    }
}

impl GameKey {
    /// Makes keys of the games of a file.
    pub(crate) fn new(equality: GameEquality, keep: GamePreference, file: &Arc<str>) -> Self {
        let place = GamePlace { file: Arc::clone(file), line: 0, game: 0 };
        let (tags, start, moves, end) = Default::default();
        let (plies, annotations, is_discarded) = Default::default();
        GameKey { equality, keep, place, tags, start, moves, end, plies, annotations, is_discarded }
    }

    /// Notes the number of the next game in the chunk and its place.
    pub(super) fn number(&mut self, game: u64, place: Place) {
        (self.place.game, self.place.line) = (game, place.line);
    }

    pub(super) fn begin(&mut self, tags: &[TagPair<'_>]) {
        self.tags = Tags::of(tags, self.equality);
        self.start.clear();
        self.moves.clear();
        (self.end, self.plies, self.annotations, self.is_discarded) = (0, 0, 0, false);
    }

    pub(super) fn ply(&mut self, ply: &Ply<'_>) {
        if ply.number == 0 {
            self.start = PositionKey::of(ply.position).to_bytes().to_vec();
        }
        // A null move has the code of no move.
        self.add(ply, || MoveCode::of(ply.next).0.to_be_bytes());
    }

    pub(super) fn variant(&mut self, ply: &VariantPly<'_>) {
        if ply.number == 0 {
            let fields = ply.position.fields(FieldStyle::default());
            self.start = format!("{} {fields}", self.tags.variant).into_bytes();
        }
        let uci = || ply.next.map(|next| format!("{} ", ply.position.uci_of(next)));
        self.add(ply, || uci().unwrap_or_default().into_bytes());
    }

    /// Adds the next move of a position of the main line.
    fn add<P: AnyPosition, B: AsRef<[u8]>>(&mut self, ply: &Ply<'_, P>, next: impl Fn() -> B) {
        if !ply.branches.is_empty() {
            return;
        }
        (self.plies, self.end) = (ply.number, self.moves.len());
        let most = match self.equality {
            GameEquality::Players(most) => most,
            _ => u32::MAX,
        };
        if ply.number < most {
            self.moves.extend_from_slice(next().as_ref());
        }
    }

    /// Receives the text of the game.
    pub(super) fn text(&mut self, text: &[u8]) {
        if self.keep == GamePreference::MostAnnotated {
            self.annotations = annotations(text);
        }
    }

    /// Whether a move of the game was played.
    pub(super) fn has_moves(&self) -> bool {
        self.plies > 0
    }

    pub(super) fn discard(&mut self) {
        self.is_discarded = true;
    }

    /// Returns the game, with its number in the chunk; `None` if it is not compared.
    pub(super) fn end(&self, outcome: Option<Outcome>) -> Option<ComparedGame> {
        let Tags { all, result, date, players, elo, .. } = &self.tags;
        let moves = &self.moves[..self.end];
        // What must be equal, and what may be the beginning of that of another game.
        let (mut fixed, beginning) = match self.equality {
            _ if self.is_discarded => return None,
            _ if self.plies == 0 => ([b"tags/", &**all].concat(), &[][..]),
            GameEquality::Prefix(least) if self.plies >= least => (b"prefix/".to_vec(), moves),
            GameEquality::Moves | GameEquality::Prefix(_) => ([b"moves/", moves].concat(), &[][..]),
            GameEquality::Players(_) => {
                let [white, black] = players.as_ref()?;
                let result = result.or(outcome).unwrap_or(Outcome::Unknown).as_str();
                let names = format!("players/{white}/{black}/{result}/");
                ([names.as_bytes(), moves].concat(), &**date)
            }
        };
        fixed.extend_from_slice(&self.start);
        // That two of 10^8 different games have the same 128 bits has a probability of 10^-23.
        let mut key = Vec::with_capacity(2 * size_of::<u64>() + beginning.len());
        key.extend(random_rank_of(0, &fixed).to_be_bytes());
        key.extend(random_rank_of(1, &fixed).to_be_bytes());
        key.extend_from_slice(beginning);
        let rank = match self.keep {
            GamePreference::First | GamePreference::Last => 0,
            GamePreference::Longest => self.plies,
            GamePreference::MostAnnotated => self.annotations,
            GamePreference::BestRated => *elo,
        };
        Some(ComparedGame { key, is_damaged: false, rank, place: self.place.clone() })
    }
}

/// Returns the mean rating of the players, times two; 0 if it is not known.
pub(super) fn mean_rating(tags: &[TagPair<'_>]) -> u32 {
    Ratings::of(tags).mean().map_or(0, |elo| (2.0 * elo) as u32)
}

/// Counts comments, NAGs and variations.
fn annotations(text: &[u8]) -> u32 {
    let mut scanner = Scanner::new(text);
    scanner.next_game();
    let mut count = 0;
    while let Some(token) = scanner.next_token() {
        count += match token {
            Token::Comment(_) | Token::LineComment(_) | Token::Nag(_) | Token::Glyph(_) => 1,
            Token::Open => 1,
            Token::Move(text) => u32::from(text.ends_with(b"!") || text.ends_with(b"?")),
            _ => 0,
        };
    }
    count
}

/// Returns the last word of the surname of a player, and the initial of the first name, without
/// accents: "Carlsen, Magnus", "Magnus Carlsen" and "M. Carlsen" are "carlsen m".
fn player(name: &str) -> Option<String> {
    let name = epd::to_ascii(name).0.to_ascii_lowercase();
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_ascii_alphanumeric());
        words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let (surname, first) = match name.split_once(',') {
        Some((surname, first)) => (words(surname), words(first)),
        None => {
            let mut first = words(&name);
            let last = first.split_off(first.len().checked_sub(1)?);
            let is_initial = last[0].len() == 1 && !first.is_empty();
            if is_initial { (first, last) } else { (last, first) }
        }
    };
    let initial = first.first().map_or("", |word| &word[..1]);
    Some(format!("{} {initial}", surname.last()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_is_the_same_in_all_forms_of_the_name() {
        let cases = [
            (
                "carlsen m",
                "Carlsen, Magnus|Carlsen,M|Magnus Carlsen|M. Carlsen|Carlsen M.|CARLSEN,Magnus (NOR)",
            ),
            ("kroger j", "Kröger, Jörg|J Kroger|Krøger,J.-P."),
            ("wely l", "Van Wely, Loek|Loek van Wely|van Wely L"),
            ("lagrave m", "Vachier-Lagrave, Maxime|Maxime Vachier Lagrave"),
            ("kasparov g", "Каспаров, Гарри|Kasparov Г|Kasparov, Garry"),
            ("kelly a", "O'Kelly, Alberic|A. O’Kelly"),
            ("drnykterstein ", "DrNykterstein|drnykterstein,"),
            ("x ", "X"),
        ];
        for (expected, names) in cases {
            for name in names.split('|') {
                assert_eq!(player(name).as_deref(), Some(expected), "{name}");
            }
        }
        assert_eq!([player(", Magnus"), player("..."), player("")], [None, None, None]);
    }

    #[test]
    fn annotations_are_comments_nags_and_variations() {
        let text = b"[White \"{a}\"]\n\n{a} 1. e4! $2 (1. d4? {b} (1. c4)) ; c\n1... e5 +- *";
        assert_eq!(annotations(text), 3 + 2 + 2 + 2);
    }
}
