//! Labelled positions for programs that tune evaluations: positions with the result of their game
//! and an engine's evaluation, in several formats.

use std::borrow::Cow;

use epd::{Append, Centipawns, Mate};
use pgn::Outcome;
use san::{AnyPosition, Buffer, Color, FieldStyle, Line};
use training::Score;

use crate::annotations::evaluation;
use crate::ply::Ply;
use crate::selection::add_fields;

/// Format of a labelled position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LabelForm {
    /// `<four fields> c9 "1-0";`: the result in PGN notation.
    C9,
    /// `<FEN> [0.5]`: White's points.
    Bracket,
    /// `<FEN> | <centipawns> | <points>`, both from White's view.
    Bullet,
    /// `<FEN>,<centipawns>,<result>`, the samples of c-chess-cli, both from the view of the side to
    /// move; the result is 0, 1 or 2.
    CChessCli,
    /// The six lines of Stockfish's `.plain`: `fen`, `move` in UCI notation, `score`, `ply`,
    /// `result` (-1, 0 or 1) and `e`; score and result are from the view of the side to move.
    Plain,
}

impl LabelForm {
    /// Returns whether the format requires an evaluation.
    pub fn needs_evaluation(self) -> bool {
        matches!(self, LabelForm::Bullet | LabelForm::CChessCli | LabelForm::Plain)
    }

    /// Returns whether results between loss, draw and win can be written.
    pub fn has_means(self) -> bool {
        matches!(self, LabelForm::Bracket | LabelForm::Bullet | LabelForm::CChessCli)
    }
}

/// The points of a win: means that were read with five decimals stay as they are.
pub(crate) const WIN: u64 = 100_000;

/// Sum of the results and evaluations of a position over all its games.
///
/// ```
/// use emit::{Label, LabelForm};
/// use pgn::Outcome;
/// use san::Color;
///
/// let win = Label::new(Outcome::WhiteWins, Some(-40), Color::Black);
/// let draw = Label::new(Outcome::Draw, Some(-21), Color::Black);
/// let mut label = win.unwrap();
/// label += draw.unwrap();
/// let mut line = b"<FEN>".to_vec();
/// label.write(LabelForm::Bullet, &mut line);
/// // From Black's view Black is behind: White is ahead by 30.5 centipawns.
/// assert_eq!(line, b"<FEN> | 31 | 0.75\n");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label {
    turn: Color,
    games: u64,
    points: u64,
    evaluation: i64,
}

impl Label {
    /// Makes the label of a position in one game; `None` if the game has no result. `evaluation` is
    /// in centipawns from the view of the side to move, and is ignored by formats without one.
    pub fn new(outcome: Outcome, evaluation: Option<i64>, turn: Color) -> Option<Self> {
        let points = points_of(outcome)?;
        Some(Label { turn, games: 1, points, evaluation: evaluation.unwrap_or(0) })
    }

    /// Makes the label of a position in several games from the sum of their [sums](Label::sums).
    pub fn from_sums(turn: Color, (games, points, evaluation): (u64, u64, i64)) -> Self {
        Label { turn, games, points, evaluation }
    }

    /// Returns the number of games, White's points in parts of a win, and the evaluations in
    /// centipawns from the view of the side to move.
    pub fn sums(self) -> (u64, u64, i64) {
        (self.games, self.points, self.evaluation)
    }

    /// Writes the rest of the record, in a format that [has means](LabelForm::has_means).
    pub fn write(self, form: LabelForm, line: &mut impl Append) {
        let is_black = self.turn == Color::Black;
        let evaluation = match self.games {
            1 => self.evaluation,
            // Halves away from zero.
            games => (self.evaluation as f64 / games as f64).round() as i64,
        };
        match form {
            LabelForm::Bullet => {
                let white = if is_black { -evaluation } else { evaluation };
                line.append(b" | ");
                line.append(itoa::Buffer::new().format(white).as_bytes());
                line.append(b" | ");
                line.append(self.points().as_bytes());
            }
            LabelForm::CChessCli => {
                let all = WIN * self.games;
                let own = if is_black { all.saturating_sub(self.points) } else { self.points };
                line.append(b",");
                line.append(itoa::Buffer::new().format(evaluation).as_bytes());
                line.append(b",");
                // Half points have no decimal point, points do.
                let is_draw = own == DRAW * self.games;
                let text = mean(own, self.games, ["0", "1", "2"]);
                line.append(if is_draw { b"1" } else { text.as_bytes() });
            }
            _ => {
                line.append(b" [");
                line.append(self.points().as_bytes());
                line.append(b"]");
            }
        }
        line.append(b"\n");
    }

    fn points(self) -> Cow<'static, str> {
        mean(self.points, self.games, ["0.0", "0.5", "1.0"])
    }
}

add_fields!(Label: games, points, evaluation);

/// A labelled record that was written.
#[derive(Clone, Copy, Debug)]
pub struct Labelled {
    /// Its label.
    pub label: Label,
    /// Length of the fields in bytes.
    pub fields: usize,
}

/// `other` makes a score of an evaluation that is not a mate; `None` for an illegal position's value.
#[inline(always)]
pub(crate) fn score_with(
    evaluation: Centipawns,
    other: impl FnOnce(i32) -> Score,
) -> Option<Score> {
    match evaluation.mate() {
        Some(Mate::Gives { plies }) => Some(Score::mates_in(plies)),
        Some(Mate::Gets { plies }) => Some(Score::mated_in(plies)),
        None if evaluation.is_illegal_position() => None,
        None => Some(other(evaluation.get())),
    }
}

#[inline(always)]
pub(crate) fn record<P: AnyPosition>(
    form: LabelForm,
    ply: &Ply<'_, P>,
    outcome: Option<Outcome>,
    style: FieldStyle,
    buffer: &mut Buffer,
) -> Option<Labelled> {
    let position = ply.position;
    let points = match outcome {
        Some(outcome) => points_of(outcome)?,
        None => ply.known()?.points?,
    };
    let outcome = match points {
        0 => Outcome::BlackWins,
        DRAW => Outcome::Draw,
        WIN => Outcome::WhiteWins,
        _ if form.has_means() => Outcome::Unknown,
        _ => return None,
    };
    let evaluation = if form.needs_evaluation() { evaluation(ply)? } else { Default::default() };
    let evaluation = match form {
        // Stockfish's values of mates, as in a binpack.
        LabelForm::Plain => score_with(evaluation, Score::new)?.get().into(),
        _ => evaluation.get(),
    };
    let turn = position.turn();
    let label = Label { turn, games: 1, points, evaluation: i64::from(evaluation) };
    // The fields of a variant need at most 170 bytes, a label 60.
    let mut line = buffer.line();
    let fields = match form {
        LabelForm::C9 => {
            position.write_fields(style, &mut line);
            let fields = line.len();
            line.text(b" c9 \"");
            line.slice(outcome.as_str().as_bytes());
            line.text(b"\";\n");
            fields
        }
        LabelForm::Plain => {
            let played = ply.next?;
            line.text(b"fen ");
            position.write_fen(style, &mut line);
            let fields = line.len() - b"fen ".len();
            line.text(b"\nmove ");
            position.uci_of(played).write(&mut line);
            line.text(b"\nscore ");
            signed(evaluation, &mut line);
            line.text(b"\nply ");
            let before = 2 * (u64::from(position.fullmoves()).max(1) - 1);
            let number = before + u64::from(turn.is_black());
            line.slice(itoa::Buffer::new().format(number).as_bytes());
            line.text(b"\nresult ");
            let white = (points / DRAW) as i32 - 1;
            signed(turn.fold_wb(white, -white), &mut line);
            line.text(b"\ne\n");
            fields
        }
        LabelForm::Bracket | LabelForm::Bullet | LabelForm::CChessCli => {
            position.write_fen(style, &mut line);
            let fields = line.len();
            line.finish();
            label.write(form, buffer);
            return Some(Labelled { label, fields });
        }
    };
    line.finish();
    Some(Labelled { label, fields })
}

#[inline(always)]
fn signed(number: i32, line: &mut Line<'_>) {
    if number < 0 {
        line.push(b'-');
    }
    line.number(number.unsigned_abs());
}

const DRAW: u64 = WIN / 2;

fn points_of(outcome: Outcome) -> Option<u64> {
    Some(DRAW * u64::from(outcome.halves()?))
}

/// `of_one` are the texts of a loss, a draw and a win in one game.
fn mean(points: u64, games: u64, of_one: [&'static str; 3]) -> Cow<'static, str> {
    match (points, games) {
        (0, 1) => of_one[0].into(),
        (DRAW, 1) => of_one[1].into(),
        (WIN, 1) => of_one[2].into(),
        (points, games) => decimal(points as f64 / games as f64 / WIN as f64).into(),
    }
}

fn decimal(number: f64) -> String {
    let mut text = format!("{number:.4}");
    let least = text.len() - 3;
    while text.len() > least && text.ends_with('0') {
        text.pop();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use epd::{Dialect, Line, Opcode, Operand, ReadOptions, read_line};

    #[track_caller]
    fn assert_written(form: LabelForm, labels: &[Label], expected: &str) {
        let mut sum = labels[0];
        labels[1..].iter().for_each(|label| sum += *label);
        let mut line = Vec::new();
        sum.write(form, &mut line);
        assert_eq!(String::from_utf8(line).unwrap(), format!("{expected}\n"));
    }

    #[test]
    fn each_form_has_its_point_of_view() {
        use LabelForm::{Bracket, Bullet, CChessCli};
        use Outcome::{BlackWins, Draw, WhiteWins};
        let cases = [
            // Evaluation and result from the view of the side to move.
            (WhiteWins, 35, Color::White, " [1.0]", " | 35 | 1.0", ",35,2"),
            (WhiteWins, 35, Color::Black, " [1.0]", " | -35 | 1.0", ",35,0"),
            (Draw, 0, Color::Black, " [0.5]", " | 0 | 0.5", ",0,1"),
            (BlackWins, -120, Color::White, " [0.0]", " | -120 | 0.0", ",-120,0"),
            (BlackWins, -120, Color::Black, " [0.0]", " | 120 | 0.0", ",-120,2"),
            // Mate in one for Black.
            (BlackWins, 32766, Color::Black, " [0.0]", " | -32766 | 0.0", ",32766,2"),
        ];
        for (outcome, evaluation, turn, bracket, bullet, csv) in cases {
            let label = Label::new(outcome, Some(evaluation), turn).unwrap();
            assert_written(Bracket, &[label], bracket);
            assert_written(Bullet, &[label], bullet);
            assert_written(CChessCli, &[label], csv);
        }
    }

    #[test]
    fn means_are_exact_to_four_digits() {
        let of = |outcome, evaluation| Label::new(outcome, Some(evaluation), Color::Black).unwrap();
        let games = [of(Outcome::WhiteWins, 10), of(Outcome::WhiteWins, 20), of(Outcome::Draw, 21)];
        // Five of six half points; a total of 51 centipawns over three games.
        assert_written(LabelForm::Bracket, &games, " [0.8333]");
        assert_written(LabelForm::Bullet, &games, " | -17 | 0.8333");
        assert_written(LabelForm::CChessCli, &games, ",17,0.1667");
        assert_written(LabelForm::CChessCli, &games[1..], ",21,0.25");
        let all = [of(Outcome::BlackWins, -1), of(Outcome::WhiteWins, 0)];
        assert_written(LabelForm::CChessCli, &all, ",-1,1");
        assert_written(LabelForm::Bracket, &all, " [0.5]");
    }

    proptest::proptest! {
        #[test]
        fn what_is_written_is_read_back(
            evaluations in proptest::collection::vec((-32766i64..=32766, 0usize..3), 1..5),
            is_black: bool,
        ) {
            let turn = if is_black { Color::Black } else { Color::White };
            let outcomes = [Outcome::BlackWins, Outcome::Draw, Outcome::WhiteWins];
            let one = |&(ce, halves): &(i64, usize)| Label::new(outcomes[halves], Some(ce), turn).unwrap();
            let mut label = one(&evaluations[0]);
            evaluations[1..].iter().for_each(|more| label += one(more));
            let count = evaluations.len() as f64;
            let mean = evaluations.iter().map(|(ce, _)| *ce as f64).sum::<f64>() / count;
            let points = evaluations.iter().map(|(_, halves)| *halves as f64).sum::<f64>() / count / 2.0;
            for form in [LabelForm::Bracket, LabelForm::Bullet] {
                let side = if is_black { 'b' } else { 'w' };
                let mut line = format!("4k3/8/8/8/8/8/8/4K3 {side} - - 0 1").into_bytes();
                label.write(form, &mut line);
                let line = String::from_utf8(line).unwrap();
                let options = ReadOptions { dialect: Some(Dialect::Label), ..ReadOptions::default() };
                let mut faults = Vec::new();
                let read = read_line(line.trim_end(), &options, &mut |fault| faults.push(fault));
                let Line::Record(record) = read else { panic!("{line}: {faults:?}") };
                proptest::prop_assert!(faults.is_empty(), "{line}: {faults:?}");
                let evaluation = record.label().and_then(|(evaluation, _)| evaluation);
                let record = record.to_record();
                let Some(Operand::Text(result)) = record.get(Opcode::C9) else { panic!("{line}") };
                let result = match &**result {
                    "1-0" => 1.0,
                    "1/2-1/2" => 0.5,
                    "0-1" => 0.0,
                    share => share.parse().unwrap(),
                };
                proptest::prop_assert!((result - points).abs() < 1e-4, "{line}");
                if form == LabelForm::Bullet {
                    let evaluation = f64::from(evaluation.unwrap().get());
                    proptest::prop_assert!((evaluation - mean).abs() <= 0.5, "{line} {mean}");
                }
            }
        }
    }
}
