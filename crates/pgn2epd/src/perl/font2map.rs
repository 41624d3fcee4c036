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
