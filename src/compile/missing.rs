//! What an error of the compiler says is not there any more.

use crate::project::Diagnostic;
use crate::rust::scan;

/// Errors that say that something is not there any more; their messages name it.
const MISSING: [&str; 30] = [
    "E0004", "E0027", "E0046", "E0063", "E0117", "E0220", "E0277", "E0368", "E0369", "E0404",
    "E0405", "E0407", "E0412", "E0422", "E0423", "E0425", "E0426", "E0432", "E0433", "E0437",
    "E0531", "E0532", "E0559", "E0560", "E0574", "E0576", "E0599", "E0600", "E0608", "E0609",
];

/// How remarks name a trait and the type that does not implement it: what stands before the names and between them.
const UNIMPLEMENTED: [(&str, &str); 2] = [
    ("the trait `", "` is not implemented for `"),
    ("an implementation of `", "` might be missing for `"),
];

/// What follows in a remark the name of a trait that is not imported.
const NOT_IMPORTED: &str = "` which provides `";

/// What stands around a bound that forbids a call, where it is the only one.
const NOT_SATISFIED: (&str, &str) = ("trait bound `", "` was not satisfied");

/// What stands above the bounds that forbid a call, each on a line of its own.
const UNSATISFIED: &str = "trait bounds were not satisfied:";

/// How messages begin that name an operator, and the trait that it stands for.
const OPERATORS: [(&str, &str); 6] = [
    ("cannot add", "Add"),
    ("cannot subtract", "Sub"),
    ("cannot multiply", "Mul"),
    ("cannot divide", "Div"),
    ("cannot calculate the remainder", "Rem"),
    ("cannot index into", "Index"),
];

/// The names of what is missing: of a trait and its type rather than of what needs it. None where `error` says
/// of nothing that it is missing.
pub(super) fn missing(error: &Diagnostic) -> Vec<String> {
    let is_of_missing = match error.code.as_deref() {
        Some(code) => MISSING.contains(&code),
        // Macros, attributes and derives that are not there; else nothing but what it is not says what stands there.
        None => error.message.starts_with("cannot find "),
    };
    if !is_of_missing {
        return Vec::new();
    }
    if let Some(words) = unimplemented(&error.rendered) {
        return words;
    }
    let operator = OPERATORS.iter().find(|(message, _)| error.message.starts_with(message));
    let operator = operator.map(|(_, name)| (*name).to_owned());
    operator.into_iter().chain(quoted_words(&error.message)).collect()
}

/// Whether an error only says that there were others.
pub(super) fn is_summary(error: &Diagnostic) -> bool {
    error.spans.is_empty() && error.message.starts_with("aborting due to ")
}

/// The trait and the type of the first remark that names both, or a trait that is not imported.
fn unimplemented(rendered: &str) -> Option<Vec<String>> {
    let of_remark = |line: &str| {
        if let Some((name, _)) = line.split_once(NOT_IMPORTED) {
            return Some(quoted_words(&format!("{name}`")));
        }
        if let Some((bound, _)) =
            line.split_once(NOT_SATISFIED.0).and_then(|(_, rest)| rest.split_once(NOT_SATISFIED.1))
        {
            return Some(quoted_words(&format!("`{bound}`")));
        }
        UNIMPLEMENTED.iter().find_map(|(before, between)| {
            let (name, after) = line.split_once(before)?.1.split_once(between)?;
            let (of, _) = after.split_once('`')?;
            Some(quoted_words(&format!("`{name}` `{of}`")))
        })
    };
    let of_bounds = || {
        let bounds = rendered.split_once(UNSATISFIED)?.1;
        let bound = bounds.lines().map(str::trim).find(|line| !line.is_empty());
        Some(quoted_words(bound?))
    };
    rendered.lines().find_map(of_remark).or_else(of_bounds)
}

/// The names between backticks, the last ones of paths, and the numbers: `Bits` is implemented for `Row<8>`, maybe, but not for
/// `Row<16>`.
fn quoted_words(message: &str) -> Vec<String> {
    let quoted = message.split('`').skip(1).step_by(2);
    quoted
        .flat_map(|part| part.split(|symbol| !scan::is_word(symbol) && symbol != ':'))
        .filter_map(|path| path.trim_end_matches(':').rsplit(':').next())
        .filter(|word| scan::is_number(word) || word.len() > 1 && scan::is_name(word))
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(code: &str, message: &str, remarks: &str) -> Vec<String> {
        missing(&Diagnostic {
            message: message.to_owned(),
            rendered: format!("error[{code}]: {message}\n{remarks}"),
            code: Some(code.to_owned()),
            ..Diagnostic::default()
        })
    }

    #[test]
    fn the_words_that_a_message_names_are_found() {
        assert_eq!(
            quoted_words("the trait bound `my::Type: Clone` is not satisfied in `x`"),
            ["Type", "Clone"]
        );
        assert_eq!(
            quoted_words(
                "no method `push` for `&mut rrb::Node<_, Self>`; unresolved `crate::a::Bee`"
            ),
            ["push", "Node", "Bee"]
        );
        assert_eq!(quoted_words("`Row<16>: Bits` is not satisfied, see 2"), ["Row", "16", "Bits"]);
    }

    #[test]
    fn a_trait_that_is_not_implemented_counts_rather_than_what_needs_it() {
        let said = "cannot multiply `&Big` by `u32`";
        assert_eq!(words("E0369", said, ""), ["Mul", "Big", "u32"]);
        let said = "binary assignment operation `+=` cannot be applied to type `Big`";
        let note = "note: an implementation of `AddAssign` might be missing for `Big`\n";
        assert_eq!(words("E0368", said, note), ["AddAssign", "Big"]);
        let said = "`Big` doesn't implement `std::fmt::Display`";
        let help = "   = help: the trait `std::fmt::Display` is not implemented for `Big`\n";
        assert_eq!(words("E0277", said, help), ["Display", "Big"]);
        let said = "the method `get` exists for struct `HashMap<Big, u8>`, but its trait bounds were not satisfied";
        let note = "   = note: the following trait bounds were not satisfied:\n           `Big: Eq`\n           `Big: Hash`\n";
        assert_eq!(words("E0599", said, note), ["Big", "Eq"]);
        let said = "the method `name` exists for reference `&Big<T>`, but its trait bounds were not satisfied";
        let note = "note: trait bound `T: Named<u8>` was not satisfied\n";
        assert_eq!(words("E0599", said, note), ["Named", "u8"]);
        let said = "no method named `is_truthy` found for type `u8` in the current scope";
        let help = "help: trait `Truthy` which provides `is_truthy` is implemented but not in scope; perhaps you want to import it\n";
        assert_eq!(words("E0599", said, help), ["Truthy"]);
    }

    #[test]
    fn errors_of_other_kinds_name_nothing_that_is_missing() {
        let none: [&str; 0] = [];
        assert_eq!(words("E0308", "expected `u8`, found `Big` `Clone`", ""), none);
        let without_code = |message: &str| {
            missing(&Diagnostic { message: message.to_owned(), ..Diagnostic::default() })
        };
        assert_eq!(without_code("expected one of `;` or `{`, found `panic`"), none);
        assert_eq!(without_code("cannot find macro `row` in this scope"), ["row"]);
    }
}
