//! Operations that a user describes: `c9={Result}`, `id={White}-{Black}.{ply}`, `ce={eval}`.
//!
//! A template is read once; for each record its placeholders are filled and the text becomes an operand of the type that
//! the opcode takes: a number stays a number, a move is checked. Where something is missing that a placeholder stands for,
//! the record has no such operation; `{Tag|default}` says what to take instead.

mod operand;

use std::fmt;
use std::str::FromStr;

use crate::opcode::{Opcode, OperandType};

pub(crate) use operand::{Filled, fill};

/// An operation that a user describes.
///
/// ```
/// use emit::Template;
///
/// let template: Template = "id={White}-{Black}.{ply}".parse()?;
/// assert_eq!(template.opcode(), "id");
///
/// let error = "id={white}".parse::<Template>().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "there is no {white}: choose of clock, eval, fen, file, game, key, line, move, ply, san, turn, uci, or the name of a tag, with its capital letter",
/// );
/// # Ok::<_, emit::TemplateError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    opcode: String,
    operands: Option<OperandType>,
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Placeholder { what: Placeholder, default: Option<String> },
}

/// What a part of a template stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Placeholder {
    Tag(String),
    Fact(Fact),
}

/// Something that is known of a position besides its tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fact {
    /// The seconds that the player has left who has just moved: `[%clk]`.
    Clock,
    /// The evaluation as `ce` has it.
    Eval,
    /// The six fields.
    Fen,
    /// The name of the file.
    File,
    /// The number of the game in its file.
    Game,
    /// Polyglot's key, in sixteen hexadecimal digits.
    Key,
    /// The line of the file on which the game begins.
    Line,
    /// The fullmove number.
    Move,
    /// How many plies were played before.
    Ply,
    /// The move played from the position.
    San,
    /// `w` or `b`.
    Turn,
    /// The move played from the position, as engines write it.
    Uci,
}

impl Fact {
    const ALL: [(Fact, &'static str); 12] = [
        (Fact::Clock, "clock"),
        (Fact::Eval, "eval"),
        (Fact::Fen, "fen"),
        (Fact::File, "file"),
        (Fact::Game, "game"),
        (Fact::Key, "key"),
        (Fact::Line, "line"),
        (Fact::Move, "move"),
        (Fact::Ply, "ply"),
        (Fact::San, "san"),
        (Fact::Turn, "turn"),
        (Fact::Uci, "uci"),
    ];
}

/// Why a text is no template.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TemplateError {
    /// There is no `=`.
    #[error("write OPCODE=TEMPLATE, as c9={{Result}}")]
    NoEqualsSign,
    /// The opcode is none (EPD 4.1).
    #[error("{0:?} is no opcode: a letter, then up to fourteen letters, digits and underscores")]
    Opcode(String),
    /// A placeholder that stands for nothing.
    #[error(
        "there is no {{{0}}}: choose of {Facts}, or the name of a tag, with its capital letter"
    )]
    Placeholder(String),
    /// A `{` without its `}`.
    #[error("{{{0} has no closing brace; {{{{ stands for a brace")]
    Open(String),
    /// A `}` without its `{`.
    #[error("a closing brace without an opening one; }}}} stands for a brace")]
    Stray,
    /// Text without placeholders that the opcode cannot have.
    #[error("{opcode} takes {wanted}, not {text:?}")]
    Constant {
        /// The opcode.
        opcode: String,
        /// What it takes.
        wanted: crate::Wanted,
        /// The text.
        text: String,
    },
}

/// The names of all facts.
struct Facts;

impl fmt::Display for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = Fact::ALL.iter().map(|(_, name)| *name).collect();
        f.write_str(&names.join(", "))
    }
}

impl FromStr for Template {
    type Err = TemplateError;

    fn from_str(text: &str) -> Result<Self, TemplateError> {
        let (opcode, rest) = text.split_once('=').ok_or(TemplateError::NoEqualsSign)?;
        let letters = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let starts = opcode.starts_with(|c: char| c.is_ascii_alphabetic());
        if !starts || opcode.len() > 15 || !opcode.chars().all(letters) {
            return Err(TemplateError::Opcode(opcode.to_owned()));
        }
        let operands = Opcode::from_name(opcode).map(Opcode::operands);
        let template = Template { opcode: opcode.to_owned(), operands, parts: parts(rest)? };
        template.check_constant()?;
        Ok(template)
    }
}

impl Template {
    /// The opcode of the operation.
    pub fn opcode(&self) -> &str {
        &self.opcode
    }

    pub(crate) fn operands(&self) -> Option<OperandType> {
        self.operands
    }

    /// Whether a fact is asked for.
    pub(crate) fn asks_for(&self, fact: Fact) -> bool {
        self.placeholders().any(|what| *what == Placeholder::Fact(fact))
    }

    fn placeholders(&self) -> impl Iterator<Item = &Placeholder> {
        self.parts.iter().filter_map(|part| match part {
            Part::Placeholder { what, .. } => Some(what),
            Part::Text(_) => None,
        })
    }

    /// The text with all placeholders filled; `None` if something is missing.
    pub(crate) fn text<'v>(
        &self,
        value: impl Fn(&Placeholder) -> Option<std::borrow::Cow<'v, str>>,
    ) -> Option<String> {
        let mut text = String::new();
        for part in &self.parts {
            match part {
                Part::Text(constant) => text.push_str(constant),
                Part::Placeholder { what, default } => match value(what) {
                    Some(value) => text.push_str(&value),
                    None => text.push_str(default.as_deref()?),
                },
            }
        }
        Some(text)
    }

    /// What is always the same is wrong at once, if it is wrong.
    fn check_constant(&self) -> Result<(), TemplateError> {
        let Some(wanted) = self.operands.filter(|_| self.placeholders().next().is_none()) else {
            return Ok(());
        };
        let text = self.text(|_| None).unwrap_or_default();
        let fits = match wanted {
            OperandType::Nothing => text.is_empty(),
            OperandType::Integer { .. } | OperandType::Evaluation => {
                operand::number(&text, wanted).is_some()
            }
            OperandType::TwoTexts => text.contains('|'),
            _ => true,
        };
        let opcode = self.opcode.clone();
        let wanted = crate::Wanted(wanted);
        if fits { Ok(()) } else { Err(TemplateError::Constant { opcode, wanted, text }) }
    }
}

/// Cuts a template at its braces.
fn parts(text: &str) -> Result<Vec<Part>, TemplateError> {
    let mut parts = Vec::new();
    let mut constant = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        constant.push_str(&rest[..at]);
        let brace = &rest[at..=at];
        rest = &rest[at + 1..];
        if let Some(behind) = rest.strip_prefix(brace) {
            constant.push_str(brace);
            rest = behind;
            continue;
        }
        if brace == "}" {
            return Err(TemplateError::Stray);
        }
        let (inside, behind) =
            rest.split_once('}').ok_or_else(|| TemplateError::Open(rest.to_owned()))?;
        rest = behind;
        if !constant.is_empty() {
            parts.push(Part::Text(std::mem::take(&mut constant)));
        }
        parts.push(placeholder(inside)?);
    }
    constant.push_str(rest);
    if !constant.is_empty() {
        parts.push(Part::Text(constant));
    }
    Ok(parts)
}

fn placeholder(inside: &str) -> Result<Part, TemplateError> {
    let (name, default) = match inside.split_once('|') {
        Some((name, default)) => (name, Some(default.to_owned())),
        None => (inside, None),
    };
    let is_tag = name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let what = match Fact::ALL.iter().find(|(_, known)| *known == name) {
        Some((fact, _)) => Placeholder::Fact(*fact),
        None if is_tag => Placeholder::Tag(name.to_owned()),
        None => return Err(TemplateError::Placeholder(name.to_owned())),
    };
    Ok(Part::Placeholder { what, default })
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;

    #[test]
    fn placeholders_are_filled_and_braces_can_be_written() {
        let value = |what: &Placeholder| match what {
            Placeholder::Tag(name) if name == "White" => Some(Cow::Borrowed("Carlsen")),
            Placeholder::Fact(Fact::Ply) => Some(Cow::Borrowed("7")),
            _ => None,
        };
        let cases = [
            ("id={White}.{ply}", Some("Carlsen.7")),
            ("id={{{White}}}", Some("{Carlsen}")),
            ("id={Black}", None),
            ("id={Black|nobody} {White|x}", Some("nobody Carlsen")),
            ("id={Black|}", Some("")),
            ("id=plain", Some("plain")),
        ];
        for (text, expected) in cases {
            let template: Template = text.parse().unwrap();
            assert_eq!(template.text(value).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_template_is_told_why() {
        let cases = [
            ("c9", "write OPCODE=TEMPLATE, as c9={Result}"),
            (
                "9c=x",
                "\"9c\" is no opcode: a letter, then up to fourteen letters, digits and underscores",
            ),
            ("id={White", "{White has no closing brace; {{ stands for a brace"),
            ("id=White}", "a closing brace without an opening one; }} stands for a brace"),
            ("dm=0", "dm takes a positive integer, not \"0\""),
            ("resign=yes", "resign takes no operand, not \"yes\""),
        ];
        for (text, expected) in cases {
            let error = text.parse::<Template>().unwrap_err();
            assert_eq!(error.to_string(), expected, "{text}");
        }
    }
}
