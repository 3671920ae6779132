//! What the help says of several options: a heading, and their values.

use clap::ValueEnum;
use clap::builder::PossibleValue;

use crate::app::config::{ContrastChoice, PropertyFramework, TextStrategy};
use crate::exec::Mode;
use crate::oracle::ice::Errors;
use crate::source::Tier;

/// The heading of the options that say what is reduced, and to what.
pub(super) const REDUCE: &str = "What to reduce";

/// Names the values of an enum that knows nothing of the command line.
macro_rules! values {
    ($of:ident: $($value:ident = $name:literal, $help:literal;)*) => {
        impl ValueEnum for $of {
            fn value_variants<'a>() -> &'a [Self] {
                &[$($of::$value),*]
            }

            fn to_possible_value(&self) -> Option<PossibleValue> {
                Some(match self {
                    $($of::$value => PossibleValue::new($name).help($help),)*
                })
            }
        }
    };
}

values! { Tier:
    InProcess = "in-process", "Many candidates in one process";
    Process = "process", "A new process for each candidate";
    Rebuild = "rebuild", "A new build for each candidate";
}

values! { ContrastChoice:
    Auto = "auto", "Similar inputs, and tests where these are not enough";
    None = "none", "Nothing: the result is smaller, but may no longer contain the bug";
    Inputs = "inputs", "Inputs similar to the failing ones, with which the test passes today";
    Tests = "tests", "Passing tests of the same target or library that run the same code as the failing test";
}

values! { TextStrategy:
    Hdd = "hdd", "By the derivation tree, level by level";
    Perses = "perses", "By the derivation tree, node by node";
    Choices = "choices", "By the choices that produce the derivation tree";
    Chars = "chars", "By brackets, lines, words and characters";
    Auto = "auto", "By the derivation tree, then by characters";
}

values! { PropertyFramework:
    Proptest = "proptest", "The crate `proptest`";
}

values! { Mode:
    Strict = "strict", "User namespaces, without loopback network (see --allow); an error if not available";
    Default = "default", "The best that the system has; an error if it has none";
    Off = "off", "No sandbox";
}

values! { Errors:
    Keep = "keep", "Errors may stay if the original has some";
    Allow = "allow", "Errors are ignored";
    Forbid = "forbid", "No errors are accepted";
}
