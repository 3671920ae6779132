//! The values of options, with what the help says of each.

use clap::ValueEnum;
use clap::builder::PossibleValue;

use crate::app::config::{ContrastChoice, ForcedTier, PropertyFramework, TextStrategy};
use crate::exec::Mode;
use crate::oracle::ice::Errors;

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

values! { ForcedTier:
    InProcess = "in-process", "Again and again inside one process";
    Process = "process", "A process for each candidate";
    Rebuild = "rebuild", "A build for each candidate";
}

values! { ContrastChoice:
    Auto = "auto", "What there is: inputs similar to the failing ones that pass today, and tests where those do not tell enough";
    None = "none", "Nothing: the smallest source with the same failure, which may no longer have the bug";
    Inputs = "inputs", "Inputs similar to the failing ones that pass today";
    Tests = "tests", "The nearest tests of the target or its library that pass today and run what the failing one runs";
}

values! { TextStrategy:
    Hdd = "hdd", "By their derivation tree, level by level";
    Perses = "perses", "By their derivation tree, node by node";
    Choices = "choices", "By the choices that lead to their derivation tree";
    Chars = "chars", "By characters, words, lines and brackets";
    Auto = "auto", "By their derivation tree, then by characters";
}

values! { PropertyFramework:
    Proptest = "proptest", "The crate `proptest`";
}

values! { Mode:
    Strict = "strict", "Only with namespaces, and without a loopback unless it is allowed";
    Default = "default", "With what the system has; not without anything";
    Off = "off", "Not at all";
}

values! { Errors:
    Keep = "keep", "There may be some if the original has some";
    Allow = "allow", "They do not matter";
    Forbid = "forbid", "There must be none";
}
