//! Arrows, each a single outline, so that translucent colours do not overlap and darken.

use std::fmt::Write as _;

/// Distance of the shaft from the centre of its square, which keeps the piece visible.
const START: f64 = 30.0;
/// Half the width of the shaft.
const SHAFT: f64 = 8.0;
/// Half the width and the length of the head.
const HEAD: (f64, f64) = (25.0, 44.0);
/// Distance of the tip from the centre of its square.
const TIP: f64 = 6.0;

/// With a white outline, for a ground of its colour; a ring if both centres are the same.
pub(super) fn write(from: (f64, f64), to: (f64, f64), fill: &str, svg: &mut String) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy);
    if length == 0.0 {
        let (x, y) = from;
        let _ = write!(
            svg,
            "\n<circle cx=\"{x}\" cy=\"{y}\" r=\"44\" fill=\"none\" stroke=\"{fill}\" stroke-width=\"8\" stroke-opacity=\".8\"/>"
        );
        return;
    }
    // Along the arrow and to its right.
    let point = |along: f64, aside: f64| {
        let (x, y) = (dx / length, dy / length);
        (from.0 + along * x - aside * y, from.1 + along * y + aside * x)
    };
    let (neck, tip) = (length - TIP - HEAD.1, length - TIP);
    let outline = [
        point(START, SHAFT),
        point(neck, SHAFT),
        point(neck, HEAD.0),
        point(tip, 0.0),
        point(neck, -HEAD.0),
        point(neck, -SHAFT),
        point(START, -SHAFT),
    ];
    let _ = write!(
        svg,
        "\n<path fill=\"{fill}\" fill-opacity=\".8\" stroke=\"#fff\" stroke-opacity=\".8\" stroke-width=\"3\" stroke-linejoin=\"round\" d=\""
    );
    for (command, (x, y)) in std::iter::once('M').chain(std::iter::repeat('L')).zip(outline) {
        let _ = write!(svg, "{command}{} {}", short(x), short(y));
    }
    svg.push_str("z\"/>");
}

/// Rounds to one decimal place; more precision is not visible.
fn short(number: f64) -> f64 {
    // Adding zero turns -0 into 0.
    (number * 10.0).round() / 10.0 + 0.0
}
