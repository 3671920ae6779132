//! Which items a test reaches, by name, and the inputs in them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use syn::parse::Parse;
use syn::visit::Visit;

use super::cases;
use super::file::FileReader;
use super::found::{Found, Owner, OwnerKind};
use super::twins::{self, Assertions};
use super::walk::{NO_OWNER, Walk};
use crate::reduce::inputs::Inputs;
use crate::source::item::{Item, ItemKind};
use crate::source::locate::Located;
use crate::source::parse::look_at;
use crate::source::{Crate, Harness, Tier, idents};

impl Crate {
    /// The inputs of a test: the literals and sequences in its function, and in the functions,
    /// constants and tables that it reaches by name in the test code of the crate. `read` gives the
    /// content of files that the source names.
    #[must_use]
    pub fn inputs(
        &self,
        located: &Located,
        read: impl FnMut(&Path) -> std::io::Result<Vec<u8>>,
    ) -> Found {
        self.inputs_of(located, read, Assertions::default())
    }

    /// As [`Crate::inputs`], with the values that assertions expect: for oracles that know whether
    /// these are right.
    #[must_use]
    pub fn inputs_and_expected_values(
        &self,
        located: &Located,
        read: impl FnMut(&Path) -> std::io::Result<Vec<u8>>,
    ) -> Found {
        let assertions = Assertions {
            expects_inputs: true,
            ..Assertions::default()
        };
        self.inputs_of(located, read, assertions)
    }

    fn inputs_of(
        &self,
        located: &Located,
        mut read: impl FnMut(&Path) -> std::io::Result<Vec<u8>>,
        mut assertions: Assertions,
    ) -> Found {
        let mut found = Found {
            inputs: Inputs(Vec::new()),
            places: Vec::new(),
            owners: Vec::new(),
            files: BTreeMap::new(),
            array_types: BTreeMap::new(),
            typed_empties: BTreeSet::new(),
            rows: BTreeMap::new(),
            formats: BTreeMap::new(),
            twins: BTreeMap::new(),
            token_macros: Vec::new(),
            macro_arguments: Vec::new(),
            is_made_once: false,
            skipped: Vec::new(),
            unreached: Vec::new(),
        };
        let mut reached: Vec<usize> = self.reached(located).into_iter().collect();
        reached.sort_by_key(|index| {
            let item = &self.items[*index];
            (item.file, item.span.start)
        });
        assertions.is_everywhere = located.facts.should_panic.is_some();
        for index in reached {
            self.walk_item(index, located, &mut read, &mut found, &mut assertions);
        }
        twins::join(&mut found, &assertions);
        found
    }

    /// The items of the test code that the test reaches, itself included.
    pub(crate) fn reached(&self, located: &Located) -> BTreeSet<usize> {
        let test = &self.items[located.item];
        let mut reached = BTreeSet::from([located.item]);
        let mut names = self.names_in(test);
        loop {
            let is_new = |(index, item): &(usize, &Item)| {
                !reached.contains(index)
                    && (is_named(item, &names) || self.makes_lazy(item, &names))
                    && self.is_test_code(item, test)
            };
            let new: Vec<usize> = self
                .items
                .iter()
                .enumerate()
                .filter(is_new)
                .map(|(index, _)| index)
                .collect();
            if new.is_empty() {
                return reached;
            }
            for index in new {
                reached.insert(index);
                names.append(&mut self.names_in(&self.items[index]));
            }
        }
    }

    fn names_in(&self, item: &Item) -> BTreeSet<String> {
        idents::of_text(&self.file(item.file).text[item.span.clone()])
    }

    /// Whether an item belongs to the tests, and not to what is tested: what stands under
    /// `cfg(test)`, all of an integration test, or what stands beside a test that is under no `cfg`.
    fn is_test_code(&self, item: &Item, test: &Item) -> bool {
        if test.is_test_only {
            return item.is_test_only;
        }
        let in_library = self
            .files
            .first()
            .and_then(|root| root.path.strip_prefix(&self.package_dir).ok())
            .is_some_and(|root| root.starts_with("src"));
        !in_library || item.is_test_only || (item.file == test.file && item.module == test.module)
    }

    fn walk_item(
        &self,
        index: usize,
        located: &Located,
        read: &mut dyn FnMut(&Path) -> std::io::Result<Vec<u8>>,
        found: &mut Found,
        assertions: &mut Assertions,
    ) {
        let item = &self.items[index];
        let file = self.file(item.file);
        let is_test = index == located.item;
        let mut files = FileReader {
            package_dir: self.package_dir.clone(),
            source_dir: file.path.parent().unwrap_or(Path::new("")).to_owned(),
            read,
        };
        let is_function = matches!(item.kind, ItemKind::Fn | ItemKind::Method);
        let owner = if is_function {
            found.owners.len()
        } else {
            NO_OWNER as usize
        };
        if is_function {
            let kind = if is_test {
                OwnerKind::Test
            } else {
                OwnerKind::Helper
            };
            let (name, span) = (item.name.clone(), item.span.clone());
            found.owners.push(Owner {
                kind,
                name,
                file: item.file,
                span,
            });
        }
        let needs_process = located.facts.needs_process();
        let mut walk = Walk {
            files: &mut files,
            found,
            assertions,
            in_assertion: false,
            file: item.file,
            base: item.span.start,
            owner: u32::try_from(owner).unwrap_or(NO_OWNER),
            tier: if needs_process {
                Tier::Process
            } else {
                Tier::InProcess
            },
            array_type: None,
            takes_statements: located.facts.should_panic.is_none(),
            out: Vec::new(),
        };
        let text = &file.text[item.span.clone()];
        let case = match &located.facts.harness {
            Harness::Cases { case, .. } => case.as_deref(),
            _ => None,
        };
        // The text was parsed before, as part of its file.
        let _ = match item.kind {
            ItemKind::Method | ItemKind::AssociatedConst => {
                look_at(text, syn::ImplItem::parse, |item| {
                    walk.visit_impl_item(&item);
                })
            }
            _ => look_at(text, syn::Item::parse, |item| {
                if let (syn::Item::Fn(function), Some(case), true) = (&item, case, is_test) {
                    cases::walk_cases(&mut walk, function, case);
                }
                walk.visit_item(&item);
            }),
        };
        let mut roots = walk.out;
        found.inputs.0.append(&mut roots);
    }
}

/// Whether an item that can hold inputs is mentioned. A method counts if its type is mentioned too.
fn is_named(item: &Item, names: &BTreeSet<String>) -> bool {
    let is_holder = match item.kind {
        ItemKind::Fn => !item.is_test,
        ItemKind::Method
        | ItemKind::Const
        | ItemKind::AssociatedConst
        | ItemKind::Static
        | ItemKind::MacroCall => true,
        _ => false,
    };
    let has_owner = item
        .owner
        .as_ref()
        .is_none_or(|owner| names.contains(owner));
    is_holder && has_owner && names.contains(&item.name)
}
