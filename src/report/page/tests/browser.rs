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

/// Tells by the title whether the page is wider than WIDTH and how high it is, and presses keys on the first part. A
/// window without a screen is at least 500 pixels wide, so that the body has to be made narrower for a telephone.
const PROBE: &str = r#"<script>
  const first = document.querySelector(".part");
  first.focus();
  first.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
  window.scrollTo(0, 0);
  const body = document.body;
  if (WIDTH < 500) body.style.maxWidth = "WIDTHpx";
  const height = Math.ceil(body.getBoundingClientRect().height);
  document.title = body.scrollWidth > Math.min(WIDTH, body.clientWidth) ? "too wide" : "fits, " + height;
</script></body>"#;
/// More of a page is not kept as a picture.
const MOST_HEIGHT: u32 = 12_000;

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
        let html = page_of(&whole_story(said));
        let address = format!("file://{}", page.display());
        for width in WIDTHS {
            let probe = PROBE.replace("WIDTH", &width.to_string());
            for (scheme, number) in SCHEMES {
                let shot = shots.join(format!("{name}-{width}-{scheme}.png"));
                let scheme = format!("--blink-settings=preferredColorScheme={number}");
                let profile = folder.path().join("profile");
                let seen = |height: u32, what: &str| {
                    let size = format!("--window-size={width},{height}");
                    browse(browser, &profile, &[&size, &scheme, what, &address])
                };
                std::fs::write(&page, html.replace("</body>", &probe)).unwrap();
                let (dom, log) = seen(900, "--dump-dom");
                assert!(!log.contains("CONSOLE"), "{name} at {width}: {log}");
                let (_, title) = dom.split_once("<title>fits, ").expect("it is too wide");
                let height = title.split('<').next().and_then(|it| it.parse().ok()).unwrap_or(900);
                // The second of the parts was moved to.
                assert!(dom.contains(r#"class="explain differs""#), "{name} at {width}: {dom}");
                std::fs::write(&page, &html).unwrap();
                seen(height.min(MOST_HEIGHT), &format!("--screenshot={}", shot.display()));
                assert!(shot.metadata().unwrap().len() > 10_000, "{name} at {width}");
            }
        }
    }
}
