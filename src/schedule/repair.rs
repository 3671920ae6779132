//! Reductions that the compiler takes: many at once, without those that its errors point at.
//!
//! Most reductions of a source on their own do not compile, and to find that out one by one costs a run
//! of the compiler each. Here all of them are applied together and checked; the errors say which to
//! take back, until the rest compiles after a few rounds. What is taken back may still work alone, or
//! after others: it is only put off.

use super::blame::Round;
use crate::reduce::{Answer, RangeExt, until_it_compiles};
use crate::rust::import_parts::{ImportPart, import_parts};
use crate::rust::{Check, CompileError, Reduction, Sources};

/// After so many rounds the rest is put off.
const ROUNDS: usize = 24;
/// So many rounds an error that stands for many reductions is blamed on half of them only.
const PATIENT_ROUNDS: usize = 5;
/// How many are not yet many.
const MANY: usize = 3;

/// Reductions that compile together.
#[derive(Debug, Default)]
pub(crate) struct Repaired {
    /// Which of those that were proposed.
    pub(crate) chosen: Vec<usize>,
    /// Removals of imports that go with them: what they name is gone. Each has the place of its file.
    pub(crate) imports: Vec<(usize, Reduction)>,
}

impl Repaired {
    /// The edits of those that were proposed, and of the imports.
    pub(crate) fn edits<'e>(
        &'e self,
        open: &'e [(usize, &'e Reduction)],
    ) -> impl Iterator<Item = (usize, &'e Reduction)> {
        let imports = self.imports.iter().map(|(file, removal)| (*file, removal));
        self.chosen.iter().map(|index| open[*index]).chain(imports)
    }
}

/// What is left of the reductions, and the imports that go with them once something has been said against any.
struct Left {
    chosen: Vec<usize>,
    imports: Option<Imports>,
}

/// The reductions of `open` that compile together with each other on `base`, where it may be `known` what the compiler says
/// against all of them; each has the place of its file. They must not overlap.
///
/// # Errors
/// When the compiler cannot be run.
pub(crate) fn compiling(
    base: &Sources,
    open: &[(usize, &Reduction)],
    mut known: Option<Vec<CompileError>>,
    check: &mut dyn Check,
) -> Answer<Repaired> {
    let mut left = Left { chosen: (0..open.len()).collect(), imports: None };
    let compiles = until_it_compiles(
        &mut left,
        ROUNDS,
        |left| -> Answer<_> {
            let compile_errors = if let Some(compile_errors) = known.take() {
                compile_errors
            } else {
                let rest = left.chosen.iter().map(|index| open[*index]);
                let gone = left.imports.iter().flat_map(Imports::removals);
                check.compile_errors(&base.edit(rest.chain(gone)))?
            };
            Ok(if compile_errors.is_empty() { Ok(()) } else { Err(compile_errors) })
        },
        |left, compile_errors, round| {
            let imports = left.imports.get_or_insert_with(|| Imports::of(base));
            let mut here: Vec<(usize, &Reduction)> =
                left.chosen.iter().map(|index| open[*index]).collect();
            let proposed = here.len();
            here.extend(imports.removals());
            let most = if round < PATIENT_ROUNDS { MANY } else { usize::MAX };
            let blame = Round::new(base, &here[..proposed], &here);
            let (fates, others) = imports.decide(&blame, compile_errors.clone());
            // What an import that goes or comes back settles may be what else is wrong, of which nothing is sure.
            let is_settled = fates != imports.fates;
            let blamed =
                if is_settled { blame.sure(&others, most) } else { blame.blame(&others, most) };
            imports.fates = fates;
            let mut place = 0;
            left.chosen.retain(|_| {
                place += 1;
                !blamed.contains(&(place - 1))
            });
            Ok(!left.chosen.is_empty())
        },
    )?;
    Ok(match compiles {
        Ok(()) => Repaired {
            chosen: left.chosen,
            imports: left.imports.map(Imports::gone).unwrap_or_default(),
        },
        Err(_) => Repaired::default(),
    })
}

/// The imports of a source, and what becomes of them.
struct Imports {
    parts: Vec<ImportPart>,
    fates: Vec<Fate>,
}

/// What becomes of an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// Nothing has been said against it.
    Open,
    /// What it names is gone, and so is it.
    Gone,
    /// Its name is needed.
    Needed,
}

impl Imports {
    fn of(base: &Sources) -> Self {
        let parts = import_parts(base);
        let fates = vec![Fate::Open; parts.len()];
        Imports { parts, fates }
    }

    /// Removals of those that are gone.
    fn removals(&self) -> impl Iterator<Item = (usize, &Reduction)> {
        let parts = self.parts.iter().zip(&self.fates);
        let gone = parts.filter(|(_, fate)| **fate == Fate::Gone);
        gone.map(|(part, _)| (part.file, &part.removal))
    }

    fn gone(self) -> Vec<(usize, Reduction)> {
        let parts = self.parts.into_iter().zip(self.fates);
        let gone = parts.filter(|(_, fate)| *fate == Fate::Gone);
        gone.map(|(part, _)| (part.file, part.removal)).collect()
    }

    /// Lets those go at which the compiler points for the first time, and keeps from now on those whose name is
    /// missing: what becomes of all of them, and the other errors.
    fn decide(
        &self,
        round: &Round<'_>,
        compile_errors: Vec<CompileError>,
    ) -> (Vec<Fate>, Vec<CompileError>) {
        let is_gone = |part: usize| self.fates[part] == Fate::Gone;
        let (mut fates, mut others) = (self.fates.clone(), Vec::new());
        for compile_error in compile_errors {
            let touched = self.touched(round, &compile_error);
            if let Some(part) = touched.filter(|part| self.fates[*part] == Fate::Open) {
                fates[part] = Fate::Gone;
                continue;
            }
            // Without an import, a name may mean something else: `Result` with one parameter.
            let there = compile_error.places.first().and_then(|(file, place)| {
                let old = round.old(*file, place);
                round.name_at(*file, &old).filter(|_| compile_error.missing.is_empty())
            });
            let is_missing = |part: &usize| {
                let name = &*self.parts[*part].name;
                let is_named = compile_error.missing.iter().any(|word| word == name);
                is_gone(*part) && (is_named || there == Some(name))
            };
            let needed: Vec<usize> = (0..self.parts.len()).filter(is_missing).collect();
            if needed.is_empty() {
                others.push(compile_error);
            }
            for part in needed {
                fates[part] = Fate::Needed;
            }
        }
        let is_unexplained = |compile_error: &CompileError| {
            !compile_error.missing.is_empty()
                && round.that_defined(&compile_error.missing, &[]).is_empty()
        };
        if others.iter().any(is_unexplained) {
            let globs = (0..self.parts.len()).filter(|part| self.parts[*part].name.is_empty());
            for part in globs.filter(|part| is_gone(*part)) {
                fates[part] = Fate::Needed;
            }
        }
        (fates, others)
    }

    /// The import that an error is about.
    fn touched(&self, round: &Round<'_>, compile_error: &CompileError) -> Option<usize> {
        let (file, range) = compile_error.places.first()?;
        let old = round.old(*file, range);
        self.parts.iter().position(|part| part.file == *file && part.range.covers(&old))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::{removals_of, sources_of};

    const TEXT: &str = "fn a() { b(1); c(2); } fn b(x: u8) {} fn c(x: u8) {} fn d() {}";

    /// A compiler that only knows calls of functions.
    struct Calls(usize);

    impl Check for Calls {
        fn compile_errors(&mut self, sources: &Sources) -> Answer<Vec<CompileError>> {
            self.0 += 1;
            let text = &sources.files[0].text;
            let missing = ["b", "c"].into_iter().filter_map(|name| {
                let call = text.find(&format!("{name}("))?;
                let is_defined = text.contains(&format!("fn {name}("));
                (!is_defined).then(|| CompileError {
                    missing: vec![name.to_owned()],
                    places: vec![(0, call..call + 1)],
                })
            });
            Ok(missing.collect())
        }
    }

    #[test]
    fn only_what_the_errors_name_is_taken_back() {
        let removals =
            removals_of(TEXT, &["b(1);", "fn b(x: u8) {}", "fn c(x: u8) {}", "fn d() {}"]);
        let open: Vec<(usize, &Reduction)> = removals.iter().map(|it| (0, it)).collect();
        let mut check = Calls(0);
        let compiling = compiling(&sources_of(TEXT), &open, None, &mut check).unwrap();
        assert_eq!(compiling.chosen, [0, 1, 3]);
        assert_eq!(check.0, 2);
    }

    /// A compiler that knows imports and where their names are used.
    struct Imported;

    impl Check for Imported {
        fn compile_errors(&mut self, sources: &Sources) -> Answer<Vec<CompileError>> {
            let text = &*sources.files[0].text;
            let compile_error = |name: &str, place: usize| CompileError {
                missing: vec![name.to_owned()],
                places: vec![(0, place..place + 1)],
            };
            let mut all = Vec::new();
            for name in ["B", "C"] {
                let import = text
                    .find("use a::")
                    .map(|start| start..start + text[start..].find(';').unwrap());
                let import = import.and_then(|range| Some(range.start + text[range].find(name)?));
                let is_defined = text.contains(&format!("struct {name}"));
                all.extend(import.filter(|_| !is_defined).map(|place| compile_error(name, place)));
                let used = text.find(&format!("{name} {{"));
                all.extend(
                    used.filter(|_| import.is_none()).map(|place| compile_error(name, place)),
                );
            }
            Ok(all)
        }
    }

    #[test]
    fn an_import_goes_with_what_it_names_unless_that_is_needed() {
        let text = "use a::{B, C}; mod a { struct B; struct C; } fn f() { B {} }";
        let base = sources_of(text);
        let removals = removals_of(text, &["struct B;", "struct C;"]);
        let open: Vec<(usize, &Reduction)> = removals.iter().map(|it| (0, it)).collect();
        let Repaired { chosen, imports } = compiling(&base, &open, None, &mut Imported).unwrap();
        assert_eq!(chosen, [1]);
        let imports = imports.iter().map(|(file, removal)| (*file, removal));
        let left = base.edit(chosen.iter().map(|index| open[*index]).chain(imports));
        let words: Vec<&str> = left.files[0].text.split_whitespace().collect();
        assert_eq!(words.join(" "), "use a::{B, }; mod a { struct B; } fn f() { B {} }");
    }

    /// A compiler that wants an argument at least, and points at all of them.
    struct NotEmpty(usize);

    impl Check for NotEmpty {
        fn compile_errors(&mut self, sources: &Sources) -> Answer<Vec<CompileError>> {
            self.0 += 1;
            let text = &sources.files[0].text;
            let is_empty = !text.contains(|symbol: char| symbol.is_ascii_digit());
            let place = (0, 1..text.len() - 1);
            let compile_error = CompileError { missing: Vec::new(), places: vec![place] };
            Ok(if is_empty { vec![compile_error] } else { Vec::new() })
        }
    }

    #[test]
    fn an_error_about_a_whole_list_leaves_half_of_it() {
        let base = sources_of("f(1, 2, 3, 4, 5, 6, 7, 8);");
        let starts = (0..8).map(|place| 2 + 3 * place);
        let removals: Vec<Reduction> =
            starts.map(|start| Reduction::remove(start..start + 1)).collect();
        let open: Vec<(usize, &Reduction)> = removals.iter().map(|it| (0, it)).collect();
        let mut check = NotEmpty(0);
        let compiling = compiling(&base, &open, None, &mut check).unwrap();
        assert_eq!(compiling.chosen.len(), 4);
        assert_eq!(check.0, 2);
    }
}
