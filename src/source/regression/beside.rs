//! The reduced test as a function beside the original.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::draft::Draft;
use super::pieced::{Regression, reduced_name};
use crate::reduce::inputs::Inputs;
use crate::source::item::{Item, ItemKind};
use crate::source::locate::test_path;
use crate::source::named::Named;
use crate::source::position::blanks_before;
use crate::source::write_back::FileInputs;
use crate::source::{Crate, Edits, FileIndex, FoundInputs, Located};

impl FoundInputs {
    /// The reduced test as a function to insert behind the original: for a unit test, which needs
    /// what is private around it. Changed constants and helpers go into the function, where they
    /// shadow the original ones.
    pub fn regression_beside(
        &self,
        krate: &Crate,
        located: &Located,
        candidate: &Inputs,
        header: &[String],
    ) -> Regression {
        let Reduced { function, edits, files, is_tidied } = self.reduced(krate, located, candidate);
        let changed = changed_items(krate, located, &edits);
        let indent = indent_of(krate, located);
        let mut draft = Draft::new(krate, &edits);
        draft.push("\n\n");
        for line in header {
            draft.push(format!("{indent}// {line}").trim_end());
            draft.push("\n");
        }
        draft.push(indent);
        let open = located.body(krate).map_or(located.span.end, |body| body.start + 1);
        draft.piece(located.file, &(located.span.start..open));
        for index in changed {
            let item = &krate.items[index];
            draft.push(&format!("\n{indent}    "));
            draft.piece(item.file, &item.span);
        }
        draft.piece(located.file, &(open..located.span.end));
        let modules: Vec<String> = located.module.iter().map(|name| as_written(name)).collect();
        let test = test_path(&modules, &function);
        let mut regression = draft.into_regression(function, test);
        regression.insert_at = Some((located.file, located.span.end));
        regression.files = files;
        regression.is_tidied = is_tidied;
        regression
    }
}

/// The reduced test under a name of its own, as edits of the original sources.
pub(super) struct Reduced {
    /// The name.
    pub function: String,
    pub edits: BTreeMap<FileIndex, Edits>,
    /// Files that it reads and that must be written.
    pub files: Vec<(PathBuf, Vec<u8>)>,
    /// Whether loops are gone from it that are most likely needless.
    pub is_tidied: bool,
}

impl FoundInputs {
    /// That of a candidate.
    pub(super) fn reduced(&self, krate: &Crate, located: &Located, candidate: &Inputs) -> Reduced {
        let function = reduced_name(&located.function);
        let written = self.write(krate, candidate, FileInputs::Apart(&function));
        let mut edits: BTreeMap<FileIndex, Edits> = written.edits.into_iter().collect();
        krate.leave_out(located, &self.unreached, &mut edits);
        let is_tidied = !self.is_untidy && krate.tidy(located, &mut edits);
        let name = edits.entry(located.file).or_default();
        name.replace(located.name_span.clone(), function.clone());
        for case in located.other_cases(krate) {
            name.remove(case);
        }
        Reduced { function, edits, files: written.files, is_tidied }
    }
}

/// A name as libtest shows it: with `r#` where it is a keyword.
fn as_written(name: &str) -> String {
    match syn::parse_str::<syn::Ident>(name) {
        Ok(_) => name.to_owned(),
        Err(_) => format!("r#{name}"),
    }
}

/// The blanks before the test function.
pub(super) fn indent_of<'k>(krate: &'k Crate, located: &Located) -> &'k str {
    blanks_before(&krate.file(located.file).text, located.span.start).unwrap_or_default()
}

/// The constants and helper functions that the candidate changes, and those that name one of them.
pub(super) fn changed_items(
    krate: &Crate,
    located: &Located,
    edits: &BTreeMap<FileIndex, Edits>,
) -> BTreeSet<usize> {
    let reached = krate.reached(located);
    let is_movable = |(index, item): (usize, &Item)| {
        let is_kind = item.kind == ItemKind::Fn || item.kind.is_constant();
        is_kind && index != located.item && reached.contains(&index)
    };
    let is_edited = |item: &Item| {
        edits.get(&item.file).is_some_and(|edits| !edits.within(&item.span).is_empty())
    };
    let changed = krate.items.iter().enumerate();
    let changed = changed.filter(|(index, item)| is_movable((*index, *item)) && is_edited(item));
    let (items, names) = changed.map(|(index, item)| (index, item.name.clone())).unzip();
    let mut changed = Named { items, names };
    changed.grow(
        krate,
        |item, names| is_movable(item) && !krate.names_in(item.1).is_disjoint(names),
        |index| BTreeSet::from([krate.items[index].name.clone()]),
    );
    changed.items
}
