//! Which conditions of `cfg` attributes hold where a source is compiled.

use std::collections::BTreeSet;

use syn::punctuated::Punctuated;
use syn::{Expr, ExprLit, Lit, Meta, Token};

/// What rustc itself says about the target, of which we do not know what holds there.
const OF_TARGET: [&str; 6] =
    ["debug_assertions", "overflow_checks", "proc_macro", "relocation_model", "ub_checks", "panic"];
/// What never holds where a test is compiled to be run as usual.
const NEVER: [&str; 3] = ["doc", "doctest", "miri"];

/// What holds where a crate is compiled.
#[derive(Debug, Clone, Default)]
pub struct Conditions {
    /// The conditions that are set, as `--cfg` has them: `has_std`, `feature="alloc"`.
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
                match held.contains(&Some(decides)) {
                    true => Some(decides),
                    false => (!held.contains(&None)).then_some(!decides),
                }
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
        let is = |here: &str| self.is_for_host.then_some(value == Some(here));
        match name {
            "unix" => self.is_for_host.then_some(cfg!(unix)),
            "windows" => self.is_for_host.then_some(cfg!(windows)),
            "target_os" => is(std::env::consts::OS),
            "target_arch" => is(std::env::consts::ARCH),
            "target_pointer_width" => is(&usize::BITS.to_string()),
            _ if OF_TARGET.contains(&name) => None,
            _ if name.starts_with("target_") || name.starts_with("sanitize") => None,
            _ => Some(self.set.contains(&match value {
                Some(value) => format!("{name}={value:?}"),
                None => name.to_owned(),
            })),
        }
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
        let here = Conditions { is_for_host: true, ..Conditions::default() };
        let system = format!("target_os = \"{}\"", std::env::consts::OS);
        assert_eq!(here.hold(&syn::parse_str(&system).unwrap()), Some(true));
    }
}
