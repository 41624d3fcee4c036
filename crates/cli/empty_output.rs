//! Why a run wrote nothing: one line for every command, and likely mistakes in the condition.

use pgn2epd::game::Unstorable;
use pgn2epd::options::{Filter, Format, Keyword, LabelForm, Omission};
use pgn2epd::{Options, Summary};

use super::report::{self, count};

pub(super) const NO_INPUT: &str = "the input has no games and no positions";

/// Prints why a run has no `what`, unless errors did; `limits` are the options that select.
pub(super) fn explain(
    what: &str,
    known: Option<String>,
    done: &Summary,
    limits: &[String],
    filter: Option<&Filter>,
) {
    if let Some(reason) = known.or_else(|| selected_nothing(done, &limits.join(", "))) {
        report::note(&format!("no {what}: {reason}"));
    }
    hints(filter, done);
}

pub(super) fn explain_records(done: &Summary, options: &Options, limits: &[String]) {
    explain("records", reason(done, options), done, limits, options.filter.as_ref());
}

/// Prints what is likely to be a mistake in a condition that matched nothing.
pub(super) fn hints(filter: Option<&Filter>, done: &Summary) {
    let Some(filter) = filter.filter(|_| done.games > 0 && done.positions == 0) else { return };
    let hints = filter.hints(done.condition_tags, done.records > 0);
    for hint in hints.into_iter().chain(filter.missing_values(done.condition_values)) {
        report::warning("where", &hint);
    }
}

fn selected_nothing(done: &Summary, limits: &str) -> Option<String> {
    let games = count(done.games, if done.records > 0 { "record" } else { "game" });
    Some(match limits {
        _ if done.games == 0 && done.bad_games == 0 => NO_INPUT.to_owned(),
        _ if done.games == 0 => return None,
        _ if done.left_out == done.games => format!("--where excludes all of {games}"),
        _ if done.bad_games == done.games => return None,
        "" => format!("no position of {games} is selected"),
        limits => {
            let [without, outside] = [Omission::Unevaluated, Omission::Eval]
                .map(|omission| done.omitted.count(omission) > 0);
            let why = match without && !outside {
                true => ": none that could be selected has an evaluation",
                false => "",
            };
            format!("no position of {games} meets {limits}{why}")
        }
    })
}

fn reason(done: &Summary, options: &Options) -> Option<String> {
    let none = [("limit", options.limit), ("sample", options.sample)];
    if let Some((name, _)) = none.iter().find(|(_, number)| *number == Some(0)) {
        return Some(format!("--{name} 0 selects none"));
    }
    if done.unlabelled > 0 {
        let games = count(done.games, if done.records > 0 { "record" } else { "game" });
        let Unstorable { castling, clocks, evaluations, moves, results, .. } = done.unstorable;
        let (format, needs) = (options.format.word(), needs(options.format));
        let positions = |number| count(number, "position");
        let named = [(evaluations, "an evaluation"), (moves, "a move"), (results, "a result")];
        let lacking = named.into_iter().filter(|(number, _)| *number > 0);
        let lacking: Vec<String> =
            lacking.map(|(number, what)| format!("{} without {what}", positions(number))).collect();
        let lacking = match lacking.is_empty() {
            _ if evaluations == done.unlabelled => {
                format!("needs {needs}: no position of {games} has an evaluation")
            }
            true => format!("needs {needs}, which {} of {games} lack", positions(done.unlabelled)),
            false => format!("needs {needs}: {} in {games}", lacking.join(", ")),
        };
        let parts = [
            (
                castling,
                format!("has no castling rights of Chess960, as {} have", positions(castling)),
            ),
            (clocks, format!("has no room for the clocks of {}", positions(clocks))),
            (done.unlabelled - castling - clocks, lacking),
        ];
        let parts = parts.into_iter().filter(|(number, _)| *number > 0).map(|(_, text)| text);
        return Some(format!("--format {format} {}", parts.collect::<Vec<_>>().join("; it ")));
    }
    None
}

/// Returns what a label is made from.
fn needs(format: Format) -> &'static str {
    match format {
        Format::Label(LabelForm::Plain) | Format::Training(_) => {
            "a result, an evaluation and a move"
        }
        Format::Label(form) if form.needs_evaluation() => "a result and an evaluation",
        _ => "a result",
    }
}
