//! Whether there are colours.

use std::str::FromStr;

use anstream::ColorChoice;

/// The answer to `--color`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Color {
    /// On a terminal that can show them, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// A name that is no [`Color`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected `auto`, `always` or `never`, not `{0}`")]
pub struct ColorError(String);

impl Color {
    /// What `--color` says, else `CARGO_TERM_COLOR`, else the terminal. A value of the variable that
    /// cargo would refuse is ignored, since cargo says so itself.
    pub fn choose(option: Option<Color>) -> Color {
        option.or_else(|| std::env::var("CARGO_TERM_COLOR").ok()?.parse().ok()).unwrap_or_default()
    }
}

impl FromStr for Color {
    type Err = ColorError;

    fn from_str(name: &str) -> Result<Color, ColorError> {
        match name {
            "auto" => Ok(Color::Auto),
            "always" => Ok(Color::Always),
            "never" => Ok(Color::Never),
            _ => Err(ColorError(name.to_owned())),
        }
    }
}

impl From<Color> for ColorChoice {
    fn from(color: Color) -> ColorChoice {
        match color {
            Color::Auto => ColorChoice::Auto,
            Color::Always => ColorChoice::Always,
            Color::Never => ColorChoice::Never,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_option_wins() {
        assert_eq!(Color::choose(Some(Color::Never)), Color::Never);
        assert_eq!(Color::choose("always".parse().ok()), Color::Always);
        assert!("blue".parse::<Color>().is_err());
    }
}
