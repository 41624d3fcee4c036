//! Games compared with a repertoire.

use std::io;
use std::ops::ControlFlow;

use ::book::{Compare, Comparison, Repertoire};
use emit::Problem;

use crate::inputs::InputText;
use crate::observer::Observer;
use crate::options::Options;
use crate::played_games::{plan_of_values, run_text};
use crate::run::games::{ChunkGames, GameConsumer, Played, PlySource};
use crate::run::records::RecordConsumer;
use crate::summary::Summary;
use crate::text_plan::plan_of;

/// Compares the games of a text with a repertoire, on all cores: `deliver` receives those of each
/// chunk, in the order of the input, until it breaks.
///
/// Positions are compared: a game has left the repertoire after its last position that is part of
/// it, whatever the order of moves before. The options select games as for
/// [`games`](crate::games()). A game with an error is compared up to there.
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
    let text = text.of_games()?;
    let plan = plan_of_values(options);
    let plan = &*plan_of(&plan, options, text.kind(), &[]);
    let mut take = |compare: &mut Option<Compare<'_>>, games_before, summary: &mut Summary| {
        let Some(compare) = compare.take() else { return ControlFlow::Continue(()) };
        summary.positions += compare.positions;
        let mut compared = compare.finish();
        compared.left.iter_mut().for_each(|game| game.game += games_before);
        deliver(compared)
    };
    let mut summary = Summary::default();
    run_text(text, options, plan, &Find(repertoire), &mut summary, observer, &mut take)
        .map(|_| summary)
}

struct Find<'r>(&'r Repertoire);

impl<'r> GameConsumer for Find<'r> {
    type Result = Option<Compare<'r>>;

    fn chunk(&self, games: ChunkGames<'_>, compare: &mut Self::Result) -> Played {
        self.consume(games, compare)
    }

    fn problems(compare: &mut Self::Result) -> impl Iterator<Item = &mut Problem> {
        compare.iter_mut().flat_map(|compare| &mut compare.problems)
    }
}

impl RecordConsumer for Find<'_> {
    fn consume<G: PlySource>(&self, source: G, compare: &mut Self::Result) -> G::Read {
        let (compared, read) = source.play(Compare::new(self.0));
        *compare = Some(compared);
        read
    }
}
