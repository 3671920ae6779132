//! What the compiler says against a candidate, for those who propose candidates.

use std::ops::Range;

use super::compile_dir::IncrementalCache;
use super::missing::{is_summary, missing};
use super::{Compiled, Compiler, SubjectCrate};
use crate::exec::Interrupt;
use crate::project::{Diagnostic, DiagnosticSpan};
use crate::reduce::Answer;
use crate::rust::{
    Check, CompileError, Conditions, FixedRange, ObservedValue, OriginalRange, PassStats,
    Reduction, Sameness, Sources, Unused, hidden, statement_around,
};

/// Checks candidates without generating code.
pub struct Checker<'a> {
    compiler: &'a Compiler,
    interrupt: &'a Interrupt,
    on_pass_end: &'a mut dyn FnMut(PassStats),
    /// Tells those who propose candidates what places always yield.
    pub tell: Option<&'a TellValues<'a>>,
    /// The texts that the message of the failure shows of values.
    pub shown: Vec<String>,
    /// The places that only failing runs reach.
    pub only_failing: &'a [OriginalRange],
    /// Finds what has to stay as it is.
    pub fixed: Option<&'a FindFixed<'a>>,
    /// Whether it compiled when nothing was public: then errors have other causes.
    can_hide: bool,
}

/// Tells what places of a candidate always yield.
pub type TellValues<'a> = dyn Fn(&Sources) -> Answer<Vec<ObservedValue>> + 'a;

/// Finds what has to stay in sources.
pub type FindFixed<'a> = dyn Fn(&Sources) -> Vec<FixedRange> + 'a;

impl<'a> Checker<'a> {
    /// A checker that stops when the user wants it; `on_pass_end` is told of each turn of a pass.
    pub fn new(
        compiler: &'a Compiler,
        interrupt: &'a Interrupt,
        on_pass_end: &'a mut dyn FnMut(PassStats),
    ) -> Self {
        Checker {
            compiler,
            interrupt,
            on_pass_end,
            tell: None,
            shown: Vec::new(),
            only_failing: &[],
            fixed: None,
            can_hide: false,
        }
    }

    /// The sources, as a subject of their own, with nothing public in the crate of the test.
    fn with_nothing_public(&self, sources: &Sources) -> Sources {
        let tested = self.compiler.crates().tested();
        let is_tested =
            |path: &str| tested.is_some_and(|krate| krate.files.iter().any(|file| file == path));
        let plain = Sources::new(sources.files.clone(), Sameness::Text);
        let edits: Vec<(usize, Reduction)> = sources
            .files
            .iter()
            .enumerate()
            .filter(|(_, file)| is_tested(&file.path))
            .map(|(place, file)| (place, hidden(&file.text)))
            .collect();
        plain.edit_all(&edits)
    }

    fn check(&self, sources: &Sources, cache: IncrementalCache) -> Answer<Compiled> {
        self.compiler.check(sources, cache, self.interrupt)
    }
}

impl Check for Checker<'_> {
    fn compile_errors(&mut self, sources: &Sources) -> Answer<Vec<CompileError>> {
        let compiled = self.check(sources, IncrementalCache::Plain)?;
        if compiled.success {
            return Ok(Vec::new());
        }
        Ok(compile_errors(&compiled, sources))
    }

    fn unused(&mut self, sources: &Sources) -> Answer<Unused> {
        Ok(self.look(sources)?.unwrap_or_default())
    }

    fn look(&mut self, sources: &Sources) -> Answer<Result<Unused, Vec<CompileError>>> {
        let inner = self.with_nothing_public(sources);
        let compiled = self.check(&inner, IncrementalCache::Hidden)?;
        if compiled.success {
            self.can_hide = true;
            return Ok(Ok(unused_before(&compiled, &inner)));
        }
        if self.can_hide {
            return Ok(Err(errors_before(&compiled, &inner)));
        }
        let compiled = self.check(sources, IncrementalCache::Plain)?;
        Ok(if compiled.success {
            Ok(unused(&compiled, sources))
        } else {
            Err(compile_errors(&compiled, sources))
        })
    }

    fn values(&mut self, sources: &Sources) -> Answer<Vec<ObservedValue>> {
        self.tell.map_or(Ok(Vec::new()), |tell| tell(sources))
    }

    fn shown(&self) -> Vec<String> {
        self.shown.clone()
    }

    fn only_failing(&self) -> &[OriginalRange] {
        self.only_failing
    }

    fn fixed_in(&self, sources: &Sources) -> Vec<FixedRange> {
        self.fixed.map_or_else(Vec::new, |fixed| fixed(sources))
    }

    fn conditions(&self, file: &str) -> Vec<Conditions> {
        let crates = self.compiler.crates().all.iter();
        let of_file = crates.filter(|krate| krate.files.iter().any(|path| path == file));
        of_file.map(SubjectCrate::conditions).collect()
    }

    fn pass_ended(&mut self, stats: PassStats) {
        (self.on_pass_end)(stats);
    }
}

/// At least one.
fn compile_errors(compiled: &Compiled, sources: &Sources) -> Vec<CompileError> {
    let mut compile_errors: Vec<CompileError> = compiled
        .errors
        .iter()
        .filter(|error| !is_summary(error))
        .map(|error| compile_error(error, sources))
        .collect();
    if compile_errors.is_empty() {
        compile_errors.push(CompileError::default());
    }
    compile_errors
}

/// The statements of sources whose values must be used, says the compiler, and nothing does.
///
/// # Errors
/// When the compiler cannot be run.
pub fn ignored_values(
    compiler: &Compiler,
    sources: &Sources,
    interrupt: &Interrupt,
) -> Answer<Unused> {
    let compiled = compiler.check(sources, IncrementalCache::Plain, interrupt)?;
    Ok(ignored(&compiled, sources))
}

fn ignored(compiled: &Compiled, sources: &Sources) -> Unused {
    let ignored =
        compiled.warnings.iter().filter(|it| it.code.as_deref() == Some("unused_must_use"));
    let statements = ignored.flat_map(Diagnostic::primary_spans).filter_map(|span| {
        let (file, range) = place(span, sources)?;
        let text = &sources.files[file].text;
        let Range { start, end } = statement_around(text, range.start)?;
        Some((file, start..end + usize::from(text[end..].starts_with(';'))))
    });
    statements.collect()
}

fn unused(compiled: &Compiled, sources: &Sources) -> Unused {
    let is_unused = |said: &&Diagnostic| {
        let lint = said.code.as_deref().unwrap_or_default();
        // A call whose result is not used is there for what it does.
        lint == "dead_code"
            || lint == "unreachable_code"
            || lint.starts_with("unused") && lint != "unused_must_use"
    };
    let unused = compiled.warnings.iter().filter(is_unused);
    // Other places are those around it, as the implementation of an unused method, or what it is unused for.
    let primary = unused.flat_map(|said| said.spans.iter().filter(|span| span.primary));
    primary.filter_map(|span| place(span, sources)).collect()
}

/// What is unused in what `edited` was made of.
fn unused_before(compiled: &Compiled, edited: &Sources) -> Unused {
    let places = unused(compiled, edited).into_iter();
    places.filter_map(|(file, range)| place_before(file, range, edited)).collect()
}

/// The errors, with their places in what `edited` was made of.
fn errors_before(compiled: &Compiled, edited: &Sources) -> Vec<CompileError> {
    let mut compile_errors = compile_errors(compiled, edited);
    for compile_error in &mut compile_errors {
        let places = std::mem::take(&mut compile_error.places).into_iter();
        compile_error.places =
            places.filter_map(|(file, range)| place_before(file, range, edited)).collect();
    }
    compile_errors
}

fn place_before(
    file: usize,
    range: Range<usize>,
    edited: &Sources,
) -> Option<(usize, Range<usize>)> {
    let start = edited.origin(file, range.start)?.offset;
    let last = edited.origin(file, range.end.max(range.start + 1) - 1)?.offset;
    Some((file, start..last + 1))
}

fn compile_error(error: &Diagnostic, sources: &Sources) -> CompileError {
    let places = error.primary_first().filter_map(|span| place(span, sources));
    CompileError { missing: missing(error), places: places.collect() }
}

/// Where a diagnostic points: the file and its bytes.
fn place(span: &DiagnosticSpan, sources: &Sources) -> Option<(usize, Range<usize>)> {
    let file = sources.position(span.file.as_str())?;
    Some((file, span.range()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::{range_of, sources_of};

    #[test]
    fn unused_is_what_the_lint_names_and_no_call() {
        let text = "impl A { fn dead() {} } fn f() { g(); }";
        let sources = sources_of(text);
        let span = |part: &str, primary| {
            let Range { start, end } = range_of(text, part);
            DiagnosticSpan { file: "a.rs".into(), start, end, primary }
        };
        let warning = |lint: &str, spans: Vec<DiagnosticSpan>| Diagnostic {
            is_warning: true,
            code: Some(lint.to_owned()),
            spans,
            ..Diagnostic::default()
        };
        let compiled = Compiled {
            success: true,
            warnings: vec![
                warning("dead_code", vec![span("impl A", false), span("dead", true)]),
                warning("unused_must_use", vec![span("g()", true)]),
            ],
            ..Compiled::default()
        };
        assert_eq!(unused(&compiled, &sources), [(0, 12..16)]);
        assert_eq!(ignored(&compiled, &sources), [(0, range_of(text, "g();"))]);
    }
}
