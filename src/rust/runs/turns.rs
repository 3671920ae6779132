//! Tests that take turns: what they share outside of the code, such as a file of one name, would come from another one else.

use super::driver::functions;
use crate::rust::{Reduction, Sources, function_of};
use crate::source::scan::words;

/// The name of what they wait for.
const LOCK: &str = "TURNS";

/// What changes something outside of the code, by a name that each run of a test has.
const CHANGES: [&str; 9] = [
    "File::create", "fs::write", "OpenOptions", "create_dir", "set_var", "remove_var",
    "set_current_dir", "Listener::bind", "static mut ",
];

/// Whether runs of tests of the sources may come in each other's way.
pub fn share_something_outside(sources: &Sources) -> bool {
    let changes = |text: &str| CHANGES.iter().any(|change| text.contains(change));
    sources.files.iter().any(|file| changes(&file.text))
}

/// Whether a statement is one that [`taking_turns`] has put in.
pub fn waits_for_turn(statement: &str) -> bool {
    statement.starts_with("let _turn = ") && words(statement).any(|word| word == LOCK)
}

/// The sources in which no two of these `tests` run at a time; `None` if the name of the lock stands for something else.
pub fn taking_turns(sources: &Sources, tests: &[&str]) -> Option<Sources> {
    let root = sources.files.first()?;
    if sources.files.iter().any(|file| words(&file.text).any(|word| word == LOCK)) {
        return None;
    }
    let lock = ["crate", LOCK].join("::");
    let is_one = |name: &str| tests.iter().any(|test| function_of(test) == name);
    let edit = |text: &str| {
        let found = functions(text).into_iter().filter(|function| is_one(&function.name));
        found.fold(Reduction::default(), |edit, function| {
            let inside = function.body + 1;
            edit.and_replace(inside..inside, format!(" let _turn = {lock}.lock(); "))
        })
    };
    let mut edits: Vec<Reduction> = sources.files.iter().map(|file| edit(&file.text)).collect();
    let end = root.text.len();
    let made = format!("\nstatic {LOCK}: std::sync::Mutex<()> = std::sync::Mutex::new(());\n");
    edits[0] = std::mem::take(&mut edits[0]).and_replace(end..end, made);
    Some(sources.edit_all(&edits.into_iter().enumerate().collect::<Vec<_>>()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::sources_of;

    #[test]
    fn tests_wait_for_each_other_and_other_functions_for_nothing() {
        let text = "fn f() {}\nmod m {\n    #[test]\n    fn t() { f() }\n}\n#[test]\nfn u() {}\n";
        let sources = sources_of(text);
        assert!(!share_something_outside(&sources));
        assert!(share_something_outside(&sources_of("fn f() { std::fs::write(\"a\", \"b\"); }")));
        let sources = taking_turns(&sources, &["m::t", "u"]).unwrap();
        assert_eq!(
            &*sources.files[0].text,
            "fn f() {}\nmod m {\n    #[test]\n    fn t() { let _turn = crate::TURNS.lock();  f() }\n}\n\
             #[test]\nfn u() { let _turn = crate::TURNS.lock(); }\n\n\
             static TURNS: std::sync::Mutex<()> = std::sync::Mutex::new(());\n"
        );
        assert!(waits_for_turn("let _turn = crate::TURNS.lock();") && !waits_for_turn("f()"));
        assert!(taking_turns(&sources, &["u"]).is_none());
    }
}
