//! Operations defined by the user: `c9={Result}`, `ce={eval}`. A template is parsed once; for each
//! record its text becomes an operand of the type that the opcode takes. Without a value for a
//! placeholder the operation is left out, unless `{Tag|default}` supplies a default.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use epd::{
    Centipawns, ExpectedOperand, LONGEST_STRING, Opcode, OperandType, OperationList, PackedOpcode,
    Register, check_raw_operand, legal_string,
};
use san::{AnyPosition, MoveText};

use crate::facts::{FactPlace, FactSet, UnknownField, Variable, is_tag_name};

/// An operation defined by the user.
///
/// ```
/// use emit::Template;
///
/// let template: Template = "id={White}-{Black}.{ply}".parse()?;
/// assert_eq!(template.opcode(), "id");
///
/// let error = "id={whi-te}".parse::<Template>().unwrap_err();
/// assert!(error.to_string().starts_with("unknown variable {whi-te}; did you mean White?"));
/// # Ok::<_, emit::TemplateError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    opcode: String,
    operands: Option<OperandType>,
    parts: Vec<TemplatePart>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum TemplatePart {
    Text(String),
    Placeholder { what: Variable, default: Option<String> },
}

/// An error in the text of a template.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum TemplateError {
    #[error("write OPCODE=TEMPLATE, such as c9={{Result}}")]
    NoEqualsSign,
    #[error(
        "{0:?} is not an opcode: one that programs share has at least two characters and no capital letters; one of your own begins with a capital letter (EPD 4.2)"
    )]
    Shared(String),
    #[error(
        "{0:?} is not an opcode: a letter, then up to fourteen letters, digits and underscores"
    )]
    Opcode(String),
    #[error(transparent)]
    Placeholder(#[from] UnknownField),
    #[error("{{{0} has no closing brace; {{{{ stands for a brace")]
    Open(String),
    #[error("a closing brace without an opening one; }}}} stands for a brace")]
    Stray,
    #[error("{opcode} takes {wanted}, not {text:?}")]
    Constant { opcode: String, wanted: epd::ExpectedOperand, text: String },
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
        let is_shared = opcode.starts_with(|c: char| c.is_ascii_lowercase());
        if is_shared && (opcode.len() < 2 || opcode.contains(|c: char| c.is_ascii_uppercase())) {
            return Err(TemplateError::Shared(opcode.to_owned()));
        }
        let operands = Opcode::from_name(opcode).map(Opcode::operands);
        let template = Template { opcode: opcode.to_owned(), operands, parts: parts(rest)? };
        template.check_constant()?;
        Ok(template)
    }
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}=", self.opcode)?;
        for part in &self.parts {
            match part {
                TemplatePart::Text(text) => {
                    f.write_str(&text.replace('{', "{{").replace('}', "}}"))?
                }
                TemplatePart::Placeholder { what, default } => {
                    let name: &str = match what {
                        Variable::Tag(name) => name,
                        Variable::Fact(fact) => fact.name(),
                    };
                    match default {
                        Some(default) => write!(f, "{{{name}|{default}}}")?,
                        None => write!(f, "{{{name}}}")?,
                    }
                }
            }
        }
        Ok(())
    }
}

impl Template {
    /// Returns the opcode of the operation.
    pub fn opcode(&self) -> &str {
        &self.opcode
    }

    pub(crate) fn register(&self) -> Option<Register> {
        Opcode::from_name(&self.opcode)?.register()
    }

    /// Returns the facts used by the template.
    pub fn facts(&self) -> FactSet {
        let facts = self.placeholders().filter_map(|what| match what {
            Variable::Fact(fact) => Some(*fact),
            Variable::Tag(_) => None,
        });
        facts.collect()
    }

    /// Returns the operations of records used by the template.
    pub fn operations(&self) -> impl Iterator<Item = &str> {
        self.names().filter(|name| !is_tag_name(name))
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.placeholders().filter_map(|what| match what {
            Variable::Tag(name) => Some(&**name),
            Variable::Fact(_) => None,
        })
    }

    fn placeholders(&self) -> impl Iterator<Item = &Variable> {
        self.parts.iter().filter_map(|part| match part {
            TemplatePart::Placeholder { what, .. } => Some(what),
            TemplatePart::Text(_) => None,
        })
    }

    /// `value` appends a value and returns whether there is one; `true` if none is missing.
    #[inline]
    pub(crate) fn write(
        &self,
        text: &mut String,
        mut value: impl FnMut(&Variable, &mut String) -> bool,
    ) -> bool {
        for part in &self.parts {
            match part {
                TemplatePart::Text(constant) => text.push_str(constant),
                TemplatePart::Placeholder { what, default } => {
                    if !value(what, text) {
                        let Some(default) = default else { return false };
                        text.push_str(default);
                    }
                }
            }
        }
        true
    }

    /// Checks a template without placeholders when it is parsed: its operand never changes.
    fn check_constant(&self) -> Result<(), TemplateError> {
        let Some(wanted) = self.operands.filter(|_| self.placeholders().next().is_none()) else {
            return Ok(());
        };
        let mut text = String::new();
        self.write(&mut text, |_, _| false);
        let fits = match wanted {
            OperandType::Nothing => text.is_empty(),
            OperandType::Integer { .. } | OperandType::Evaluation => {
                number(&text, wanted).is_some()
            }
            OperandType::TwoTexts => two_strings(&text).is_some(),
            _ => true,
        };
        let opcode = self.opcode.clone();
        let wanted = epd::ExpectedOperand(wanted);
        if fits { Ok(()) } else { Err(TemplateError::Constant { opcode, wanted, text }) }
    }
}

fn parts(text: &str) -> Result<Vec<TemplatePart>, TemplateError> {
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
            parts.push(TemplatePart::Text(std::mem::take(&mut constant)));
        }
        let (name, default) = match inside.split_once('|') {
            Some((name, default)) => (name, Some(default.to_owned())),
            None => (inside, None),
        };
        let what = Variable::named(name, FactPlace::Template)?;
        parts.push(TemplatePart::Placeholder { what, default });
    }
    constant.push_str(rest);
    if !constant.is_empty() {
        parts.push(TemplatePart::Text(constant));
    }
    Ok(parts)
}

// Conversion of a template's text to an operand of the type that its opcode takes.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Filled {
    Whole,
    /// The string was too long and was cut.
    Shortened,
    WrongOperand(ExpectedOperand),
}

impl Filled {
    pub(crate) fn of_string(text: &str) -> Self {
        if text.len() > LONGEST_STRING { Filled::Shortened } else { Filled::Whole }
    }
}

pub(crate) fn fill<P: AnyPosition>(
    template: &Template,
    text: &str,
    position: &P,
    operations: &mut OperationList,
) -> Filled {
    let name = PackedOpcode::new(template.opcode());
    let Some(operands) = template.operands else { return unknown(name, text, operations) };
    let wrong_operand = Filled::WrongOperand(ExpectedOperand(operands));
    match operands {
        OperandType::Nothing if text.is_empty() => operations.bare(name),
        OperandType::Nothing => return wrong_operand,
        OperandType::Integer { .. } | OperandType::Evaluation => match number(text, operands) {
            Some(number) => operations.number(name, number),
            None => return wrong_operand,
        },
        OperandType::Move | OperandType::Moves | OperandType::Line => {
            let Some(mut moves) = moves(text, operands, position) else { return wrong_operand };
            if operands == OperandType::Moves {
                moves.sort_by(|a, b| a.as_bytes().cmp(b.as_bytes()));
            }
            operations.moves(name, moves.iter().map(MoveText::as_bytes));
        }
        OperandType::Text | OperandType::Register => return string(name, text, operations),
        OperandType::TwoTexts => match two_strings(text) {
            Some((first, second)) => {
                operations.strings(name, &legal_string(first), &legal_string(second));
            }
            None => return wrong_operand,
        },
        OperandType::Any if text.is_empty() => operations.bare(name),
        // Operands of any type are written unchanged if they can be parsed again.
        OperandType::Any if check_raw_operand(text).is_ok() => operations.word(name, text),
        OperandType::Any => return string(name, text, operations),
    }
    Filled::Whole
}

/// Parses two strings: `"a@b.c" "A B"`, as written in records, or `a@b.c|A B`.
pub(crate) fn two_strings(text: &str) -> Option<(&str, &str)> {
    let quoted = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    let quoted = quoted.and_then(|text| text.split_once("\" \""));
    quoted.or_else(|| text.split_once('|').filter(|_| !text.starts_with('"')))
}

pub(crate) fn number(text: &str, operands: OperandType) -> Option<i64> {
    let number: i64 = text.trim().parse().ok()?;
    match operands {
        OperandType::Integer { least, most } => (least..=most).contains(&number).then_some(number),
        _ => Centipawns::new(number).map(|ce| i64::from(ce.get())),
    }
}

fn moves<P: AnyPosition>(text: &str, operands: OperandType, position: &P) -> Option<Vec<MoveText>> {
    let mut position = Cow::Borrowed(position);
    let mut moves = Vec::new();
    for word in text.split_whitespace() {
        let mv = position.resolve(word.as_bytes()).ok()?;
        moves.push(position.san_of(mv));
        if operands == OperandType::Line {
            position.to_mut().play_unchecked(mv);
        }
    }
    (operands != OperandType::Move || moves.len() == 1).then_some(moves)
}

fn string(name: PackedOpcode, text: &str, operations: &mut OperationList) -> Filled {
    operations.string(name, &legal_string(text));
    Filled::of_string(text)
}

/// Adds an operation with a user-defined opcode: a number as it is, all else in quotes.
fn unknown(name: PackedOpcode, text: &str, operations: &mut OperationList) -> Filled {
    let is_sign = |byte: u8| matches!(byte, b'0'..=b'9' | b'.' | b'-');
    if text.parse::<f64>().is_ok() && text.bytes().all(is_sign) {
        operations.word(name, text);
        return Filled::Whole;
    }
    string(name, text, operations)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::Fact;

    #[test]
    fn placeholders_are_filled_and_braces_can_be_written() {
        let value = |what: &Variable, text: &mut String| {
            let value = match what {
                Variable::Tag(name) if name == "White" => "Carlsen",
                Variable::Fact(Fact::Ply) => "7",
                _ => return false,
            };
            text.push_str(value);
            true
        };
        let cases = [
            ("id={White}.{ply}", Some("Carlsen.7")),
            ("id={{{White}}}", Some("{Carlsen}")),
            ("id={Black}", None),
            ("id={Black|unknown} {White|x}", Some("unknown Carlsen")),
            ("id={Black|}", Some("")),
            ("id=plain", Some("plain")),
        ];
        for (text, expected) in cases {
            let template: Template = text.parse().unwrap();
            let mut found = String::new();
            let is_whole = template.write(&mut found, value);
            assert_eq!(is_whole.then_some(&*found), expected, "{text}");
            assert_eq!(template.to_string(), text);
        }
    }

    #[test]
    fn what_is_no_template_is_told_why() {
        let cases = [
            ("c9", "write OPCODE=TEMPLATE, such as c9={Result}"),
            (
                "9c=x",
                "\"9c\" is not an opcode: a letter, then up to fourteen letters, digits and underscores",
            ),
            ("id={White", "{White has no closing brace; {{ stands for a brace"),
            ("id=White}", "a closing brace without an opening one; }} stands for a brace"),
            (
                "x=1",
                "\"x\" is not an opcode: one that programs share has at least two characters and no capital letters; one of your own begins with a capital letter (EPD 4.2)",
            ),
            (
                "bM=1",
                "\"bM\" is not an opcode: one that programs share has at least two characters and no capital letters; one of your own begins with a capital letter (EPD 4.2)",
            ),
            ("dm=0", "dm takes a positive integer, not \"0\""),
            ("resign=yes", "resign takes no operand, not \"yes\""),
        ];
        for (text, expected) in cases {
            let error = text.parse::<Template>().unwrap_err();
            assert_eq!(error.to_string(), expected, "{text}");
        }
    }
}
