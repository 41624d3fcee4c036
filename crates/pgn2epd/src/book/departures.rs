//! Games compared with a repertoire.

use std::io;
use std::ops::ControlFlow;

use ::book::{Compare, Comparison, Repertoire};

use crate::inputs::InputText;
use crate::observer::Observer;
use crate::options::Options;
use crate::played_games::plan_of_values;
use crate::replay::replay_text;
use crate::summary::Summary;

/// Compares the games of a text with a repertoire, on all cores: `deliver` receives those of each
/// chunk, in the order of the input, until it breaks.
///
/// Positions are compared: a game has left the repertoire after its last position that is part of
/// it, whatever the order of moves before. The options select games as for
/// [`replay`](crate::replay()). A game with an error is compared up to there.
///
/// # Errors
///
/// Returns an error if the text cannot be read, or does not contain games. The games before it have
/// been compared.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use pgn2epd::Options;
/// use pgn2epd::book::{BookOptions, Counting, DepartureKind, find_departures, repertoire};
/// use pgn2epd::chess::Color;
/// use pgn2epd::input::{Input, Inputs};
///
/// let options = BookOptions::default().variations(true);
/// let mut counting = Counting::new(&options, ["repertoire"]);
/// counting.input("repertoire", &b"1. e4 c5 (1... e5 2. Nf3) 2. Nc3 *"[..], &mut ())?;
/// let repertoire = repertoire(counting.finish(), Color::White, &options)?;
///
/// let mut kinds = Vec::new();
/// let games = Input::reader("games", &b"1. e4 e5 2. d4 *\n\n1. Nc3 c5 2. e4 *\n\n1. e4 e6 *"[..]);
/// for text in Inputs::new([games]) {
///     find_departures(text?, &repertoire, &Options::default(), &mut |compared| {
///         kinds.extend(compared.left.iter().map(|game| (game.game, game.ply, game.kind)));
///         ControlFlow::Continue(())
///     }, &mut ())?;
/// }
/// assert_eq!(kinds, [(1, 2, DepartureKind::Own), (3, 1, DepartureKind::Reply)]);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
pub fn find_departures(
    text: InputText<'_>,
    repertoire: &Repertoire,
    options: &Options,
    deliver: &mut dyn FnMut(Comparison) -> ControlFlow<()>,
    observer: &mut dyn Observer,
) -> io::Result<Summary> {
    let plan = plan_of_values(options);
    let mut summary = Summary::default();
    let mut take = |compare: Compare<'_>, games_before: u64| {
        let mut compared = compare.finish();
        compared.left.iter_mut().for_each(|game| game.game += games_before);
        deliver(compared)
    };
    let sink = || Compare::new(repertoire);
    let text = text.of_games()?;
    replay_text(text, options, &plan, sink, &mut take, &mut summary, observer).map(|_| summary)
}
