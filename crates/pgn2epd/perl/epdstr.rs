use std::convert::Infallible;

use diagram::{Border, Corner, Font, Look, NotAPlacement, Placement, UnknownFont};

/// Why there is no diagram.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EpdStrError {
    /// The string is no EPD.
    #[error("EPD: {0}")]
    Epd(#[from] NotAPlacement),
    /// There is no such type. The module answers with rows of blanks.
    #[error("{0}; the other types are diagram, text, palview and latex")]
    Type(#[from] UnknownFont),
}

impl From<Infallible> for EpdStrError {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

/// A diagram of a position, as rows of a type: that of a font, or `diagram`, `text`, `palview` or `latex`.
///
/// The position is an EPD string, a [`Board`](super::Board), a [`Position`](crate::Position) or a [`Placement`], the module's
/// `%board`. Types are known in any case. The look counts for fonts that have it.
///
/// Each character of a row is one of ISO 8859-1, as in Perl: for a font write it as one byte.
///
/// # Errors
///
/// If the string is no EPD, or there is no such type.
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

/// A look in the words of the module, in any case. As there, what is not `single` is a double border, what is not `rounded` a
/// square corner, and what is not `yes` no legend.
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

/// The picture of a square that PalView loads.
fn palview(letter: char) -> String {
    let name = match letter {
        ' ' => "i".to_owned(),
        white if white.is_ascii_uppercase() => format!("w{}", white.to_ascii_lowercase()),
        black => format!("b{black}"),
    };
    format!("<IMG SRC=\"jpc/{name}.gif\">")
}
