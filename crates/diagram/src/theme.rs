//! The colours of a picture.

use crate::marks::Paint;
use san::keywords;

keywords! {
    /// Colour scheme.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Theme {
        /// Light colours.
        #[default]
        Light = "light",
        /// Dark colours.
        Dark = "dark",
    }
}

/// Colours in SVG syntax.
#[derive(Debug)]
pub(crate) struct Palette {
    pub(crate) background: &'static str,
    /// Colour of coordinates and frame.
    pub(crate) ink: &'static str,
    pub(crate) light_square: &'static str,
    pub(crate) dark_square: &'static str,
    pub(crate) last_move: &'static str,
}

impl Theme {
    pub(crate) fn palette(self) -> &'static Palette {
        match self {
            Theme::Light => &Palette {
                background: "#ffffff",
                ink: "#3f3a36",
                light_square: "#f0e1c8",
                dark_square: "#b88b66",
                last_move: "#dbb928",
            },
            Theme::Dark => &Palette {
                background: "#1d1f23",
                ink: "#c9c6bf",
                light_square: "#c3c8cf",
                dark_square: "#76808d",
                last_move: "#d3c04a",
            },
        }
    }
}

impl Paint {
    pub(crate) fn hex(self) -> &'static str {
        match self {
            Paint::Green => "#1f8a3b",
            Paint::Red => "#c3272b",
            Paint::Yellow => "#eda800",
            Paint::Blue => "#1f62c4",
        }
    }
}
