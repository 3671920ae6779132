//! From a test's name to its function.

use std::ops::Range;

use syn::parse::Parse;
use syn::spanned::Spanned;
use syn::{Attribute, Meta};

use super::item::{Item, ItemKind};
use super::parse::{look_at, range};
use super::tokens::{last_name, plain};
use super::{Crate, FileIndex, attributes};

/// A test's function in the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// The name that the test harness uses: `module::function`, with a case after it where a macro
    /// makes several tests of one function.
    pub test: String,
    /// The function's name.
    pub function: String,
    /// The modules around it, from the crate root.
    pub module: Vec<String>,
    /// Its file.
    pub file: FileIndex,
    /// Its bytes, attributes included.
    pub span: Range<usize>,
    /// The bytes of its name.
    pub name_span: Range<usize>,
    /// What its signature and attributes say.
    pub facts: Facts,
    /// Its place in the crate's index.
    pub(crate) item: usize,
}

/// What the signature and attributes of a test say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// It is an `async fn`.
    pub is_async: bool,
    /// What makes a test of it.
    pub harness: Harness,
    /// `#[should_panic]`, with the text of `expected`.
    #[expect(clippy::option_option, reason = "the attribute may stand without a text")]
    pub should_panic: Option<Option<String>>,
    /// `#[ignore]`.
    pub is_ignored: bool,
    /// It returns something else than `()`.
    pub returns_result: bool,
}

/// What makes a test of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Harness {
    /// `#[test]`.
    Plain,
    /// Another attribute that leaves one test without parameters, such as `#[tokio::test]`.
    Attribute(String),
    /// An attribute that makes one test a case, such as `#[rstest]` or `#[test_case]`; with the name
    /// of the case if the test's name has one.
    Cases {
        /// The attribute.
        attribute: String,
        /// What stands behind the function in the test's name.
        case: Option<String>,
    },
    /// No test attribute (called by a harness of its own).
    None,
}

impl Facts {
    /// Whether quickcheck runs it with random arguments: then its literals are no inputs, but what the
    /// arguments are held against.
    pub fn is_quickcheck(&self) -> bool {
        matches!(&self.harness, Harness::Attribute(path) if path.ends_with("quickcheck"))
    }

    /// Whether the function can be called by name without arguments: the probe's way in.
    pub fn is_callable(&self) -> bool {
        matches!(self.harness, Harness::Plain | Harness::Attribute(_))
    }

    /// Whether each candidate needs a process of its own.
    pub fn needs_process(&self) -> bool {
        self.harness != Harness::Plain || self.should_panic.is_some()
    }
}

/// Why a test has no source function.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotLocated {
    /// `proptest!` makes it: there is a body, but no literal.
    #[error(
        "no source function found: `{test}` is made by `proptest!`; its failing values are written out as a plain test"
    )]
    Proptest {
        /// The test's name.
        test: String,
        /// The file of the macro call.
        file: FileIndex,
        /// The bytes of the macro call.
        span: Range<usize>,
    },
    /// quickcheck tries it with random arguments.
    #[error(
        "`{test}` is a property of quickcheck; its failing arguments are written out as a plain test"
    )]
    Quickcheck {
        /// The test's name.
        test: String,
        /// The file of the function or macro call.
        file: FileIndex,
        /// The bytes of the function or macro call.
        span: Range<usize>,
    },
    /// A macro makes it.
    #[error(
        "no source function found: `{test}` is made by the macro `{name}!`; its source can be reduced with `--code`"
    )]
    Macro {
        /// The test's name.
        test: String,
        /// The macro.
        name: String,
        /// The file of the macro call.
        file: FileIndex,
        /// The bytes of the macro call.
        span: Range<usize>,
    },
    /// Nothing of that name is in the sources.
    #[error(
        "no source function found: nothing in the sources is named `{test}`; its source can be reduced with `--code`"
    )]
    Unknown {
        /// The test's name.
        test: String,
    },
}

impl NotLocated {
    /// Whether a macro of the crate's own may make the test: of the words of its call, the name may be put together.
    pub fn may_be_made(&self) -> bool {
        matches!(self, NotLocated::Macro { .. } | NotLocated::Unknown { .. })
    }

    /// The byte where what makes the test begins; 0 if nothing is known.
    pub fn start(&self) -> usize {
        match self {
            NotLocated::Proptest { span, .. }
            | NotLocated::Quickcheck { span, .. }
            | NotLocated::Macro { span, .. } => span.start,
            NotLocated::Unknown { .. } => 0,
        }
    }
}

impl Crate {
    /// Finds the function of the test that the harness calls `test`, such as `tests::parses`.
    ///
    /// # Errors
    /// When there is no such function, with the reason.
    pub fn find_test(&self, test: &str) -> Result<Located, NotLocated> {
        let parts: Vec<&str> =
            test.split("::").map(|part| part.strip_prefix("r#").unwrap_or(part)).collect();
        let (last, module) = parts.split_last().unwrap_or((&test, &[]));
        if let Some(located) = self.function(module, last, test, None) {
            return Ok(located);
        }
        // Behind the function's name stand the case, and the values of its arguments.
        for function in (0..module.len()).rev() {
            let case = parts[function + 1..].join("::");
            if let Some(located) =
                self.function(&module[..function], module[function], test, Some(&case))
                && matches!(located.facts.harness, Harness::Cases { .. })
            {
                return Ok(located);
            }
        }
        Err(self.made_by_macro(module, last, test))
    }

    /// The tests whose names contain `substring`, as far as attributes tell, before anything is
    /// built. Cases of a test are not told apart.
    pub fn tests_named(&self, substring: &str) -> Vec<Located> {
        let is_named = |item: &&Item| item.test_name().contains(substring);
        let functions = self.items_of(ItemKind::Fn).filter(is_named);
        let names: Vec<String> = functions.map(Item::test_name).collect();
        let located = names.iter().filter_map(|name| self.find_test(name).ok());
        located.filter(|located| located.facts.harness != Harness::None).collect()
    }

    fn function(
        &self,
        module: &[&str],
        name: &str,
        test: &str,
        case: Option<&str>,
    ) -> Option<Located> {
        let is_it =
            |item: &Item| item.kind == ItemKind::Fn && item.name == name && item.module == module;
        let candidates = self.items.iter().enumerate().filter(|(_, item)| is_it(item));
        let located = candidates.filter_map(|(index, item)| {
            let (facts, name_span) = self.facts(item, case)?;
            Some(Located {
                test: test.to_owned(),
                function: item.name.clone(),
                module: item.module.clone(),
                file: item.file,
                span: item.span.clone(),
                name_span,
                facts,
                item: index,
            })
        });
        // A name can stand twice, under different `cfg`; the one with a test attribute is meant.
        let all: Vec<Located> = located.collect();
        let is_test = |located: &Located| located.facts.harness != Harness::None;
        let chosen = all.iter().position(is_test).unwrap_or(0);
        all.into_iter().nth(chosen)
    }

    fn facts(&self, item: &Item, case: Option<&str>) -> Option<(Facts, Range<usize>)> {
        let text = self.text_of(item);
        let facts = |function: syn::ItemFn| {
            (Facts::of(&function, case), range(function.sig.ident.span(), item.span.start))
        };
        look_at(text, syn::ItemFn::parse, facts).ok()
    }

    fn made_by_macro(&self, module: &[&str], name: &str, test: &str) -> NotLocated {
        let is_it =
            |item: &&Item| starts_with(module, &item.module) && self.names_in(item).contains(name);
        let Some(item) = self.items_of(ItemKind::MacroCall).find(is_it) else {
            return NotLocated::Unknown { test: test.to_owned() };
        };
        let (test, file, span) = (test.to_owned(), item.file, item.span.clone());
        match item.name.as_str() {
            "proptest" => NotLocated::Proptest { test, file, span },
            name => NotLocated::Macro { test, name: name.to_owned(), file, span },
        }
    }
}

/// The name of a function in the module of `test`.
pub fn beside(test: &str, function: &str) -> String {
    match test.rsplit_once("::") {
        Some((module, _)) => format!("{module}::{function}"),
        None => function.to_owned(),
    }
}

/// Whether a path starts with the given modules.
pub(super) fn starts_with(path: &[&str], modules: &[String]) -> bool {
    path.len() >= modules.len() && path.iter().zip(modules).all(|(part, name)| part == name)
}

impl Item {
    /// The name that the harness gives a test function.
    pub(crate) fn test_name(&self) -> String {
        test_path(&self.module, &self.name)
    }
}

/// The name that the harness gives a test function in these modules.
pub fn test_path(modules: &[String], function: &str) -> String {
    let modules = modules.iter().map(String::as_str);
    modules.chain([function]).collect::<Vec<_>>().join("::")
}

impl Facts {
    fn of(function: &syn::ItemFn, case: Option<&str>) -> Self {
        let attrs = &function.attrs;
        let named = |name: &str| attrs.iter().find(|attr| attr.path().is_ident(name));
        Facts {
            is_async: function.sig.asyncness.is_some(),
            harness: Harness::of(attrs, case),
            should_panic: named("should_panic").map(expected_message),
            is_ignored: named("ignore").is_some(),
            returns_result: matches!(function.sig.output, syn::ReturnType::Type(..)),
        }
    }
}

impl Harness {
    /// Whether attributes make a test of a function.
    pub(crate) fn makes_test(attrs: &[Attribute]) -> bool {
        Harness::of(attrs, None) != Harness::None
    }

    /// What the attributes say; `case` is the part of the test's name after the function's.
    pub(crate) fn of(attrs: &[Attribute], case: Option<&str>) -> Self {
        let last_names = attrs.iter().map(|attr| (last_name(attr.path()), path_text(attr)));
        let mut plain_test = false;
        let mut other = None;
        for (last, path) in last_names {
            match last.as_str() {
                "rstest" | "test_case" | "case" | "parameterized" | "test_matrix" | "dir_cases" => {
                    let case = case.map(str::to_owned);
                    return Harness::Cases { attribute: path, case };
                }
                "test" if path == "test" => plain_test = true,
                "test" | "test_log" | "quickcheck" | "wasm_bindgen_test" => other = Some(path),
                _ => {}
            }
        }
        match other {
            Some(path) => Harness::Attribute(path),
            None if plain_test => Harness::Plain,
            None => Harness::None,
        }
    }
}

fn path_text(attr: &Attribute) -> String {
    let names: Vec<String> =
        attr.path().segments.iter().map(|segment| plain(&segment.ident)).collect();
    let names = names.join("::");
    match names.as_str() {
        "core::prelude::v1::test" | "std::prelude::v1::test" => "test".to_owned(),
        _ => names,
    }
}

fn expected_message(attr: &Attribute) -> Option<String> {
    match &attr.meta {
        Meta::NameValue(pair) => attributes::text(&pair.value),
        Meta::List(list) => {
            let pair = list.parse_args::<syn::MetaNameValue>().ok()?;
            attributes::text(&pair.value)
        }
        Meta::Path(_) => None,
    }
}

impl Located {
    /// The bytes of the function's body, braces included.
    pub fn body(&self, krate: &Crate) -> Option<Range<usize>> {
        self.look_at(krate, |function| range(function.block.span(), self.span.start))
    }

    /// What `look` sees in the function.
    pub(super) fn look_at<R>(
        &self,
        krate: &Crate,
        look: impl FnOnce(syn::ItemFn) -> R,
    ) -> Option<R> {
        look_at(krate.slice(self.file, &self.span), syn::ItemFn::parse, look).ok()
    }
}
