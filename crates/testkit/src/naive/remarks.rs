//! Comments of engines and servers, read slowly: a text is split at its separators, and each part
//! is compared as a whole.

/// What a comment says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Remarks {
    /// The engine's report about the position before the move.
    pub report: Option<Report>,
    /// Evaluation of the position after the move, for the side to move in it, as EPD writes it
    /// (5.6).
    pub evaluation: Option<i32>,
    /// Depth of that evaluation.
    pub depth: Option<u32>,
    /// Remaining time of the player who moved, in nanoseconds.
    pub clock: Option<u128>,
    /// Time spent on the move, in nanoseconds.
    pub elapsed: Option<u128>,
}

/// An engine's report about the position before its move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Evaluation for the side to move, as EPD writes it (5.6).
    pub evaluation: Option<i32>,
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Greatest depth of any line, in plies.
    pub selective_depth: Option<u32>,
    /// Time spent, in nanoseconds.
    pub time: Option<u128>,
    /// Remaining time, in nanoseconds.
    pub clock: Option<u128>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Moves of the principal variation, as written.
    pub line: Option<String>,
    /// The end of the game, as written.
    pub ending: Option<String>,
}

/// Reads a comment on a move of White or Black. Each byte is a character.
///
/// ```
/// let remarks = testkit::naive::remarks::read(b"+0.25/12 3.4s", true);
/// assert_eq!(remarks.report.unwrap().evaluation, Some(25));
/// ```
pub fn read(comment: &[u8], white_moved: bool) -> Remarks {
    let text: String = comment.iter().map(|byte| char::from(*byte)).collect();
    let mut remarks = Remarks::default();
    let (mut texts, mut commands) = (Vec::new(), Vec::new());
    let mut rest = &text[..];
    while let Some((before, behind)) = rest.split_once("[%") {
        let Some((command, behind)) = behind.split_once(']') else { break };
        texts.push(before);
        commands.push(command);
        rest = behind;
    }
    texts.push(rest);
    for command in commands {
        let (name, value) = command.split_once(is_space).unwrap_or((command, ""));
        let value = trim(value);
        match name {
            "eval" => {
                let (number, depth) = match value.split_once(',') {
                    Some((number, depth)) => (trim(number), Some(trim(depth))),
                    None => (value, None),
                };
                let in_centipawns = depth.is_some() && !number.contains('.');
                if let Some(evaluation) = evaluation_after(number, in_centipawns, white_moved) {
                    remarks.evaluation = Some(evaluation);
                    remarks.depth = depth.and_then(integer);
                }
            }
            "clk" => remarks.clock = clock(value).or(remarks.clock),
            "emt" => remarks.elapsed = clock(value).or(remarks.elapsed),
            "timestamp" => {
                let tenths = digits(value).filter(|tenths| *tenths <= u32::MAX.into());
                remarks.elapsed = tenths.map(|tenths| tenths * 100_000_000).or(remarks.elapsed);
            }
            _ => {}
        }
    }
    for time in texts.iter().filter_map(|text| trim(text).strip_prefix('(')?.strip_suffix(')')) {
        if time.contains(':') {
            remarks.elapsed = clock(time).or(remarks.elapsed);
        }
    }
    remarks.report = texts.into_iter().find_map(|text| report(trim(text), white_moved));
    if let Some(clock) = remarks.report.as_ref().and_then(|report| report.clock) {
        remarks.clock = Some(clock);
    }
    remarks
}

fn report(text: &str, white_moved: bool) -> Option<Report> {
    if text.starts_with("d=") {
        return tcec(text, white_moved);
    }
    let text = match text.strip_prefix('(') {
        Some(rest) => trim(rest.split_once(')')?.1),
        None => text,
    };
    let (first, rest) = text.split_once('/')?;
    if let Some(report) = whole_centipawns(first, rest) {
        return Some(report);
    }
    let mut fields = fields(rest);
    let first_field = fields.remove(0);
    let mut report = Report::default();
    if let Some((score, depth)) = first.split_once(' ') {
        report.evaluation = Some(mover_score(score)?);
        let words: Vec<&str> =
            first_field.split(is_space).filter(|word| !word.is_empty()).collect();
        let [selective_depth, milliseconds, nodes] = words[..] else { return None };
        if first_field.starts_with(is_space) {
            return None;
        }
        // Space is allowed before the depth, but not between it and the slash.
        report.depth = Some(integer(depth.trim_start_matches(is_space))?);
        report.selective_depth = Some(integer(selective_depth)?).filter(|depth| *depth > 0);
        report.time = Some(u128::from(integer::<u64>(milliseconds)?) * 1_000_000);
        report.nodes = Some(integer(nodes)?);
    } else {
        report.evaluation = Some(mover_score(first)?);
        let depth_and_more = trim(first_field);
        let end = depth_and_more.find(|c: char| !c.is_ascii_digit());
        let (depth, words) = depth_and_more.split_at(end.unwrap_or(depth_and_more.len()));
        report.depth = Some(integer(depth)?);
        let mut seconds = false;
        for word in words.split(is_space).filter(|word| !word.is_empty() && !word.starts_with('('))
        {
            if seconds && word.starts_with(|c: char| c.is_ascii_alphabetic()) {
                let at = word.as_ptr().addr() - words.as_ptr().addr();
                report.ending = Some(trim(&words[at..]).to_owned());
                break;
            }
            let time = duration(word)?;
            seconds = word.ends_with('s');
            if report.time.is_none() {
                report.time = Some(time);
            } else if report.nodes.is_none() {
                report.nodes = integer(word);
            }
        }
    }
    for field in fields {
        let field = trim(field);
        match field.split_once('=').map(|(name, value)| (trim(name), trim(value))) {
            Some(("n" | "nodes", value)) => report.nodes = integer(value),
            Some(("sd", value)) => report.selective_depth = integer(value),
            Some(("tl" | "timeleft", value)) => report.clock = duration(value),
            Some(("pv", value)) => {
                let value = value.strip_prefix('"').unwrap_or(value);
                report.line = Some(value.strip_suffix('"').unwrap_or(value).to_owned());
            }
            Some(_) => {}
            None if field.ends_with('s') && duration(field).is_some() => {
                report.time = report.time.or(duration(field));
            }
            None if field.is_empty() => {}
            None => report.ending = Some(field.to_owned()),
        }
    }
    Some(report)
}

/// A report of c-chess-cli: centipawns, mates in moves, a depth and milliseconds, or no time after a
/// score with a sign.
fn whole_centipawns(first: &str, rest: &str) -> Option<Report> {
    let (depth, time) =
        rest.split_at(rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()));
    let milliseconds = trim(time).strip_suffix("ms").and_then(digits);
    let is_signed = first.starts_with(['+', '-']) && !first.contains(['M', '#']);
    if first.contains(['.', ' ']) || milliseconds.is_none() && !(trim(time).is_empty() && is_signed)
    {
        return None;
    }
    let (is_negative, amount) = score(first)?;
    let amount = amount.map(|hundredths| hundredths / 100);
    let plies =
        |moves: u128| if is_negative { Some(2 * moves) } else { (2 * moves).checked_sub(1) };
    let milliseconds = match milliseconds {
        Some(number) => Some(u64::try_from(number).ok().filter(|number| *number < u64::MAX)?),
        None => None,
    };
    Some(Report {
        evaluation: Some(with_plies((is_negative, amount), plies)?),
        depth: Some(integer(depth)?),
        time: milliseconds.map(|number| u128::from(number) * 1_000_000),
        ..Report::default()
    })
}

/// Splits at commas outside quotes.
fn fields(text: &str) -> Vec<&str> {
    let mut is_quoted = false;
    // Quotes count only after the first comma.
    let mut has_comma = false;
    text.split(|c: char| {
        is_quoted ^= c == '"' && has_comma;
        let splits = c == ',' && !is_quoted;
        has_comma |= splits;
        splits
    })
    .collect()
}

fn tcec(text: &str, white_moved: bool) -> Option<Report> {
    let mut report = Report::default();
    for field in text.split(',') {
        let Some((name, value)) = trim(field).split_once('=') else { continue };
        let milliseconds = || match digits(value) {
            Some(_) => integer::<u64>(value).map(|number| u128::from(number) * 1_000_000),
            None => clock(value).filter(|_| value.contains(':')),
        };
        match name {
            "d" => report.depth = integer(value),
            "sd" => report.selective_depth = integer(value),
            "n" => report.nodes = integer(value),
            "mt" => report.time = milliseconds(),
            "tl" => report.clock = milliseconds(),
            "pv" => report.line = Some(value.to_owned()),
            "wv" => {
                let white = score(value).and_then(|score| with_plies(score, Some));
                report.evaluation =
                    white.map(|white| if white_moved { white } else { other(white) });
            }
            _ => {}
        }
    }
    report.evaluation.is_some().then_some(report)
}

/// A score: whether it is negative, and hundredths of a pawn or the number of a mate.
type Score = (bool, Result<u128, u128>);

fn score(text: &str) -> Option<Score> {
    let (is_negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if let Some(mate) = text.strip_prefix(['M', '#']) {
        let (is_other, mate) = match mate.strip_prefix('-') {
            Some(mate) => (true, mate),
            None => (false, mate),
        };
        return Some((is_negative != is_other, Err(digits(mate)?)));
    }
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let decimals = match (whole, decimals.strip_prefix("\r\n").or(decimals.strip_prefix('\n'))) {
        ("", _) | (_, None | Some("")) => decimals,
        (_, Some(next_line)) => next_line,
    };
    let is_number = |text: &str| text.chars().all(|c| c.is_ascii_digit());
    if whole.len() + decimals.len() == 0 || !is_number(whole) || !is_number(decimals) {
        return None;
    }
    let thousandths = format!("{decimals:0<3}");
    let whole = if whole.is_empty() { 0 } else { digits(whole)? };
    let thousandths = whole.min(1 << 80) * 1000 + digits(&thousandths[..3])?;
    Some((is_negative, Ok((thousandths + 5) / 10)))
}

/// A score in a report, which must not be a bare number.
fn mover_score(text: &str) -> Option<i32> {
    if !text.contains(['+', '-', '.', 'M', '#']) {
        return None;
    }
    with_plies(score(text)?, Some)
}

/// The evaluation of `[%eval]` for the side to move after the move.
fn evaluation_after(text: &str, in_centipawns: bool, white_moved: bool) -> Option<i32> {
    let (is_negative, amount) = score(text)?;
    let amount = if in_centipawns { amount.map(|value| value / 100) } else { amount };
    let white_is_to_move = !white_moved;
    let white_mates = !is_negative;
    let plies = |moves: u128| match white_mates == white_is_to_move {
        true => (2 * moves).checked_sub(1),
        false => Some(2 * moves),
    };
    let white = with_plies((is_negative, amount), plies)?;
    Some(if white_is_to_move { white } else { other(white) })
}

fn with_plies((is_negative, amount): Score, plies: impl Fn(u128) -> Option<u128>) -> Option<i32> {
    let value = match amount {
        Ok(hundredths) => hundredths.min(32000) as i32,
        Err(number) => 32767 - plies(number).filter(|plies| (1..=766).contains(plies))? as i32,
    };
    Some(if is_negative { other(value) } else { value })
}

/// Converts an evaluation to that of the other side. A mate in N plies is 32767 - N, being mated
/// -32767 + N.
fn other(value: i32) -> i32 {
    -value
}

/// A text of digits only.
fn digits(text: &str) -> Option<u128> {
    if text.is_empty() || !text.chars().all(|c| c.is_ascii_digit()) {
        return None;
    }
    let significant = text.trim_start_matches('0');
    Some(if significant.len() > 30 { 1 << 90 } else { format!("0{significant}").parse().ok()? })
}

/// A number that is not too large.
fn integer<T: TryFrom<u128>>(text: &str) -> Option<T> {
    digits(text)?.try_into().ok()
}

/// Nanoseconds of `3.4s`, `239`, `0:04` or `77ms`.
fn duration(text: &str) -> Option<u128> {
    match text.strip_suffix("ms") {
        Some(milliseconds) => {
            Some(digits(milliseconds).filter(|_| milliseconds.len() <= 15)? * 1_000_000)
        }
        None => clock(text.strip_suffix('s').unwrap_or(text)),
    }
}

/// Nanoseconds of `1:02:03.4`.
fn clock(text: &str) -> Option<u128> {
    let mut parts: Vec<&str> = text.split(':').map(trim).collect();
    let last = parts.pop()?;
    if parts.len() > 2 {
        return None;
    }
    let with_comma = last.split_once(',').filter(|(_, decimals)| !decimals.is_empty());
    let with_comma = with_comma.filter(|(whole, _)| !whole.is_empty());
    let (whole, decimals) = last.split_once('.').or(with_comma).unwrap_or((last, ""));
    if whole.len() + decimals.len() == 0 {
        return None;
    }
    let mut seconds = 0;
    for part in parts {
        seconds = seconds * 60 + digits(part).filter(|_| part.len() <= 15)?;
    }
    let whole = if whole.is_empty() { 0 } else { digits(whole).filter(|_| whole.len() <= 15)? };
    let nanoseconds = if decimals.is_empty() {
        0
    } else {
        digits(decimals)?;
        digits(&format!("{decimals:0<9}")[..9])?
    };
    Some((seconds * 60 + whole) * 1_000_000_000 + nanoseconds)
}

fn is_space(c: char) -> bool {
    c.is_ascii_whitespace()
}

fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}
