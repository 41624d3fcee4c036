use std::convert::Infallible;

use diagram::{Border, Corner, Font, Look, NotAPlacement, Placement, UnknownFont};

/// An error of [`epdstr`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EpdStrError {
    /// The string is not valid EPD.
    #[error("EPD: {0}")]
    Epd(#[from] NotAPlacement),
    /// There is no such type. The module returns rows of spaces.
    #[error("{0}; the other types are diagram, text, palview and latex")]
    Type(#[from] UnknownFont),
}

impl From<Infallible> for EpdStrError {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

/// Returns a diagram of a position as rows of a type: that of a font, or `diagram`, `text`,
/// `palview` or `latex`.
///
/// The position is an EPD string, a [`Board`](super::Board), a [`Position`](crate::Position) or a
/// [`Placement`], which corresponds to `%board` in the module. Types are case-insensitive. The look
/// applies to fonts that support it.
///
/// Each character of a row is one of ISO 8859-1, as in Perl; for a font, write it as one byte.
///
/// # Errors
///
/// Returns an error if the string is not valid EPD, or the type does not exist.
///
/// ```
/// use pgn2epd::perl::{Look, epdstr};
///
/// let rows = epdstr("8/8/8/4k3/8/8/4P3/4K3 w - -", "LaTeX", Look::default())?;
/// assert_eq!(rows[0], "\\begin{diagram}");
/// assert_eq!(rows[9], "{* * K * }");
/// # Ok::<_, pgn2epd::perl::EpdStrError>(())
/// ```
pub fn epdstr<P>(position: P, kind: &str, look: Look) -> Result<Vec<String>, EpdStrError>
where
    P: TryInto<Placement>,
    EpdStrError: From<P::Error>,
{
    let placement = position.try_into()?;
    Ok(match &*kind.to_ascii_lowercase() {
        "diagram" => {
            let rows = diagram::checkered(&placement, '-');
            let ranks = (1..=8).rev().zip(rows).map(|(rank, row)| format!("{rank}  {row}"));
            ranks.chain(["   abcdefgh".to_owned()]).collect()
        }
        "text" => diagram::checkered(&placement, '-'),
        "palview" => {
            let rows = diagram::checkered(&placement, ' ');
            rows.iter().map(|row| row.chars().map(palview).collect::<String>() + "<BR>").collect()
        }
        "latex" => {
            let rows = diagram::checkered(&placement, '*');
            let rows = rows.into_iter().map(|row| format!("{{{row}}}"));
            let frame = |line: &str| std::iter::once(line.to_owned());
            frame("\\begin{diagram}")
                .chain(frame("\\board"))
                .chain(rows)
                .chain(frame("\\end{diagram}"))
                .collect()
        }
        font => diagram::font_rows(&placement, Font::named(font)?, look),
    })
}

/// Returns a look from the keywords of the module, which are case-insensitive. As there, any border
/// but `single` is double, any corner but `rounded` is square, and any legend but `yes` is none.
///
/// ```
/// use pgn2epd::perl::{Look, look};
///
/// assert_eq!(look("single", "square", "no"), Look::default());
/// assert!(look("Double", "ROUNDED", "Yes").legend);
/// ```
pub fn look(border: &str, corner: &str, legend: &str) -> Look {
    let is = |value: &str, name| value.eq_ignore_ascii_case(name);
    Look {
        border: if is(border, "single") { Border::Single } else { Border::Double },
        corner: if is(corner, "rounded") { Corner::Rounded } else { Corner::Square },
        legend: is(legend, "yes"),
    }
}

/// Returns the image name of a square in PalView.
fn palview(letter: char) -> String {
    let name = match letter {
        ' ' => "i".to_owned(),
        white if white.is_ascii_uppercase() => format!("w{}", white.to_ascii_lowercase()),
        black => format!("b{black}"),
    };
    format!("<IMG SRC=\"jpc/{name}.gif\">")
}

/// `%font2map`: font names, and the type with which [`epdstr`](super::epdstr) draws a diagram for
/// them.
pub const FONT2MAP: &[(&str, &str)] = &[
    ("Chess Adventurer", "marroquin"),
    ("Chess Alfonso-X", "marroquin"),
    ("Chess Alpha", "bentzen1"),
    ("Chess Berlin", "bentzen2"),
    ("Chess Cases", "leschemelle"),
    ("Chess Condal", "marroquin"),
    ("Chess Harlequin", "marroquin"),
    ("Chess Kingdom", "marroquin"),
    ("Chess Leipzig", "marroquin"),
    ("Chess Line", "marroquin"),
    ("Chess Lucena", "marroquin"),
    ("Chess Magnetic", "marroquin"),
    ("Chess Mark", "marroquin"),
    ("Chess Marroquin", "marroquin"),
    ("Chess Maya", "marroquin"),
    ("Chess Mediaeval", "marroquin"),
    ("Chess Merida", "marroquin"),
    ("Chess Millennia", "marroquin"),
    ("Chess Miscel", "marroquin"),
    ("Chess Montreal", "katch"),
    ("Chess Motif", "marroquin"),
    ("Chess Plain", "hickey"),
    ("Chess Regular", "scott1"),
    ("Chess Usual", "scott2"),
    ("Chess Utrecht", "bodlaender"),
    ("Tilburg", "tilburg"),
    ("Traveller Standard V3", "cowderoy"),
];

/// Returns the type for a font, `$font2map{$font}`.
///
/// ```
/// assert_eq!(pgn2epd::perl::font2map("Chess Merida"), Some("marroquin"));
/// assert_eq!(pgn2epd::perl::font2map("Helvetica"), None);
/// ```
pub fn font2map(font: &str) -> Option<&'static str> {
    FONT2MAP.iter().find(|(name, _)| *name == font).map(|(_, kind)| *kind)
}
