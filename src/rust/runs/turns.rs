//! Tests that take turns: what they share outside of the code, such as a file of one name, would come from another one else.

use super::driver::functions;
use crate::rust::{Reduction, Sources, function_of};
use crate::source::scan::words;

/// The name of what they wait for.
const LOCK: &str = "TURNS";

/// The sources in which no two of these `tests` run at a time; `None` if the name of the lock stands for something else.
pub fn taking_turns(sources: &Sources, tests: &[&str]) -> Option<Sources> {
    let root = sources.files.first()?;
    if sources.files.iter().any(|file| words(&file.text).any(|word| word == LOCK)) {
        return None;
    }
    let is_one = |name: &str| tests.iter().any(|test| function_of(test) == name);
    let edit = |text: &str| {
        let found = functions(text).into_iter().filter(|function| is_one(&function.name));
        found.fold(Reduction::default(), |edit, function| {
            let inside = function.body + 1;
            edit.and_replace(inside..inside, format!(" let _turn = crate::{LOCK}.lock(); "))
        })
    };
    let mut edits: Vec<Reduction> = sources.files.iter().map(|file| edit(&file.text)).collect();
    let end = root.text.len();
    let lock = format!("\nstatic {LOCK}: std::sync::Mutex<()> = std::sync::Mutex::new(());\n");
    edits[0] = std::mem::take(&mut edits[0]).and_replace(end..end, lock);
    Some(sources.edit_all(&edits.into_iter().enumerate().collect::<Vec<_>>()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::sources_of;

    #[test]
    fn tests_wait_for_each_other_and_other_functions_for_nothing() {
        let text = "fn f() {}\nmod m {\n    #[test]\n    fn t() { f() }\n}\n#[test]\nfn u() {}\n";
        let sources = taking_turns(&sources_of(text), &["m::t", "u"]).unwrap();
        assert_eq!(
            &*sources.files[0].text,
            "fn f() {}\nmod m {\n    #[test]\n    fn t() { let _turn = crate::TURNS.lock();  f() }\n}\n\
             #[test]\nfn u() { let _turn = crate::TURNS.lock(); }\n\n\
             static TURNS: std::sync::Mutex<()> = std::sync::Mutex::new(());\n"
        );
        assert!(taking_turns(&sources, &["u"]).is_none());
    }
}
