//! The options that an engine has.

use crate::settings::OptionSetting;

/// An option, as the engine describes it.
///
/// ```
/// use engine::{EngineOption, OptionKind};
///
/// let option = EngineOption::read("name Clear Hash type button").unwrap();
/// assert_eq!((&*option.name, option.kind), ("Clear Hash", OptionKind::Button));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineOption {
    /// The name.
    pub name: String,
    /// The values that it may have.
    pub kind: OptionKind,
}

/// The values of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// `true` or `false`.
    Check,
    /// A number in a range.
    Spin {
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
    },
    /// One of some words.
    Combo(Vec<String>),
    /// None: it does something.
    Button,
    /// Any text.
    Text,
}

impl EngineOption {
    /// Reads what follows the word `option`; returns `None` if it has no name or no known type.
    pub fn read(text: &str) -> Option<Self> {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let at = words.iter().position(|word| *word == "type")?;
        let (name, rest) = words.split_at(at);
        let name = name.strip_prefix(&["name"])?.join(" ");
        let after = |key| rest.iter().position(|word| *word == key).and_then(|at| rest.get(at + 1));
        let number = |key| after(key).and_then(|number| number.parse().ok());
        let kind = match *rest.get(1)? {
            "check" => OptionKind::Check,
            "spin" => OptionKind::Spin {
                min: number("min").unwrap_or(i64::MIN),
                max: number("max").unwrap_or(i64::MAX),
            },
            "combo" => {
                let values = rest.split(|word| *word == "var").skip(1);
                OptionKind::Combo(values.map(|words| words.join(" ")).collect())
            }
            "button" => OptionKind::Button,
            "string" => OptionKind::Text,
            _ => return None,
        };
        (!name.is_empty()).then_some(EngineOption { name, kind })
    }

    /// Whether the option has a name; case makes no difference.
    pub fn is_named(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// Returns what the option expects if a value is not that.
    pub(crate) fn refusal(&self, setting: &OptionSetting) -> Option<String> {
        let value = setting.value.as_deref();
        match (&self.kind, value) {
            (OptionKind::Button, None) | (OptionKind::Text, Some(_)) => None,
            (OptionKind::Check, Some("true" | "false")) => None,
            (OptionKind::Spin { min, max }, Some(value))
                if value.parse().is_ok_and(|number: i64| (*min..=*max).contains(&number)) =>
            {
                None
            }
            (OptionKind::Combo(values), Some(value))
                if values.iter().any(|known| known.eq_ignore_ascii_case(value)) =>
            {
                None
            }
            (OptionKind::Button, Some(_)) => Some("no value".to_owned()),
            (OptionKind::Check, _) => Some("true or false".to_owned()),
            (OptionKind::Spin { min, max }, _) => Some(format!("{min} to {max}")),
            (OptionKind::Combo(values), _) => Some(values.join(", ")),
            (OptionKind::Text, None) => Some("a text".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_compared_with_the_description() {
        for (described, good, bad, expected) in [
            ("name Ponder type check default false", "true", "yes", "true or false"),
            ("name Hash type spin default 16 min 1 max 64", "64", "65", "1 to 64"),
            ("name Hash type spin default 16 min 1 max 64", "1", "x", "1 to 64"),
            (
                "name Play Style type combo default Normal var Solid var Very Risky",
                "very risky",
                "Risky",
                "Solid, Very Risky",
            ),
        ] {
            let option = EngineOption::read(described).unwrap();
            let setting = |value: &str| OptionSetting {
                name: option.name.clone(),
                value: Some(value.to_owned()),
            };
            assert_eq!(option.refusal(&setting(good)), None, "{described}");
            assert_eq!(option.refusal(&setting(bad)).as_deref(), Some(expected), "{described}");
        }
        let button = EngineOption::read("name Clear Hash type button").unwrap();
        let pushed = OptionSetting { name: "clear hash".to_owned(), value: None };
        assert_eq!((button.is_named("clear hash"), button.refusal(&pushed)), (true, None));
    }

    #[test]
    fn a_description_has_a_name_and_a_type() {
        for text in ["", "name", "name Hash", "type spin", "name type spin", "name X type table"] {
            assert_eq!(EngineOption::read(text), None, "{text}");
        }
    }
}
