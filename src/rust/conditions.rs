//! Which conditions of `cfg` attributes hold where a source is compiled.

use std::collections::BTreeSet;

use syn::punctuated::Punctuated;
use syn::{Expr, ExprLit, Lit, Meta, Token};

/// What rustc itself sets for the target, and what of that is known where it is the machine on which we run.
const OF_TARGET: [&str; 6] =
    ["debug_assertions", "overflow_checks", "proc_macro", "relocation_model", "ub_checks", "panic"];
const OF_HOST: [&str; 5] = ["unix", "windows", "target_os", "target_arch", "target_pointer_width"];
/// What never holds where a test is compiled to be run as usual.
const NEVER: [&str; 3] = ["doc", "doctest", "miri"];

/// What holds where a crate is compiled.
#[derive(Debug, Clone, Default)]
pub struct Conditions {
    /// The conditions that are set, as `--cfg` has them: `has_std`, `feature="alloc"`; those of the host, if it is compiled
    /// for that.
    pub set: BTreeSet<String>,
    /// Whether it is compiled for tests.
    pub is_for_tests: bool,
    /// Whether it is compiled for the machine on which we run.
    pub is_for_host: bool,
}

impl Conditions {
    /// Whether what stands in `cfg(…)` holds; `None` if nobody knows.
    pub fn hold(&self, predicate: &Meta) -> Option<bool> {
        match predicate {
            Meta::Path(path) => self.is_set(&path.get_ident()?.to_string(), None),
            Meta::NameValue(pair) => {
                let Expr::Lit(ExprLit { lit: Lit::Str(value), .. }) = &pair.value else {
                    return None;
                };
                self.is_set(&pair.path.get_ident()?.to_string(), Some(&value.value()))
            }
            Meta::List(list) => {
                let parse = Punctuated::<Meta, Token![,]>::parse_terminated;
                let parts = list.parse_args_with(parse).ok()?;
                let mut held = parts.iter().map(|part| self.hold(part));
                if list.path.is_ident("not") {
                    return held.next()?.map(|held| !held);
                }
                let decides = list.path.is_ident("any");
                if !decides && !list.path.is_ident("all") {
                    return None;
                }
                let held: Vec<Option<bool>> = held.collect();
                if held.contains(&Some(decides)) {
                    return Some(decides);
                }
                (!held.contains(&None)).then_some(!decides)
            }
        }
    }

    fn is_set(&self, name: &str, value: Option<&str>) -> Option<bool> {
        if name == "test" {
            return Some(self.is_for_tests);
        }
        if NEVER.contains(&name) {
            return Some(false);
        }
        let is_set = || {
            self.set.contains(&match value {
                Some(value) => format!("{name}={value:?}"),
                None => name.to_owned(),
            })
        };
        if OF_HOST.contains(&name) {
            return self.is_for_host.then(is_set);
        }
        let is_of_target = OF_TARGET.contains(&name)
            || ["target_", "sanitize"].iter().any(|start| name.starts_with(start));
        (!is_of_target).then(is_set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_hold_or_do_not_or_nobody_knows() {
        let set = ["has_std", "feature=\"alloc\""].map(str::to_owned);
        let conditions = Conditions { set: set.into(), is_for_tests: true, is_for_host: false };
        let hold = |text: &str| conditions.hold(&syn::parse_str(text).unwrap());
        for (text, expected) in [
            ("has_std", Some(true)),
            ("not(has_std)", Some(false)),
            ("nightly", Some(false)),
            ("test", Some(true)),
            ("feature = \"alloc\"", Some(true)),
            ("all(feature = \"alloc\", not(feature = \"std\"))", Some(true)),
            ("any(windows, has_std)", Some(true)),
            ("any(windows, no_std)", None),
            ("all(windows, no_std)", Some(false)),
            ("target_os = \"linux\"", None),
            ("target_feature = \"sse2\"", None),
            ("debug_assertions", None),
            ("any()", Some(false)),
            ("all()", Some(true)),
            ("version(\"1.60\")", None),
        ] {
            assert_eq!(hold(text), expected, "{text}");
        }
        let here = ["unix", "target_os=\"linux\""].map(str::to_owned);
        let here = Conditions { set: here.into(), is_for_host: true, ..Conditions::default() };
        let hold = |text: &str| here.hold(&syn::parse_str(text).unwrap());
        assert_eq!(hold("all(unix, target_os = \"linux\")"), Some(true));
        assert_eq!(hold("any(windows, target_os = \"macos\")"), Some(false));
        assert_eq!(hold("target_feature = \"sse2\""), None);
    }
}
