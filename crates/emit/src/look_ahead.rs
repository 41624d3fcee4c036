//! The collected game: a sink that passes positions on at the end of their game, so that each comes
//! with the data that follows it.

use std::ops::Range;

use san::{AnyPosition, Position, VariantPosition};

use crate::game::GameContext;
use crate::ply::{Ahead, Branch, Ply, VariantPly};
use crate::problem::Problem;
use crate::records::plan::Plan;
use crate::selection::Omission;
use crate::selection::filter::ConditionValues;
use crate::selection::filter::condition::Condition;
use crate::sink::{Movetext, Sink};

/// Passes the plies of a game on at its end, with [the data that follows them](crate::Ply::ahead),
/// and evaluates a condition that needs that data. Holds one game, about 200 bytes per ply.
pub(crate) struct LookAhead<'p> {
    sink: &'p mut dyn Sink,
    chess: CollectedGame<Position>,
    variant: CollectedGame<VariantPosition>,
    condition: Option<Condition<'p>>,
}

#[derive(Debug)]
struct CollectedGame<P: AnyPosition> {
    steps: Vec<CollectedPly<P>>,
    branches: Vec<Branch>,
    comments: Vec<Range<usize>>,
    text: Vec<u8>,
    nags: Vec<u8>,
}

#[derive(Debug)]
struct CollectedPly<P: AnyPosition> {
    position: P,
    next: Option<P::Move>,
    number: u32,
    branches: Range<usize>,
    comments: Range<usize>,
    nags: Range<usize>,
    omitted: Option<Omission>,
    /// Whether it is the position before a variation, with the first move of the variation.
    is_alternative: bool,
}

impl<P: AnyPosition> CollectedGame<P> {
    fn new() -> Self {
        let (steps, branches, comments, text, nags) = Default::default();
        CollectedGame { steps, branches, comments, text, nags }
    }

    fn keep(&mut self, ply: Ply<'_, P>, omitted: Option<Omission>, is_alternative: bool) {
        let branches = self.branches.len()..self.branches.len() + ply.branches.len();
        self.branches.extend_from_slice(ply.branches);
        let comments = self.comments.len()..self.comments.len() + ply.comments.len();
        for comment in ply.comments {
            let start = self.text.len();
            self.text.extend_from_slice(comment);
            self.comments.push(start..self.text.len());
        }
        let nags = self.nags.len()..self.nags.len() + ply.nags.len();
        self.nags.extend_from_slice(ply.nags);
        let Ply { position, next, number, .. } = ply;
        let position = position.clone();
        self.steps.push(CollectedPly {
            position,
            next,
            number,
            branches,
            comments,
            nags,
            omitted,
            is_alternative,
        });
    }

    fn clear(&mut self) {
        self.steps.clear();
        self.branches.clear();
        self.comments.clear();
        self.text.clear();
        self.nags.clear();
    }

    /// Returns for each step the next step in its line and the number of steps that follow.
    fn followers(&self) -> Vec<(Option<usize>, u32)> {
        let mut followers = vec![(None, 0); self.steps.len()];
        // Iterates backwards; `later` holds the most recent step at each depth.
        let mut later: Vec<Option<usize>> = Vec::new();
        for (i, step) in self.steps.iter().enumerate().rev() {
            // A variation is a level deeper than the position where it begins.
            let depth = step.branches.len() + usize::from(step.is_alternative);
            later.resize(later.len().max(depth + 1), None);
            if let Some(next) = later[depth].filter(|_| step.next.is_some()) {
                followers[i] = (Some(next), followers[next].1 + 1);
            }
            if !step.is_alternative {
                later[depth] = Some(i);
            }
        }
        followers
    }

    fn for_each(&self, mut pass_on: impl FnMut(Ply<'_, P>, &CollectedPly<P>)) {
        let followers = self.followers();
        let comments: Vec<&[u8]> = self.comments.iter().map(|r| &self.text[r.clone()]).collect();
        for (step, (next, plies)) in self.steps.iter().zip(followers) {
            let next_comments = next.map_or(0..0, |i| self.steps[i].comments.clone());
            let comments_ahead = &comments[next_comments];
            let ahead = Ahead { comments: comments_ahead, plies: Some(plies), known: None };
            let ply = Ply {
                position: &step.position,
                next: step.next,
                number: step.number,
                comments: &comments[step.comments.clone()],
                nags: &self.nags[step.nags.clone()],
                branches: &self.branches[step.branches.clone()],
                ahead: Some(&ahead),
            };
            pass_on(ply, step);
        }
    }
}

impl<'p> LookAhead<'p> {
    pub(crate) fn new(sink: &'p mut dyn Sink, plan: &'p Plan) -> Self {
        LookAhead {
            sink,
            chess: CollectedGame::new(),
            variant: CollectedGame::new(),
            condition: Condition::of(plan).filter(|of| of.facts.needs_comments()),
        }
    }

    pub(crate) fn condition_values(&self) -> ConditionValues {
        self.condition.as_ref().map(Condition::values).unwrap_or_default()
    }

    fn clear(&mut self) {
        self.chess.clear();
        self.variant.clear();
    }

    fn pass_on(&mut self, game: &GameContext<'_>) {
        let LookAhead { sink, chess, variant, condition } = self;
        let mut condition =
            condition.as_mut().and_then(|of| (of.begin(game) != Some(true)).then_some(of));
        chess.for_each(|ply, step| {
            let is_alternative = step.is_alternative;
            let excluded = condition.as_mut().and_then(|of| of.follow(&ply, game, is_alternative));
            match step.omitted.or(excluded) {
                omitted if is_alternative => sink.alternative(ply, omitted.is_none()),
                None => sink.ply(ply, game),
                Some(why) => sink.skipped_ply(ply, why),
            }
        });
        variant.for_each(|ply, step| {
            let excluded = condition.as_mut().and_then(|of| of.excludes(&ply, game, false));
            sink.variant(ply, game, step.omitted.or(excluded));
        });
    }
}

impl Sink for LookAhead<'_> {
    fn game_start(&mut self, at: usize, is_wanted: bool) {
        self.sink.game_start(at, is_wanted);
    }

    fn begin(&mut self, game: &GameContext<'_>) {
        self.sink.begin(game);
    }

    fn game_filtered_out(&mut self) {
        self.sink.game_filtered_out();
    }

    fn ply(&mut self, ply: Ply<'_>, _: &GameContext<'_>) {
        self.chess.keep(ply, None, false);
    }

    fn alternative(&mut self, ply: Ply<'_>, is_selected: bool) {
        let omitted = (!is_selected).then_some(Omission::Where);
        self.chess.keep(ply, omitted, true);
    }

    fn skipped_ply(&mut self, ply: Ply<'_>, why: Omission) {
        self.chess.keep(ply, Some(why), false);
    }

    fn takes_variants(&self) -> bool {
        self.sink.takes_variants()
    }

    fn variant(&mut self, ply: VariantPly<'_>, _: &GameContext<'_>, omitted: Option<Omission>) {
        self.variant.keep(ply, omitted, false);
    }

    fn movetext(&mut self, part: Movetext<'_>) {
        self.sink.movetext(part);
    }

    fn end(&mut self, game: &GameContext<'_>) {
        self.pass_on(game);
        self.clear();
        self.sink.end(game);
    }

    fn discard_game(&mut self) {
        self.clear();
        self.sink.discard_game();
    }

    fn problem(&mut self, problem: Problem) {
        self.sink.problem(problem);
    }
}

#[cfg(test)]
mod tests {
    use pgn::Chunk;
    use testkit::generate::{Generator, Style};

    use super::*;
    use crate::labels::LabelForm;
    use crate::records::Text;
    use crate::records::plan::Format;
    use crate::replay::Replay;
    use crate::selection::Select;

    #[track_caller]
    fn assert_equal_when_collected(pgn: &[u8]) {
        let filter = |text: &str| Some(text.parse().unwrap());
        let select = Select { first: 1, only_final: true, ..Select::default() };
        let ops = "rc,sm,c,Rav,eco,v".parse().unwrap();
        let plans = [
            Plan::default(),
            Plan { variations: true, null_moves: true, ops, ..Plan::default() },
            Plan { filter: filter("check or pieces in 20..30"), ..Plan::default() },
            Plan { filter: filter("moves ~ \"Nf3 Nc6\""), variations: true, ..Plan::default() },
            Plan { omit: "start,captures".parse().unwrap(), select, ..Plan::default() },
            Plan { notes: true, blank_line: true, ..Plan::default() },
        ];
        for plan in plans {
            assert!(!plan.looks_ahead(), "{plan:?}");
            let (mut direct, mut collected) = (Text::default(), Text::default());
            let replay = || Replay::new(Chunk::whole(pgn), &plan);
            let found = replay().run_to(&mut direct.sink(&plan));
            let expected = replay().run_to(&mut LookAhead::new(&mut collected.sink(&plan), &plan));
            assert_eq!(found, expected, "{plan:?}");
            let text = |text: &Text| String::from_utf8_lossy(text.bytes.as_bytes()).into_owned();
            assert_eq!(text(&direct), text(&collected), "{plan:?}");
            assert_eq!(direct.counts.positions, collected.counts.positions, "{plan:?}");
            assert_eq!(direct.counts.omitted, collected.counts.omitted, "{plan:?}");
            assert_eq!(direct.problems, collected.problems, "{plan:?}");
        }
    }

    #[test]
    fn generated_games_have_the_same_records_when_they_are_collected() {
        for style in Style::ALL {
            assert_equal_when_collected(&Generator::text(style, 5, 150_000));
        }
    }

    #[test]
    fn damaged_and_odd_games_have_the_same_records_when_they_are_collected() {
        let moves = [
            "1. e4 {+0.1/9 1s} e5 {-0.2/9 1s} 2. Nf3 Nc6 {+M5/9 1s} 1-0",
            "1. e4 $1 {+0.1/9 1s} e5! {-0.2/9 1s} N {novelty} 2. Nf3 ; [%eval 0.3]\n Nc6 * {[%eval 1]}",
            "1. e4 (1. d4 {+0.5/9 1s}) {+0.1/9 1s} e5 {book} 2. -- {+0.3/9 1s} Nc6 {0.4/9 1s} 0-1",
            "1. e4 {+0.1/9 1s} e5 {-0.2/9 1s} 2. Ke3 {+0.7/9 1s} Nc6 1/2-1/2",
            "1. e4 {+0.1/9 1s} e5 {-0.2/9 1s} 2. N f3 {+0.7/9 1s} Nc6 1/2-1/2",
            "1. e4 {[%eval 0.1]} {[%clk 0:01:00]} e5 {[%eval #-3]} 2. Nf3 {[%eval ",
            "{before [%eval 0.3]} 1. e4 e5 2. ??? {+0.1/9 1s} d4 1-0",
            "*",
            "1. e4 {+0.1/9 1s} e5 {-0.2/9 1s} 1-0 {White wins} 1. d4 {+0.1/9 1s} d5 0-1",
        ];
        let variants = ["[Variant \"Atomic\"]\n[Result \"*\"]\n\n", "[Variant \"Crazyhouse\"]\n\n"];
        let mut all = String::new();
        for tags in ["", "[Result \"0-1\"]\n\n"].into_iter().chain(variants) {
            for moves in moves {
                let game = format!("{tags}{moves}");
                assert_equal_when_collected(game.as_bytes());
                // An open comment continues to the end of the text.
                if !game.ends_with("[%eval ") {
                    all += &format!("[White \"A\"]\n{game}\n\n");
                }
            }
        }
        assert_equal_when_collected(all.as_bytes());
    }

    #[test]
    fn games_without_comments_have_the_same_records_beside_a_game_that_is_collected() {
        let filter = |text: &str| Some(text.parse().unwrap());
        let format = Format::Label(LabelForm::Bullet);
        let plans = [
            Plan { ops: "rc,sm,acd,ce,pv,resign,eco".parse().unwrap(), ..Plan::default() },
            Plan { filter: filter("not eval or pieces in 20..30"), ..Plan::default() },
            Plan { filter: filter("clock > 3"), variations: true, ..Plan::default() },
            Plan { omit: "book-moves,captures".parse().unwrap(), ..Plan::default() },
            Plan { omit: "unevaluated".parse().unwrap(), ..Plan::default() },
            Plan { format, ..Plan::default() },
        ];
        let odd = "[Result \"0-1\"]\n\n1. e4 e5 2. Ke3 Nc6 *\n\n[Variant \"Atomic\"]\n\n1. e4 e5 *\n\n\
                   [White \"A (C)\"]\n\n1. d4 (1. c4 c5) 1... d5 1/2-1/2\n\n";
        let games = [Generator::text(Style::Plain, 6, 60_000), odd.as_bytes().to_vec()].concat();
        for (plan, pgn) in plans.iter().flat_map(|plan| [(plan, &games[..]), (plan, b"")]) {
            assert!(plan.looks_ahead(), "{plan:?}");
            let run = |pgn: &[u8]| {
                let mut text = Text::default();
                Replay::new(Chunk::whole(pgn), plan).run(&mut text.sink(plan));
                (String::from_utf8_lossy(text.bytes.as_bytes()).into_owned(), text)
            };
            let (found, text) = run(pgn);
            let commented = b"\n[White \"B\"]\n\n1. e4 {+0.1/9 1s} 0-1\n";
            let (expected, collected) = run(&[pgn, &commented[..]].concat());
            assert!(expected.starts_with(&found), "{plan:?}");
            let more = expected.lines().count() - found.lines().count();
            assert!(more <= 2, "{plan:?}: {more}");
            assert_eq!(text.problems, collected.problems, "{plan:?}");
        }
    }
}
