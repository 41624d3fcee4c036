//! Parser for filters.

use pgn::Span;
use san::{AnyPosition, PositionKey, PositionSet, SanError, Setup};

use super::FilterError;
use super::expr::{
    ANY_PLIES, Arithmetic, Expr, Kind, MOST, MOST_MOVES, Operand, Relation, Sequence, Word,
    WrittenMove, is_number, is_side, is_text, words, wrong_operand,
};
use super::pattern::{Attack, BoardPattern, MaterialPattern, Pattern, PatternFault, Target, piece};
use crate::facts::{Fact, FactPlace, FactSet, Variable, is_tag_name};

struct ParsedSide {
    operand: Operand,
    at: Span,
}

/// A tag, or an operation of records, named in the filter.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct NamedTag {
    pub(super) name: String,
    /// The comparison presumably meant, if the name is text with missing quotes.
    pub(super) as_text: Option<String>,
}

/// Maximum nesting of parentheses, `not` and signs, which bounds the recursion.
const DEEPEST: usize = 100;

pub(super) struct Parsed {
    pub(super) root: Expr,
    pub(super) tags: Vec<NamedTag>,
    pub(super) facts: FactSet,
    pub(super) sequences: Vec<Sequence>,
}

pub(super) fn parse(text: &str) -> Result<Parsed, FilterError> {
    let (tags, sequences, facts) = (Vec::new(), Vec::new(), FactSet::default());
    let words = words(text)?;
    let turned = Vec::new();
    let mut parser = Parser { text, words, at: 0, depth: 0, tags, facts, sequences, turned };
    let root = parser.condition()?;
    match parser.next() {
        Word { kind: Kind::End, .. } => {
            let Parser { tags, facts, sequences, .. } = parser;
            Ok(Parsed { root, tags, facts, sequences })
        }
        Word { kind: Kind::Close, at } => {
            parser.error(at, "a closing parenthesis without an opening one")
        }
        Word { at, .. } => parser.error(at, "expected `and`, `or`, or the end"),
    }
}

fn all_of(mut parts: Vec<Expr>) -> Expr {
    if parts.len() == 1 { parts.remove(0) } else { Expr::All(parts) }
}

struct Parser<'t> {
    text: &'t str,
    words: Vec<Word>,
    at: usize,
    depth: usize,
    tags: Vec<NamedTag>,
    facts: FactSet,
    sequences: Vec<Sequence>,
    /// The `either` and `mirrored` that the next word is in.
    turned: Vec<String>,
}

impl Parser<'_> {
    fn error<T>(&self, at: Span, reason: impl Into<String>) -> Result<T, FilterError> {
        let Span { start, end } = at;
        Err(FilterError { text: self.text.to_owned(), start, end, reason: reason.into() })
    }

    fn since(&self, start: usize) -> Span {
        Span { start, end: self.words[self.at - 1].at.end }
    }

    fn peek(&self) -> &Kind {
        &self.words[self.at].kind
    }

    fn is_at(&self, name: &str) -> bool {
        matches!(self.peek(), Kind::Name(next) if next == name)
    }

    /// Returns the next word; never advances past the end.
    fn next(&mut self) -> Word {
        let word = self.words[self.at].clone();
        self.at = (self.at + 1).min(self.words.len() - 1);
        word
    }

    fn any(&mut self) -> Result<Expr, FilterError> {
        let mut parts = vec![self.all()?];
        while *self.peek() == Kind::Or {
            self.next();
            parts.push(self.all()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Expr::Any(parts) })
    }

    fn all(&mut self) -> Result<Expr, FilterError> {
        let mut parts = vec![self.one()?];
        loop {
            if *self.peek() == Kind::And {
                self.next();
                parts.push(self.one()?);
            } else if self.is_at("for") {
                parts = vec![self.lasting(all_of(parts))?];
            } else {
                return Ok(all_of(parts));
            }
        }
    }

    fn one(&mut self) -> Result<Expr, FilterError> {
        match self.peek() {
            Kind::Not => {
                self.next();
                let Word { at, .. } = self.words[self.at - 1];
                let part = self.deeper(Self::one)?;
                self.check_player(at, "not", &part)?;
                Ok(Expr::Not(Box::new(part)))
            }
            Kind::Open if !self.begins_calculation() => self.in_parentheses(Self::condition),
            _ => match self.pattern()? {
                Some(pattern) => Ok(pattern),
                None => self.comparison(),
            },
        }
    }

    fn check_player(&self, at: Span, what: &str, part: &Expr) -> Result<(), FilterError> {
        if !part.names_player() {
            return Ok(());
        }
        let reason = format!(
            "player, opponent, color and score cannot be part of `{what}`; use White and Black"
        );
        self.error(at, reason)
    }

    fn deeper<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, FilterError>,
    ) -> Result<T, FilterError> {
        let Word { at, .. } = self.words[self.at];
        if self.depth >= DEEPEST {
            let reason = format!("more than {DEEPEST} conditions one in another");
            return self.error(at, reason);
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }

    fn in_parentheses<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, FilterError>,
    ) -> Result<T, FilterError> {
        self.next();
        let inner = self.deeper(read)?;
        self.close("expected `)`: a parenthesis is still open")?;
        Ok(inner)
    }

    fn close(&mut self, expected: &str) -> Result<(), FilterError> {
        match self.next() {
            Word { kind: Kind::Close, .. } => Ok(()),
            Word { at, .. } => self.error(at, expected),
        }
    }

    /// Whether the parenthesis is part of a calculation, which what follows continues or compares.
    fn begins_calculation(&self) -> bool {
        let mut open = 0_usize;
        let end = self.words[self.at..].iter().position(|word| {
            match word.kind {
                Kind::Open => open += 1,
                Kind::Close => open -= 1,
                _ => {}
            }
            open == 0
        });
        let behind = end.and_then(|end| self.words.get(self.at + end + 1));
        behind.is_some_and(|word| match &word.kind {
            Kind::Relation(_) | Kind::Arithmetic(_) | Kind::To | Kind::Not => true,
            Kind::Name(name) => name == "in",
            _ => false,
        })
    }

    fn comparison(&mut self) -> Result<Expr, FilterError> {
        let left = self.side()?;
        let is_in = |kind: &Kind| matches!(kind, Kind::Name(name) if name == "in");
        match self.peek() {
            Kind::Relation(compare) => {
                let (compare, sign) = (*compare, self.next());
                let sign = self.text[sign.at.range()].to_owned();
                self.compared(&left, compare, &sign)
            }
            kind if is_in(kind) => self.one_of(&left),
            Kind::Not if is_in(&self.words[self.at + 1].kind) => {
                self.next();
                Ok(Expr::Not(Box::new(self.one_of(&left)?)))
            }
            _ if matches!(left.operand, Operand::Tag { .. } | Operand::Fact(_)) => {
                Ok(Expr::Is(left.operand))
            }
            _ => {
                let Word { at, .. } = self.words[self.at];
                self.error(at, "expected a comparison: = != < <= > >= ~ in")
            }
        }
    }

    fn one_of(&mut self, left: &ParsedSide) -> Result<Expr, FilterError> {
        self.next();
        if *self.peek() != Kind::Open || self.begins_calculation() {
            return self.compared(left, Relation::Equal, "=");
        }
        self.in_parentheses(|parser| {
            let mut parts = vec![parser.compared(left, Relation::Equal, "=")?];
            while *parser.peek() == Kind::Comma {
                parser.next();
                parts.push(parser.compared(left, Relation::Equal, "=")?);
            }
            Ok(Expr::Any(parts))
        })
    }

    /// Reads the right side of a comparison: a value, or a range `20..30`, `20..` or `..30`.
    fn compared(
        &mut self,
        left: &ParsedSide,
        compare: Relation,
        sign: &str,
    ) -> Result<Expr, FilterError> {
        let first = match self.peek() {
            Kind::To => None,
            _ => {
                let right = self.side_beside(left)?;
                if *self.peek() != Kind::To {
                    return self.compare(left, compare, sign, right);
                }
                Some(right)
            }
        };
        let to = self.next();
        if !matches!(compare, Relation::Equal | Relation::Unequal) {
            return self.error(to.at, "a range follows =, != or in");
        }
        let is_open =
            matches!(self.peek(), Kind::End | Kind::And | Kind::Or | Kind::Close | Kind::Comma)
                || ["for", "then", "within"].iter().any(|word| self.is_at(word));
        let last = if is_open { None } else { Some(self.side_beside(left)?) };
        if let (Some(ParsedSide { operand: Operand::Number(a), at }), Some(b)) = (&first, &last)
            && let Operand::Number(z) = b.operand
            && *a > z
        {
            let at = Span { start: at.start, end: b.at.end };
            return self.error(at, format!("the range is empty; write {z}..{a}"));
        }
        let mut parts = Vec::new();
        if let Some(first) = first {
            parts.push(self.compare(left, Relation::MoreOrEqual, ">=", first)?);
        }
        if let Some(last) = last {
            parts.push(self.compare(left, Relation::LessOrEqual, "<=", last)?);
        }
        if parts.is_empty() {
            return self.error(to.at, "a range needs a first or a last value");
        }
        let within = Expr::All(parts);
        Ok(if compare == Relation::Equal { within } else { Expr::Not(Box::new(within)) })
    }

    fn compare(
        &mut self,
        left: &ParsedSide,
        compare: Relation,
        sign: &str,
        mut right: ParsedSide,
    ) -> Result<Expr, FilterError> {
        let at = Span { start: left.at.start.min(right.at.start), end: right.at.end };
        let (left_text, right_text) = (&self.text[left.at.range()], &self.text[right.at.range()]);
        let mut left = ParsedSide { operand: left.operand.clone(), ..*left };
        if compare == Relation::Contains {
            self.read_text(&mut left);
            self.read_text(&mut right);
        } else {
            self.read_date(&mut left, &right.operand);
            self.read_date(&mut right, &left.operand);
        }
        let (left, right) = (left.operand, right.operand);
        let negated = |expr: Expr, negates: bool| match negates {
            true => Expr::Not(Box::new(expr)),
            false => expr,
        };
        if let (Operand::Fact(Fact::Material), Operand::Text(text)) = (&left, &right)
            && let Relation::Equal | Relation::Unequal | Relation::Contains = compare
        {
            let pattern = MaterialPattern::read(text);
            let pattern = pattern.or_else(|fault| self.pattern_fault(at.end, text, fault))?;
            let holds = Expr::Pattern(Pattern::Material(pattern));
            return Ok(negated(holds, compare == Relation::Unequal));
        }
        for (one, other) in [(&left, &right), (&right, &left)] {
            let reason = wrong_operand(one, other).or_else(|| {
                let is_wrong = compare == Relation::Contains && !is_text(one);
                is_wrong
                    .then(|| "~ is for text, not for numbers, dates and calculations".to_owned())
            });
            if let Some(reason) = reason {
                return self.error(at, reason);
            }
        }
        if let Relation::Equal | Relation::Unequal = compare {
            for (one, other, text) in [(&left, &right, right_text), (&right, &left, left_text)] {
                if self.means_unknown(one, other, text) {
                    return Ok(negated(Expr::Is(one.clone()), compare == Relation::Equal));
                }
            }
        }
        if let Operand::Tag { index, .. } = right
            && is_text(&left)
        {
            self.tags[index].as_text = Some(format!("{left_text} {sign} \"{right_text}\""));
        }
        if let Operand::Tag { index, .. } = left
            && is_text(&right)
            && !matches!(right, Operand::Text(_))
        {
            self.tags[index].as_text = Some(format!("\"{left_text}\" {sign} {right_text}"));
        }
        Ok(Expr::Relation(left, compare, right))
    }

    /// Reads what is compared with `left`. The side to move may be unquoted: `turn = w`.
    fn side_beside(&mut self, left: &ParsedSide) -> Result<ParsedSide, FilterError> {
        let Word { at, ref kind } = self.words[self.at];
        match kind {
            Kind::Name(name) if is_side(&left.operand) => {
                if matches!(&**name, "w" | "b") {
                    let operand = Operand::Text(name.as_str().into());
                    self.next();
                    return Ok(ParsedSide { operand, at });
                }
                if !is_tag_name(name) && Fact::named(name, FactPlace::Condition).is_err() {
                    let reason = format!("{} is w or b", &self.text[left.at.range()]);
                    return self.error(at, reason);
                }
                self.side()
            }
            _ => self.side(),
        }
    }

    fn side(&mut self) -> Result<ParsedSide, FilterError> {
        let start = self.words[self.at].at.start;
        let operand = self.sum()?;
        Ok(ParsedSide { operand, at: self.since(start) })
    }

    fn sum(&mut self) -> Result<Operand, FilterError> {
        self.calculation(Self::product, &[Arithmetic::Plus, Arithmetic::Minus])
    }

    fn product(&mut self) -> Result<Operand, FilterError> {
        self.calculation(Self::term, &[Arithmetic::Times, Arithmetic::Over])
    }

    fn calculation(
        &mut self,
        part: fn(&mut Self) -> Result<Operand, FilterError>,
        signs: &[Arithmetic],
    ) -> Result<Operand, FilterError> {
        let start = self.words[self.at].at.start;
        let mut left = part(self)?;
        while let Kind::Arithmetic(sign) = *self.peek()
            && signs.contains(&sign)
        {
            self.check_number(&left, start)?;
            self.next();
            let right = self.number(part)?;
            left = Operand::Arithmetic(Box::new(left), sign, Box::new(right));
        }
        Ok(left)
    }

    fn term(&mut self) -> Result<Operand, FilterError> {
        let is_function = |parser: &Self| parser.words[parser.at + 1].kind == Kind::Open;
        match self.peek() {
            Kind::Arithmetic(Arithmetic::Minus) => {
                self.next();
                let term = self.deeper(|parser| parser.number(Self::term))?;
                let (zero, minus) = (Operand::Number(0.0), Arithmetic::Minus);
                Ok(Operand::Arithmetic(Box::new(zero), minus, Box::new(term)))
            }
            Kind::Open => self.in_parentheses(Self::sum),
            Kind::Name(name) if name == "abs" && is_function(self) => {
                self.next();
                let inner = self.in_parentheses(|parser| parser.number(Self::sum))?;
                Ok(Operand::Absolute(Box::new(inner)))
            }
            _ => self.operand(),
        }
    }

    fn number(
        &mut self,
        read: fn(&mut Self) -> Result<Operand, FilterError>,
    ) -> Result<Operand, FilterError> {
        let start = self.words[self.at].at.start;
        let operand = read(self)?;
        self.check_number(&operand, start)?;
        Ok(operand)
    }

    fn check_number(&self, operand: &Operand, start: usize) -> Result<(), FilterError> {
        let what = match operand {
            Operand::Fact(fact) if !is_number(*fact) => fact.name(),
            Operand::Text(_) => "text",
            Operand::Date(_) => "a date",
            _ => return Ok(()),
        };
        let reason = format!("{what} is not a number, as calculations need");
        self.error(self.since(start), reason)
    }

    /// Whether a constant, written as `written`, is a value for the unknown: `Result = "*"`.
    fn means_unknown(&self, operand: &Operand, constant: &Operand, written: &str) -> bool {
        let name = match operand {
            Operand::Tag { index, .. } => &self.tags[*index].name,
            Operand::Fact(Fact::Result) => "Result",
            Operand::Fact(Fact::Castling | Fact::Ep | Fact::Eco | Fact::Opening) => "",
            Operand::Fact(Fact::Player | Fact::Opponent) => "",
            _ => return false,
        };
        match constant {
            Operand::Text(text) => pgn::is_unknown(name.as_bytes(), text.as_bytes()),
            Operand::Number(_) => pgn::is_unknown(name.as_bytes(), written.as_bytes()),
            _ => false,
        }
    }

    /// Makes text of a number or a date that is written without quotes.
    fn read_text(&self, side: &mut ParsedSide) {
        if matches!(side.operand, Operand::Number(_) | Operand::Date(_)) {
            side.operand = Operand::Text(self.text[side.at.range()].into());
        }
    }

    /// Makes a date of a number such as `2015.06` that is compared with a date.
    fn read_date(&self, side: &mut ParsedSide, other: &Operand) {
        if matches!(side.operand, Operand::Number(_))
            && other.is_date()
            && let Some(date) = super::expr::date(&self.text[side.at.range()])
        {
            side.operand = Operand::Date(date);
        }
    }

    fn operand(&mut self) -> Result<Operand, FilterError> {
        let Word { kind, at } = self.words[self.at].clone();
        let operand = match kind {
            Kind::Text(text) => Operand::Text(text.into()),
            Kind::Number(number) => Operand::Number(number),
            Kind::Date(date) => Operand::Date(date),
            Kind::Name(name) if name == "has" && self.words[self.at + 1].kind == Kind::Open => {
                return self.presence();
            }
            Kind::Name(name) => match Variable::named(&name, FactPlace::Condition) {
                Ok(Variable::Fact(fact)) => {
                    self.facts.insert(fact);
                    Operand::Fact(fact)
                }
                Ok(Variable::Tag(name)) => {
                    let is_date = is_tag_name(&name) && name.ends_with("Date");
                    Operand::Tag { index: self.tag(name), is_date }
                }
                Err(error) => return self.error(at, error.to_string()),
            },
            _ => {
                return self.error(at, "expected a tag, a variable, a number or text in quotes");
            }
        };
        self.next();
        Ok(operand)
    }

    fn presence(&mut self) -> Result<Operand, FilterError> {
        self.at += 2;
        let Word { kind, at } = self.words[self.at].clone();
        if !matches!(kind, Kind::Name(_)) {
            return self.error(at, "expected the name of an operation, a tag or a variable");
        }
        let operand = self.operand()?;
        self.close("expected `)` after the name")?;
        Ok(operand)
    }

    fn tag(&mut self, name: String) -> usize {
        match self.tags.iter().position(|tag| tag.name == name) {
            Some(index) => index,
            None => {
                self.tags.push(NamedTag { name, as_text: None });
                self.tags.len() - 1
            }
        }
    }
}

// Patterns of the board: `board ~ "…"`, `attacks(wN, e5)`, also for the other colours or mirrored.

impl Parser<'_> {
    fn pattern(&mut self) -> Result<Option<Expr>, FilterError> {
        let Kind::Name(name) = self.peek() else { return Ok(None) };
        let name = name.clone();
        let after = &self.words[(self.at + 1).min(self.words.len() - 1)].kind;
        match (&*name, after) {
            ("board", Kind::Relation(_)) => self.board(),
            ("attacks", Kind::Open) => self.attack(),
            ("either" | "mirrored", Kind::Open) => self.also(&name, name == "either"),
            _ => return self.of_game(&name),
        }
        .map(Some)
    }

    fn board(&mut self) -> Result<Expr, FilterError> {
        self.next();
        let sign = self.next();
        if sign.kind != Kind::Relation(Relation::Contains) {
            return self.error(sign.at, "a board is compared with a pattern by ~");
        }
        let (text, end) = self.quoted("a pattern of the board in quotes")?;
        let pattern = BoardPattern::read(&text);
        let pattern = pattern.or_else(|fault| self.pattern_fault(end, &text, fault))?;
        Ok(Expr::Pattern(Pattern::Board(pattern)))
    }

    fn quoted(&mut self, what: &str) -> Result<(String, usize), FilterError> {
        match self.next() {
            Word { kind: Kind::Text(text), at } => Ok((text, at.end)),
            Word { at, .. } => self.error(at, format!("expected {what}")),
        }
    }

    fn pattern_fault<T>(
        &self,
        end: usize,
        text: &str,
        (at, reason): PatternFault,
    ) -> Result<T, FilterError> {
        let start = end - 1 - text.len();
        self.error(Span { start: start + at.start, end: start + at.end }, reason)
    }

    fn attack(&mut self) -> Result<Expr, FilterError> {
        self.next();
        self.next();
        let Word { kind, at } = self.next();
        let reason = "expected a piece such as wN, or wA for any of White";
        let attacker = match &kind {
            Kind::Name(name) => piece(name),
            _ => None,
        };
        let Some((color, role)) = attacker else { return self.error(at, reason) };
        let Word { kind, at } = self.next();
        if kind != Kind::Comma {
            return self.error(at, "expected a comma: attacks(wN, e5)");
        }
        let Word { kind, at } = self.next();
        let target = match &kind {
            Kind::Name(name) => {
                let square = name.parse().ok().map(Target::Square);
                square.or_else(|| piece(name).map(|(color, role)| Target::Piece(color, role)))
            }
            _ => None,
        };
        let Some(target) = target else {
            return self.error(at, "expected a square such as e5, or a piece such as bQ");
        };
        self.close("expected `)`")?;
        Ok(Expr::Pattern(Pattern::Attack(Attack { color, role, target })))
    }

    /// Reads a condition on the board in parentheses that holds too if it does for other patterns.
    fn also(&mut self, name: &str, exchanges_colors: bool) -> Result<Expr, FilterError> {
        let Word { at, .. } = self.next();
        // Each doubles the condition.
        if self.turned.iter().any(|outer| outer == name) {
            return self.error(at, format!("{name}() in {name}() has no effect"));
        }
        self.turned.push(name.to_owned());
        let condition = self.in_parentheses(Self::condition)?;
        self.turned.pop();
        match of_patterns(&condition, exchanges_colors) {
            Some(others) => Ok(Expr::Any(vec![condition, others])),
            None => {
                let reason = format!("{name}() is for board, material and attacks alone");
                self.error(self.since(at.start), reason)
            }
        }
    }
}

fn of_patterns(condition: &Expr, exchanges_colors: bool) -> Option<Expr> {
    let of = |part: &Expr| of_patterns(part, exchanges_colors);
    match condition {
        Expr::All(parts) => parts.iter().map(of).collect::<Option<_>>().map(Expr::All),
        Expr::Any(parts) => parts.iter().map(of).collect::<Option<_>>().map(Expr::Any),
        Expr::Not(part) => Some(Expr::Not(Box::new(of(part)?))),
        Expr::Pattern(pattern) => Some(Expr::Pattern(pattern.turned(exchanges_colors))),
        Expr::Is(_) | Expr::Relation(..) | Expr::Sequence(_) => None,
    }
}

// Sequences: `line = "…"`, `moves ~ "…"`, `reached "…"`, `for 4 plies`, `then … within 10 plies`.

impl Parser<'_> {
    /// Reads a condition, and what holds after it.
    fn condition(&mut self) -> Result<Expr, FilterError> {
        let mut condition = self.any()?;
        while self.is_at("then") {
            let Word { at, .. } = self.next();
            self.check_player(at, "then", &condition)?;
            let last = self.any()?;
            let within = match self.is_at("within") {
                true => {
                    self.next();
                    let plies = self.plies()?;
                    if let Kind::And | Kind::Or = self.peek() {
                        let Word { at, .. } = self.next();
                        return self.error(at, "write parentheses: (... then ... within ...)");
                    }
                    plies
                }
                false => ANY_PLIES,
            };
            let first = self.sequence(at, Sequence::After(condition, within))?;
            condition = Expr::All(vec![first, last]);
        }
        Ok(condition)
    }

    fn lasting(&mut self, condition: Expr) -> Result<Expr, FilterError> {
        let Word { at, .. } = self.next();
        self.check_player(at, "for", &condition)?;
        let plies = self.plies()?;
        self.sequence(at, Sequence::For(condition, plies))
    }

    fn plies(&mut self) -> Result<u64, FilterError> {
        let Word { kind, at } = self.next();
        match kind {
            Kind::Number(plies) if plies.fract() == 0.0 && (1.0..=1e9).contains(&plies) => {
                if self.is_at("plies") || self.is_at("ply") {
                    self.next();
                }
                Ok(plies as u64)
            }
            _ => self.error(at, "expected a number of plies, such as 4 plies"),
        }
    }

    fn of_game(&mut self, name: &str) -> Result<Option<Expr>, FilterError> {
        let Word { at: Span { start, .. }, .. } = self.words[self.at];
        let next = |by: usize| &self.words[(self.at + by).min(self.words.len() - 1)].kind;
        let is_compared =
            |with: Relation| *next(1) == Kind::Relation(with) && matches!(next(2), Kind::Text(_));
        let sequence = match name {
            "line" if is_compared(Relation::Equal) || is_compared(Relation::Contains) => {
                self.at += 2;
                Sequence::Line(self.moves()?)
            }
            "moves" if is_compared(Relation::Contains) || is_compared(Relation::Equal) => {
                self.at += 2;
                Sequence::Moves(self.moves()?)
            }
            "reached" if matches!(next(1), Kind::Text(_)) => {
                self.next();
                self.reached()?
            }
            _ => return Ok(None),
        };
        self.sequence(self.since(start), sequence).map(Some)
    }

    /// Reads moves in SAN, with or without move numbers.
    fn moves(&mut self) -> Result<Vec<WrittenMove>, FilterError> {
        let (text, end) = self.quoted("moves in quotes")?;
        let begin = end - 1 - text.len();
        let mut moves = Vec::new();
        for word in text.split_whitespace() {
            let written = word.trim_start_matches(|c: char| c.is_ascii_digit());
            let written =
                written.strip_prefix('.').map_or(word, |rest| rest.trim_start_matches('.'));
            if written.is_empty() || word.bytes().all(|b| b.is_ascii_digit()) {
                continue;
            }
            let read = san::Position::default().resolve(written.as_bytes());
            if let Err(SanError::NotAMove | SanError::NullMove | SanError::Drop) = read {
                let at = begin + (word.as_ptr() as usize - text.as_ptr() as usize);
                let at = Span { start: at, end: at + word.len() };
                return self.error(at, format!("{word} is not a move in SAN"));
            }
            moves.push(WrittenMove::new(written));
        }
        if moves.is_empty() || moves.len() > MOST_MOVES {
            let reason = format!("expected one to {MOST_MOVES} moves in SAN");
            return self.error(Span { start: begin, end: end - 1 }, reason);
        }
        Ok(moves)
    }

    fn reached(&mut self) -> Result<Sequence, FilterError> {
        let (text, end) = self.quoted("a position in quotes")?;
        match Setup::from_fen(text.as_bytes()).and_then(|setup| setup.position()) {
            Ok(position) => {
                let positions = PositionSet::from_iter([PositionKey::of(&position)]);
                Ok(Sequence::Reached(positions.into()))
            }
            Err(error) => {
                let at = Span { start: end - 1 - text.len(), end: end - 1 };
                self.error(at, error.to_string())
            }
        }
    }

    fn sequence(&mut self, at: Span, sequence: Sequence) -> Result<Expr, FilterError> {
        if self.sequences.len() == MOST {
            let reason = format!("more than {MOST} conditions on several positions");
            return self.error(at, reason);
        }
        self.sequences.push(sequence);
        Ok(Expr::Sequence(self.sequences.len() - 1))
    }
}
