//! Sources with several runs, as people are shown them: without what is there for the runs alone.

use std::borrow::Cow;

use super::asked::calls;
use super::driver::{DRIVER, LIBRARY, functions};
use super::reach::unmarked;
use crate::rust::operands::hide;
use crate::rust::{Reduction, apply};

/// What stands for an input that is another one in each run.
const INPUT: &str = "…";

/// The text without the driver, the marks, the library, and shown operands; an input that is asked for is `…`.
pub fn shown(text: &str) -> Cow<'_, str> {
    let operands = hide(text);
    if !text.contains(LIBRARY) && operands == Reduction::default() {
        return Cow::Borrowed(text);
    }
    let text = &apply(text, [&operands]);
    let unmarked = apply(text, [&unmarked(text)]);
    let asked = calls(&unmarked).into_iter();
    let edit = asked.fold(Reduction::default(), |edit, call| edit.and_replace(call.range, INPUT));
    let drivers = functions(&unmarked).into_iter().filter(|function| function.name == DRIVER);
    let edit = drivers.fold(edit, |edit, driver| edit.and_remove(driver.item));
    Cow::Owned(apply(&unmarked, [&edit]))
}

#[cfg(test)]
mod tests {
    use super::super::driver::{Driven, driver, imported, input};
    use super::*;

    #[test]
    fn nothing_of_the_runs_is_shown() {
        let test = format!("#[test]\nfn reads() {{\n    assert_eq!(read({}), 1);\n}}\n", input(3));
        let marked = format!("fn read() {{ ::{LIBRARY}::reached!(0); 1 }}\n");
        let function = functions(&test).pop().unwrap();
        let driven =
            Driven { passing: &[1, 2], failing: &[], is_marked: true, ends_process: false };
        let text = [&*marked, &*test, &*driver(&function, driven), &*imported()].concat();
        let shown = shown(&text);
        assert!(!shown.contains("cargo_reduce"), "{shown}");
        let kept = ["fn read() {", "#[test]\nfn reads() {\n    assert_eq!(read(…), 1);\n}\n"];
        assert!(kept.iter().all(|part| shown.contains(part)), "{shown}");
    }

    #[test]
    fn other_texts_are_shown_as_they_are() {
        assert!(matches!(shown("fn f() {}"), Cow::Borrowed("fn f() {}")));
    }
}
