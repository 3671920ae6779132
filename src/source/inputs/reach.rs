//! Which items a test reaches, by name, and the inputs in them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

use syn::parse::Parse;
use syn::spanned::Spanned;
use syn::visit::Visit;

use super::boundary::{self, Crossing, Crossings};
use super::cases;
use super::found::{FoundInputs, Owner, OwnerKind};
use super::labels;
use super::scope::named_closures;
use super::shown::BoundaryPlace;
use super::statements;
use super::tested::Tested;
use super::twins::{self, Assertions, Failing};
use super::walk::{FileReader, NO_OWNER, Walk};
use crate::reduce::RangeExt;
use crate::reduce::inputs::NodeId;
use crate::source::item::{Item, ItemKind};
use crate::source::locate::Located;
use crate::source::methods::is_among;
use crate::source::named::Named;
use crate::source::parse::{look_at, range};
use crate::source::place::small;
use crate::source::{Crate, FileIndex, Harness, Tier, ValueKind, ValuePlace, asserts, idents};

/// Names of what changes files and folders.
const CHANGES_FILES: &str = "write create_dir create_dir_all remove_file remove_dir remove_dir_all \
                             rename copy OpenOptions set_permissions";

/// What crosses the boundary, by item.
#[derive(Default)]
struct Boundary {
    /// In the test, and in helpers that call the code under test.
    handing: BTreeMap<usize, Crossings>,
    /// In other helpers.
    others: BTreeMap<usize, Crossings>,
}

impl Crate {
    /// The inputs of a test: the literals and sequences in its function, and in the functions,
    /// constants and tables that it reaches by name in the test code of the crate. `read` gives the
    /// content of files that the source names.
    pub fn inputs(
        &self,
        located: &Located,
        read: impl FnMut(&Path) -> std::io::Result<Vec<u8>>,
    ) -> FoundInputs {
        self.inputs_of(located, read, Assertions::default())
    }

    /// As [`Crate::inputs`], of a test that is known to be `failing`: assertions that it passes before are inputs, which may go.
    /// Where it `expects_inputs`, so are the values that assertions expect: for oracles that know whether these are right.
    pub fn inputs_where(
        &self,
        located: &Located,
        failing: Option<Failing>,
        expects_inputs: bool,
        read: impl FnMut(&Path) -> std::io::Result<Vec<u8>>,
    ) -> FoundInputs {
        self.inputs_of(
            located,
            read,
            Assertions { expects_inputs, failing, ..Assertions::default() },
        )
    }

    fn inputs_of(
        &self,
        located: &Located,
        mut read: impl FnMut(&Path) -> std::io::Result<Vec<u8>>,
        mut assertions: Assertions,
    ) -> FoundInputs {
        let mut found = FoundInputs::default();
        let mut reached: Vec<usize> = self.reached(located).into_iter().collect();
        reached.sort_by_key(|index| (self.items[*index].file, self.items[*index].span.start));
        assertions.is_everywhere = located.facts.should_panic.is_some();
        assertions.helpers = self.asserting_helpers(&reached, located);
        for index in reached.iter().copied() {
            self.walk_item(index, located, &mut read, &mut found, &mut assertions);
        }
        let boundary = self.boundary(&reached, located);
        let steering = if assertions.expects_inputs {
            let mut never_expected =
                self.within(&boundary, &found, |crossings| &crossings.steering.never_expected);
            never_expected.extend(self.labels(&found));
            never_expected
        } else {
            self.steering(located, &boundary, &found)
        };
        found.inputs.0 = twins::without(&found.inputs.0, &steering);
        let fails_at = assertions.failing.and_then(|failing| failing.place);
        // Another version, which knows what is right, gets further.
        if let Some(place) = fails_at.filter(|_| !assertions.expects_inputs) {
            let behind = self.not_reached(located, place);
            let is_behind = |id: NodeId| {
                let place = found.place(id);
                place.file == located.file && behind.iter().any(|it| it.covers(&place.range()))
            };
            let roots = found.inputs.0.iter().filter(|root| !is_behind(root.id)).cloned().collect();
            found.inputs.0 = roots;
        }
        twins::join(&mut found, &assertions);
        found.add_passed(std::mem::take(&mut assertions.passed));
        self.add_boundary(&boundary, located, &mut found);
        found.keep(&self.kept());
        found
    }

    /// What the test does not get to that fails at this place.
    fn not_reached(&self, located: &Located, (file, at): (FileIndex, usize)) -> Vec<Range<usize>> {
        let test = &self.items[located.item];
        if file != test.file || !test.span.contains(&at) {
            return Vec::new();
        }
        let behind =
            self.look_at_function(test, |_, block| statements::behind(block, at - test.span.start));
        let behind = behind.unwrap_or_default().into_iter();
        behind.map(|range| range.offset_by(test.span.start)).collect()
    }

    /// Adds the places where values cross the boundary.
    fn add_boundary(&self, boundary: &Boundary, located: &Located, found: &mut FoundInputs) {
        let test = &self.items[located.item];
        for (index, crossings) in &boundary.handing {
            let item = &self.items[*index];
            let is_owner = |owner: &Owner| owner.file == item.file && owner.span == item.span;
            let owner = found.owners.iter().position(is_owner).map_or(NO_OWNER, small);
            let mut ids = Vec::new();
            for Crossing { range, built, .. } in &crossings.places {
                let kind = ValueKind::Observed("value");
                let place = ValuePlace::new(item.file, range, kind, Tier::Process, owner);
                let id = found.add_place(place);
                found.built.extend(built.clone().map(|built| (id, built)));
                ids.push((range, id));
            }
            for (crossing, (range, id)) in crossings.places.iter().zip(&ids) {
                let whole =
                    ids.iter().find(|(other, _)| Some(*other) == crossing.goes_into.as_ref());
                found.boundary.push(BoundaryPlace {
                    id: *id,
                    is_derived: crossing.is_derived,
                    is_notation: crossing.is_notation,
                    origin: self.origin_of(item, range, &|other| self.is_test_code(other, test)),
                    goes_into: whole.map(|(_, id)| *id),
                });
            }
        }
    }

    /// The functions of test code among the `reached` items that return nothing, and assert something; closures there that
    /// have a name and do; macros that do, with a `!`.
    fn asserting_helpers(&self, reached: &[usize], located: &Located) -> BTreeSet<String> {
        let test = &self.items[located.item];
        let only_asserts = |item: &Item| {
            let look = |signature: &syn::Signature, block: &syn::Block| {
                matches!(signature.output, syn::ReturnType::Default)
                    && asserts(&self.text_of(item)[range(block.span(), 0)])
            };
            self.look_at_function(item, look).unwrap_or_default()
        };
        let others = reached.iter().filter(|index| **index != located.item);
        let helpers = others.map(|index| &self.items[*index]).filter(|item| {
            item.kind == ItemKind::Fn && self.is_test_code(item, test) && only_asserts(item)
        });
        let macros = self
            .items_of(ItemKind::MacroRules)
            .filter(|item| self.is_test_code(item, test) && asserts(self.text_of(item)));
        let macros = macros.map(|item| format!("{}!", item.name));
        let closures = reached.iter().flat_map(|index| {
            let item = &self.items[*index];
            let text = self.text_of(item);
            let look = |_: &syn::Signature, block: &syn::Block| {
                let mut closures = named_closures(block);
                closures.retain(|(_, closure)| asserts(&text[range(closure.body.span(), 0)]));
                closures.into_iter().map(|(name, _)| name).collect::<Vec<_>>()
            };
            self.look_at_function(item, look).unwrap_or_default()
        });
        helpers.map(|item| item.name.clone()).chain(macros).chain(closures).collect()
    }

    /// The helpers of a test whose calls only make a value, without the code under test: labels, numbers to compare with.
    pub(in crate::source) fn idle_helpers(&self, located: &Located) -> BTreeSet<String> {
        let test = &self.items[located.item];
        let tested = Tested::of(self, &|item| self.is_test_code(item, test));
        let has_effects = |item: &Item| {
            let names = self.names_in(item);
            let text = self.text_of(item);
            let has = |all: &str| names.iter().any(|name| is_among(all, name));
            // That a file cannot be read is nothing that the test asks.
            let reads = has("read read_to_string") && !has(CHANGES_FILES);
            has("File static thread Command")
                || has("fs") && !reads
                || has("env") && (text.contains("env::") || !text.contains("env!"))
                || text.contains("&mut ")
                || if reads { asserts(&text.replace("panic!", "")) } else { asserts(text) }
        };
        let helpers = self
            .items_of(ItemKind::Fn)
            .filter(|item| !item.is_test && self.is_test_code(item, test));
        let idle = helpers.filter(|item| !tested.is_tested(&item.name) && !has_effects(item));
        idle.map(|item| item.name.clone()).collect()
    }

    /// What crosses the boundary in the functions that the test reaches.
    fn boundary(&self, reached: &[usize], located: &Located) -> Boundary {
        let test = &self.items[located.item];
        let tested = Tested::of(self, &|item| self.is_test_code(item, test));
        let mut boundary = Boundary::default();
        for index in reached {
            let item = &self.items[*index];
            let crossings = self.look_at_function(item, |_, block| {
                boundary::crossings(&tested, block, item.span.start)
            });
            let Some(crossings) = crossings else { continue };
            let is_handing = *index == located.item || tested.is_tested(&item.name);
            if is_handing && item.kind == ItemKind::Fn {
                boundary.handing.insert(*index, crossings);
            } else {
                boundary.others.insert(*index, crossings);
            }
        }
        boundary
    }

    /// The literals that only steer test code.
    fn steering(
        &self,
        located: &Located,
        boundary: &Boundary,
        found: &FoundInputs,
    ) -> BTreeSet<NodeId> {
        let flowing: BTreeSet<&String> =
            boundary.handing.values().flat_map(|crossings| &crossings.flowing).collect();
        let is_idle = |name: &String| {
            let mut helpers = boundary.others.keys().map(|index| &self.items[*index].name);
            !flowing.is_empty() && !flowing.contains(name) && helpers.any(|helper| helper == name)
        };
        // What only helpers name that only compute what is expected is no input either.
        let reached = self.reached_by(located, &|index| {
            let mut names = self.names_in(&self.items[index]);
            if boundary.handing.contains_key(&index) {
                names.retain(|name| !is_idle(name));
            }
            names
        });
        let idle = found.inputs.ids().filter(|id| !self.is_in_one(&reached, found.place(*id)));
        idle.chain(self.within(boundary, found, |crossings| &crossings.steering.all)).collect()
    }

    /// Whether a place stands in one of the items that were `reached`.
    pub(super) fn is_in_one(&self, reached: &BTreeSet<usize>, place: &ValuePlace) -> bool {
        let mut items = reached.iter().map(|index| &self.items[*index]);
        items.any(|item| item.holds(place.file, place.range().start))
    }

    /// The literals that only stand in messages of the test.
    fn labels(&self, found: &FoundInputs) -> BTreeSet<NodeId> {
        let mut by_file = BTreeMap::new();
        let is_label = |id: &NodeId| {
            let place = found.place(*id);
            let in_file = by_file
                .entry(place.file)
                .or_insert_with(|| labels::labels(&self.file(place.file).text));
            in_file.iter().any(|label| label.covers(&place.range()))
        };
        found.inputs.ids().filter(is_label).collect()
    }

    /// The literals that stand where these bytes are.
    fn within(
        &self,
        boundary: &Boundary,
        found: &FoundInputs,
        ranges_of: impl Fn(&Crossings) -> &Vec<Range<usize>>,
    ) -> BTreeSet<NodeId> {
        let is_inside = |id: &NodeId| {
            let place = found.place(*id);
            let range = place.range();
            boundary
                .handing
                .iter()
                .chain(&boundary.others)
                .filter(|(index, _)| self.items[**index].file == place.file)
                .flat_map(|(_, crossings)| ranges_of(crossings))
                .any(|steer| steer.covers(&range))
        };
        found.inputs.ids().filter(is_inside).collect()
    }

    /// The items of the test code that the test reaches, itself included.
    pub(crate) fn reached(&self, located: &Located) -> BTreeSet<usize> {
        self.reached_by(located, &|index| self.names_in(&self.items[index]))
    }

    /// As [`Crate::reached`], where `names_in` tells the names that an item mentions.
    pub(super) fn reached_by(
        &self,
        located: &Located,
        names_in: &dyn Fn(usize) -> BTreeSet<String>,
    ) -> BTreeSet<usize> {
        let test = &self.items[located.item];
        let items = BTreeSet::from([located.item]);
        let names = self.named_through_example(names_in(located.item), test);
        let mut reached = Named { items, names };
        let is_reached = |(_, item): (usize, &Item), names: &BTreeSet<String>| {
            (is_named(item, names) || self.makes_lazy(item, names)) && self.is_test_code(item, test)
        };
        reached.grow(self, is_reached, names_in);
        reached.items
    }

    /// The names, with those that functions of an example mention that a test of it calls: its constants are inputs, though they
    /// are not.
    fn named_through_example(&self, names: BTreeSet<String>, test: &Item) -> BTreeSet<String> {
        let mut named = Named { names, ..Named::default() };
        let is_called = |(_, item): (usize, &Item), names: &BTreeSet<String>| {
            let is_function = item.kind == ItemKind::Fn && !self.is_test_code(item, test);
            is_function && names.contains(&item.name)
        };
        if self.is_below("examples", test.file) {
            named.grow(self, is_called, |index| self.names_in(&self.items[index]));
        }
        named.names
    }

    /// Whether a place is in a constant of an example that the test does not name by its name alone: a smaller one beside the
    /// test is another one.
    pub(in crate::source) fn is_read_by_example(
        &self,
        located: &Located,
        place: &ValuePlace,
    ) -> bool {
        let test = &self.items[located.item];
        let mut around = self.items_around(place.file, place.range());
        let constant = around.find(|item| item.kind.is_constant() && !item.is_test_only);
        let Some(constant) = constant.filter(|item| self.is_below("examples", item.file)) else {
            return false;
        };
        let mut readers =
            self.items_of(ItemKind::Fn).filter(|item| self.names_in(item).contains(&constant.name));
        readers.any(|item| {
            let is_qualified = self.text_of(item).contains(&format!("::{}", constant.name));
            is_qualified || item.span != test.span && !self.is_test_code(item, test)
        })
    }

    fn is_below(&self, folder: &str, file: FileIndex) -> bool {
        let path = &self.file(file).path;
        path.strip_prefix(&self.package_dir).unwrap_or(path).starts_with(folder)
    }

    /// Whether a byte stands in the code of tests.
    pub fn is_in_test(&self, located: &Located, file: FileIndex, offset: usize) -> bool {
        let test = &self.items[located.item];
        let mut around = self.items_around(file, offset..offset + 1);
        around.any(|item| self.is_test_code(item, test))
    }

    pub(in crate::source) fn names_in(&self, item: &Item) -> BTreeSet<String> {
        idents::of_text(self.text_of(item))
    }

    /// Whether an item belongs to the tests, and not to what is tested: what is compiled for tests only, which all
    /// of an integration test is but for the modules that it has from the sources of the package. What stands beside
    /// a test that is under no `cfg` is code under test, but for the constants of an example: they are what it shows.
    fn is_test_code(&self, item: &Item, test: &Item) -> bool {
        if item.kind.is_constant() && self.is_below("examples", item.file) {
            return true;
        }
        if test.is_test_only || item.is_test_only || item.is_test {
            return item.is_test_only || item.is_test;
        }
        let is_source =
            |file: FileIndex| self.is_below("src", file) || self.is_below("examples", file);
        !is_source(FileIndex(0)) && !is_source(item.file)
    }

    fn walk_item(
        &self,
        index: usize,
        located: &Located,
        read: &mut dyn FnMut(&Path) -> std::io::Result<Vec<u8>>,
        found: &mut FoundInputs,
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
        let mut owner = NO_OWNER;
        if matches!(item.kind, ItemKind::Fn | ItemKind::Method) {
            owner = small(found.owners.len());
            let kind = if is_test { OwnerKind::Test } else { OwnerKind::Helper };
            let (name, span) = (item.name.clone(), item.span.clone());
            found.owners.push(Owner { kind, name, file: item.file, span });
        }
        let needs_process = located.facts.needs_process();
        let mut walk = Walk {
            files: &mut files,
            found,
            assertions,
            in_assertion: false,
            file: item.file,
            base: item.span.start,
            owner,
            tier: if needs_process { Tier::Process } else { Tier::InProcess },
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
    is_holder && item.is_of(names) && names.contains(&item.name)
}
