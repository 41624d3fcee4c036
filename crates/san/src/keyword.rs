//! Keywords: the values of an option as words, on the command line and in other text.

/// A type whose values are selected by keywords.
///
/// ```
/// use san::{EnPassantPolicy, Keyword};
///
/// assert_eq!(EnPassantPolicy::Legal.word(), "legal");
/// assert_eq!("legal".parse(), Ok(EnPassantPolicy::Legal));
/// assert_eq!(EnPassantPolicy::Legal.to_string(), "legal");
///
/// let error = EnPassantPolicy::from_word("never").unwrap_err();
/// assert_eq!(error.to_string(), "choose from always, pseudo, legal");
/// ```
pub trait Keyword: Copy + PartialEq + 'static {
    /// All values, in the order in which they are listed.
    const ALL: &'static [Self];

    /// Returns the keyword of this value.
    fn word(self) -> &'static str;

    /// Describes the value in a line without a full stop; empty if the keyword is self-explanatory.
    fn help(self) -> &'static str;

    /// Returns the value that has this keyword. Fails if none has.
    fn from_word(word: &str) -> Result<Self, UnknownKeyword> {
        let found = Self::ALL.iter().copied().find(|value| value.word() == word);
        found.ok_or_else(|| UnknownKeyword::new(Self::ALL.iter().map(|value| value.word())))
    }
}

/// A keyword that no value has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("choose from {}", .words.join(", "))]
pub struct UnknownKeyword {
    words: Vec<&'static str>,
}

impl UnknownKeyword {
    /// Returns the error that lists the valid keywords.
    pub fn new(words: impl IntoIterator<Item = &'static str>) -> Self {
        UnknownKeyword { words: words.into_iter().collect() }
    }

    /// Returns the valid keywords.
    pub fn words(&self) -> &[&'static str] {
        &self.words
    }
}

impl Keyword for shakmaty::Color {
    const ALL: &'static [Self] = &[shakmaty::Color::White, shakmaty::Color::Black];

    fn word(self) -> &'static str {
        self.fold_wb("white", "black")
    }

    fn help(self) -> &'static str {
        ""
    }
}

/// Declares the keywords of a type, which also become its text (`Display`, `FromStr`):
/// `"keyword" [value] "what it means";`. A value without a keyword does not compile.
///
/// An enumeration is declared with them: `Variant = "keyword",`, where the first line of its
/// documentation is what it means.
///
/// ```
/// use san::Keyword;
///
/// san::keywords! {
///     /// The order of records.
///     #[derive(Clone, Copy, Debug, PartialEq, Eq)]
///     pub enum Order {
///         /// As they are read.
///         Input = "input",
///         /// In random order.
///         Random = "random",
///     }
/// }
///
/// assert_eq!("random".parse(), Ok(Order::Random));
/// assert_eq!((Order::Input.word(), Order::Input.help()), ("input", "As they are read"));
/// ```
#[macro_export]
macro_rules! keywords {
    (
        $(#[$attribute:meta])*
        pub enum $type:ident {
            $(#[doc = $help:literal] $(#[$of_value:meta])* $value:ident = $word:literal,)+
        }
    ) => {
        $(#[$attribute])*
        pub enum $type {
            $(#[doc = $help] $(#[$of_value])* $value,)+
        }

        $crate::keywords! { $type: $($word [$type::$value] $help;)+ }
    };
    ($type:ident: $($word:literal [$($value:tt)+] $help:literal;)+) => {
        impl $crate::Keyword for $type {
            const ALL: &'static [Self] = &[$($($value)+),+];

            fn word(self) -> &'static str {
                match self { $($($value)+ => $word),+ }
            }

            fn help(self) -> &'static str {
                let help = match self { $($($value)+ => $help),+ };
                let help = help.trim_start();
                help.strip_suffix('.').unwrap_or(help)
            }
        }

        impl ::std::fmt::Display for $type {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad($crate::Keyword::word(*self))
            }
        }

        impl ::std::str::FromStr for $type {
            type Err = $crate::UnknownKeyword;

            fn from_str(word: &str) -> Result<Self, $crate::UnknownKeyword> {
                $crate::Keyword::from_word(word)
            }
        }
    };
}
