//! Numbers in tags.

/// Parses the value of a tag as a number, ignoring white space around it.
pub(crate) fn decimal(text: &[u8]) -> Option<f64> {
    let text = text.trim_ascii();
    // Fast path for ratings, which nearly all values are.
    if text.len() <= 9 && !text.is_empty() && text.iter().all(u8::is_ascii_digit) {
        return Some(text.iter().fold(0, |sum, digit| 10 * sum + u32::from(digit - b'0')).into());
    }
    if !text.last()?.is_ascii_digit() {
        return None;
    }
    std::str::from_utf8(text).ok()?.parse().ok()
}
