//! Opens a page in the user's browser.

use std::io;
use std::process::{Command, Stdio};

use camino::Utf8Path;

/// What opens a page with the program that the user has chosen for such files.
const OPENER: &[&str] = if cfg!(windows) {
    &["cmd", "/c", "start", ""]
} else if cfg!(target_os = "macos") {
    &["open"]
} else {
    &["xdg-open"]
};

/// Opens `page` with `$BROWSER`, as cargo does, or else with what the system has for it; does not wait for it to be
/// closed.
///
/// # Errors
/// When that program cannot be started.
pub fn open(page: &Utf8Path) -> io::Result<()> {
    let browser = std::env::var("BROWSER").ok().and_then(|words| shell_words::split(&words).ok());
    let words = browser.filter(|words| !words.is_empty());
    let words = words.unwrap_or_else(|| OPENER.iter().map(|word| (*word).to_owned()).collect());
    let mut browser = Command::new(&words[0])
        .args(&words[1..])
        .arg(page)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| io::Error::new(error.kind(), format!("`{}`: {error}", words[0])))?;
    std::thread::spawn(move || browser.wait());
    Ok(())
}
