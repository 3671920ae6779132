//! What macros of the crate's own make is written out in the copy, tests as functions and the assertions in them as plain
//! ones: what a macro is called with is no input, and what its body says of all tests cannot be reduced for one.

use super::expand::failure_in;
use super::subject::CodeSubject;
use crate::app::failure::{Failure, Result};
use crate::app::find::Chosen;
use crate::app::search_driver::trouble;
use crate::app::session::Session;
use crate::jobs::inputs::origin::Derived;
use crate::jobs::inputs::start::Original;
use crate::jobs::inputs::subject::Sources;
use crate::project::Scratch;
use crate::source::Edits;

/// The subject in the copy, and the failure there: in the file with what macros make written out, if the test then still
/// fails so.
///
/// # Errors
/// When the copy does not build, or the test cannot be run.
pub fn subject_in(
    session: &Session,
    scratch: &Scratch,
    chosen: &Chosen,
    mut original: Original,
) -> Result<(CodeSubject, Original)> {
    // The other version has its own file with the macros.
    let is_alone = session.config.control.passes_with.is_none();
    let sources = Sources::load(chosen).ok().filter(|_| is_alone);
    let derived = sources.and_then(|it| match &it.located {
        Err(why) if why.may_be_made() => Derived::written_out(&it.krate, &chosen.test),
        Ok(located) => Derived::with_asserting_calls_written_out(&it.krate, located),
        Err(_) => None,
    });
    if let Some(derived) = derived
        && let Some(copy) = scratch.path_of(&derived.path)
    {
        let write = |text: &str| {
            let written = scratch.write(&copy, text.as_bytes());
            written.map_err(|error| Failure::error(error.to_string()))
        };
        write(&derived.text)?;
        if let Ok(mut subject) = CodeSubject::new(session, scratch, chosen) {
            let shown = failure_in(session, &subject, &subject.binary, &original);
            if let Ok(shown) = shown.map_err(|error| trouble(&error))? {
                original.signature = shown;
                subject.written_out = Some(derived);
                return Ok((subject, original));
            }
        }
        if session.interrupt.is_set() {
            return Err(Failure::interrupted());
        }
        let (_, before, _) = derived.edited_source(&Edits::default());
        write(before)?;
    }
    let subject = CodeSubject::new(session, scratch, chosen)?;
    original.signature = subject.in_copy(&original.signature);
    Ok((subject, original))
}
