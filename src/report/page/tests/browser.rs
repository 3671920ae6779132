//! The page in a real browser: `cargo test --lib page::tests::browser -- --ignored`, where there is a Chromium.
//!
//! `CARGO_REDUCE_SCREENSHOTS=DIR` keeps what was seen, to be looked at.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{HOSTILE, page_of, whole_story};

const BROWSERS: [&str; 4] = ["chromium", "google-chrome", "chromium-browser", "chrome"];
/// A telephone, half a screen, a whole one.
const WIDTHS: [u32; 3] = [360, 800, 1280];
/// The names of colour schemes, and Chromium's numbers of them.
const SCHEMES: [(&str, u32); 2] = [("dark", 0), ("light", 1)];

/// Tells by the title whether the page is wider than the window, and presses keys on the first part.
const PROBE: &str = r#"<script>
  const first = document.querySelector(".part");
  first.focus();
  first.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
  window.scrollTo(0, 0);
  const root = document.scrollingElement;
  document.title = root.scrollWidth > root.clientWidth ? "too wide" : "fits";
</script></body>"#;

fn browse(browser: &str, profile: &Path, args: &[&str]) -> (String, String) {
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"])
        .args(["--enable-logging=stderr", "--disable-background-networking"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .args(args)
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

#[test]
#[ignore = "needs a Chromium"]
fn the_page_is_shown_at_all_widths_in_both_schemes_and_its_script_runs() {
    let is_there = |name: &&&str| Command::new(name).arg("--version").output().is_ok();
    let browser = BROWSERS.iter().find(is_there).expect("there is no Chromium");
    let folder = tempfile::tempdir().unwrap();
    let shots = std::env::var_os("CARGO_REDUCE_SCREENSHOTS").map(PathBuf::from);
    let shots = shots.unwrap_or_else(|| folder.path().to_owned());
    let large = "0123456789 \"<&\n".repeat(70_000);
    for (name, said) in [("plain", "it goes on"), ("hostile", HOSTILE), ("large", &large)] {
        let page = folder.path().join(format!("{name}.html"));
        std::fs::write(&page, page_of(&whole_story(said)).replace("</body>", PROBE)).unwrap();
        let address = format!("file://{}", page.display());
        for width in WIDTHS {
            for (scheme, number) in SCHEMES {
                let shot = shots.join(format!("{name}-{width}-{scheme}.png"));
                let size = format!("--window-size={width},2400");
                let scheme = format!("--blink-settings=preferredColorScheme={number}");
                let profile = folder.path().join("profile");
                let seen =
                    |what: &str| browse(browser, &profile, &[&size, &scheme, what, &address]);
                let (dom, log) = seen("--dump-dom");
                assert!(!log.contains("CONSOLE"), "{name} at {width}: {log}");
                assert!(dom.contains("<title>fits</title>"), "{name} at {width} is too wide");
                // The second of the parts was moved to.
                assert!(dom.contains(r#"class="explain differs""#), "{name} at {width}: {dom}");
                seen(&format!("--screenshot={}", shot.display()));
                assert!(shot.metadata().unwrap().len() > 10_000, "{name} at {width}");
            }
        }
    }
}
