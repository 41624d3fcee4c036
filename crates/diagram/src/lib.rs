//! Chess diagrams: a position and its marks as text, SVG, PNG, LaTeX and HTML.
//!
//! [`text`] and [`ascii`] draw a [`Diagram`] with characters, [`svg`] as a self-contained picture,
//! [`latex`] for the LaTeX package chessboard, [`font_rows`] in a chess font that predates Unicode;
//! the feature `png` adds `png`. [`page`] makes an HTML page of many diagrams, [`write_page`] one
//! of several games.
//!
//! ```
//! use diagram::{Diagram, Marks, Paint};
//! use san::{Position, Square};
//!
//! let mut diagram = Diagram::from(&Position::default());
//! diagram.marks.arrow(Square::E2, Square::E4, Paint::Green);
//! let picture = diagram::svg(&diagram);
//! assert!(picture.starts_with("<svg "));
//! println!("{}", diagram::ascii(&diagram));
//! ```
mod board;
mod html;
#[cfg(feature = "png")]
mod png;
mod svg;
mod text;

pub use board::{
    Arrow, ArrowList, Diagram, Marks, NotAPlacement, Paint, Placement, SquareList, Theme,
    take_marks,
};
pub use html::{Figure, Page, page, write_page};
#[cfg(feature = "png")]
pub use png::{PngError, png};
pub use svg::svg;
pub use text::{
    Border, Colours, Corner, Font, Look, UnknownFont, ascii, checkered, font_rows, latex, text,
};
