//! One progress bar as text.

/// A bar `width` columns wide, filled to `share` (0..=1); block characters, or ASCII.
pub(super) fn bar(width: usize, share: f64, ascii: bool) -> String {
    let [full, empty] = if ascii { ["#", "-"] } else { ["█", "░"] };
    // What is not a number fills nothing.
    let filled = ((share.clamp(0.0, 1.0) * width as f64) as usize).min(width);
    full.repeat(filled) + &empty.repeat(width - filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_as_wide_as_asked_and_as_full_as_told() {
        assert_eq!(bar(10, 0.0, true), "----------");
        assert_eq!(bar(10, 0.5, true), "#####-----");
        assert_eq!(bar(10, 1.0, true), "##########");
        assert_eq!(bar(10, 7.0, true), "##########");
        assert_eq!(bar(10, f64::NAN, true), "----------");
        assert_eq!(bar(4, 0.5, false), "██░░");
        for width in 1..100 {
            assert_eq!(bar(width, 0.371, false).chars().count(), width);
        }
    }
}
