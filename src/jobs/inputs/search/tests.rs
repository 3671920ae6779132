//! Searches with an oracle that ends in trouble.

use camino::Utf8Path;

use super::*;
use crate::app::failure::Failure;
use crate::jobs::inputs::testing::session;
use crate::reduce::OracleError;
use crate::reduce::inputs::testing::{inputs, text};
use crate::reduce::inputs::{NodeId, Value};

/// Everything with a tab fails; after so many failures there is no answer any more.
struct Breaks(usize);

impl Oracle<Inputs> for Breaks {
    fn ask(&mut self, candidate: &Inputs) -> Result<Outcome, OracleError> {
        if self.0 == 0 {
            return Err("the disk is full".into());
        }
        let text = candidate.value(NodeId(0)).and_then(Value::as_text);
        Ok(if text.is_some_and(|text| text.contains('\t')) {
            self.0 -= 1;
            Outcome::Fail
        } else {
            Outcome::Pass
        })
    }
}

/// Searches in a workspace made for it.
fn search(oracle: &mut dyn Oracle<Inputs>, original: &Inputs) -> Result<ReducedInputs, Failure> {
    let folder = tempfile::tempdir().unwrap();
    let root = Utf8Path::from_path(folder.path()).unwrap();
    let root = root.canonicalize_utf8().unwrap();
    std::fs::create_dir(root.join("src")).unwrap();
    std::fs::write(root.join("src/lib.rs"), "").unwrap();
    let manifest =
        "[package]\nname = \"p\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n";
    std::fs::write(root.join("Cargo.toml"), manifest).unwrap();
    let session = session(&root, "test");
    let texts = Texts::default();
    InputSearch::new(&session, original, &texts).run(oracle)
}

#[test]
fn the_best_is_kept_when_candidates_can_no_longer_be_run() {
    let original = inputs([text("some words before\ta tab, and some after it")]);
    let found = search(&mut Breaks(1), &original).unwrap();
    assert!(found.best.size() < original.size());
    assert!(!found.interrupted);
    let whole = search(&mut Breaks(usize::MAX), &original).unwrap();
    assert!(whole.best.size() < found.best.size());
}

#[test]
fn trouble_with_the_first_candidate_ends_the_job() {
    let failure = search(&mut Breaks(0), &inputs([text("a\tb")])).unwrap_err();
    assert_eq!(failure.to_string(), "a candidate could not be run: the disk is full");
}
