//! A result becomes the one that counts, along with the page that shows it.

use camino::Utf8Path;

use super::failure::Result;
use crate::disk::{DiskError, ResultFolder, clear_way, write_atomic};
use crate::report::{Event, Reporter, Summary};

/// The file of the page.
const PAGE: &str = "report.html";

/// Adds the page of the job to the result that is put together in `complete`, names it in the `summary`, and puts all of
/// that in the place of an earlier result. Without the page it is a result as well.
///
/// # Errors
/// When it cannot be moved.
pub fn publish(
    reporter: &mut dyn Reporter,
    results: &ResultFolder,
    complete: &Utf8Path,
    summary: &mut Summary,
) -> Result<()> {
    summary.artifacts.page = Some(results.path().join(PAGE).into_string());
    let html = reporter.page(summary);
    let written = html.map(|html| html.and_then(|html| write(complete, &html)));
    if !matches!(written, Some(Ok(()))) {
        summary.artifacts.page = None;
    }
    if let Some(Err(why)) = written {
        reporter.report(&Event::Warning(format!("cannot write `report.html`: {why}")));
    }
    Ok(results.publish(complete)?)
}

/// What is put together may hold what the user's own programs have made: nothing is written through a link.
fn write(complete: &Utf8Path, html: &str) -> Result<(), String> {
    let path = complete.join(PAGE);
    let cleared = clear_way(complete.as_std_path(), path.as_std_path());
    let cleared = cleared.map_err(|source| DiskError { path: path.clone().into(), source });
    let written = cleared.and_then(|()| write_atomic(path.as_std_path(), html.as_bytes()));
    written.map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::session::Counts;
    use crate::report::{Artifacts, Silent, Status};

    /// Makes this page, or says why there is none.
    struct Made(Result<String, String>, Vec<Event>);

    impl Reporter for Made {
        fn report(&mut self, event: &Event) {
            self.1.push(event.clone());
        }

        fn page(&self, _: &Summary) -> Option<Result<String, String>> {
            Some(self.0.clone())
        }
    }

    /// Publishes a result in `root`, in which what `prepare` has made stands; gives its summary.
    fn published(root: &Utf8Path, reporter: &mut dyn Reporter, prepare: fn(&Utf8Path)) -> Summary {
        let results = ResultFolder::open(root).unwrap();
        let complete = results.new_result().unwrap();
        std::fs::write(complete.join("a.rs"), "1").unwrap();
        prepare(&complete);
        let mut summary = Counts::default().summary(Status::Reduced, None, Artifacts::default());
        publish(reporter, &results, &complete, &mut summary).unwrap();
        assert!(root.join("a.rs").exists());
        summary
    }

    #[test]
    fn the_page_comes_with_the_result_and_a_result_without_one_leaves_no_earlier_one() {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(folder.path()).unwrap();
        let page = root.join(PAGE);
        let summary = published(root, &mut Made(Ok("<p>".into()), Vec::new()), |_| {});
        assert_eq!(summary.artifacts.page.as_deref(), Some(page.as_str()));
        assert_eq!(std::fs::read_to_string(&page).unwrap(), "<p>");
        let mut cannot = Made(Err("why".into()), Vec::new());
        assert_eq!(published(root, &mut cannot, |_| {}).artifacts.page, None);
        assert_eq!(cannot.1, [Event::Warning("cannot write `report.html`: why".into())]);
        assert!(!page.exists());
        assert_eq!(published(root, &mut Silent, |_| {}).artifacts.page, None);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_in_the_place_of_the_page_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(folder.path()).unwrap().join("out");
        published(&root, &mut Made(Ok("<p>".into()), Vec::new()), |complete| {
            let precious = complete.join("../../../../precious");
            std::fs::write(&precious, "gold").unwrap();
            std::os::unix::fs::symlink(precious, complete.join(PAGE)).unwrap();
        });
        assert_eq!(std::fs::read_to_string(folder.path().join("precious")).unwrap(), "gold");
        assert_eq!(std::fs::read_to_string(root.join(PAGE)).unwrap(), "<p>");
    }
}
