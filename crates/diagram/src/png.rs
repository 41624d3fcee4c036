//! A diagram as PNG, rendered from its SVG.

use resvg::{tiny_skia, usvg};

use crate::board::Diagram;
use crate::svg::svg;

/// Why a PNG could not be made.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum PngError {
    #[error("a picture {0} pixels wide cannot be drawn")]
    Width(u32),
    #[error("the picture cannot be drawn: {0}")]
    Drawing(String),
}

const WIDEST: u32 = 16_384;

/// Renders a PNG file, `width` pixels wide. Fails if the width is 0 or more than 16,384.
///
/// ```
/// let start = diagram::Diagram::from(&san::Position::default());
/// assert!(diagram::png(&start, 200)?.starts_with(b"\x89PNG"));
/// assert!(diagram::png(&start, 0).is_err());
/// # Ok::<_, diagram::PngError>(())
/// ```
pub fn png(diagram: &Diagram, width: u32) -> Result<Vec<u8>, PngError> {
    if width == 0 || width > WIDEST {
        return Err(PngError::Width(width));
    }
    let drawing = |error: &dyn std::fmt::Display| PngError::Drawing(error.to_string());
    let tree = usvg::Tree::from_str(&svg(diagram), &usvg::Options::default())
        .map_err(|error| drawing(&error))?;
    let scale = width as f32 / tree.size().width();
    let height = (tree.size().height() * scale).round().max(1.0) as u32;
    let mut pixels = tiny_skia::Pixmap::new(width, height).ok_or(PngError::Width(width))?;
    let transform = tiny_skia::Transform::from_scale(scale, scale);
    resvg::render(&tree, transform, &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| drawing(&error))
}
