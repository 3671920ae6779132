//! What methods of the standard library do, by their names.

/// Whether a method gives the same value in another form.
pub(crate) fn is_same(method: &str) -> bool {
    matches!(
        method,
        "to_string"
            | "to_owned"
            | "into"
            | "to_vec"
            | "clone"
            | "as_str"
            | "as_slice"
            | "as_bytes"
            | "as_ref"
    )
}

/// Whether a method converts or measures a value.
pub(crate) fn is_conversion(method: &str) -> bool {
    is_same(method)
        || matches!(
            method,
            "as_deref"
                | "len"
                | "iter"
                | "is_empty"
                | "copied"
                | "cloned"
                | "abs"
                | "abs_diff"
                | "round"
        )
}

/// Whether a method brings values into another form, or element by element.
pub(crate) fn changes_form(method: &str) -> bool {
    is_conversion(method) || is_adapter(method)
}

/// Whether a method goes through values and puts them together again.
fn is_adapter(method: &str) -> bool {
    matches!(
        method,
        "map"
            | "into_iter"
            | "chars"
            | "bytes"
            | "collect"
            | "unwrap"
            | "as_deref_mut"
            | "rev"
            | "step_by"
    )
}

/// Whether a method goes through the elements of what it is called on, and changes none.
pub(crate) fn goes_through(method: &str) -> bool {
    matches!(method, "iter" | "into_iter" | "enumerate" | "copied" | "cloned" | "rev")
}

/// Whether a method looks at a value that can change.
pub(crate) fn only_reads(method: &str) -> bool {
    let is_view = method.starts_with("as_") || method.starts_with("to_");
    (is_view && !method.contains("mut"))
        || matches!(
            method,
            "len"
                | "iter"
                | "clone"
                | "is_empty"
                | "get"
                | "first"
                | "last"
                | "contains"
                | "chars"
                | "bytes"
                | "lines"
                | "concat"
                | "join"
                | "into_iter"
                | "into"
        )
}

/// Whether a method compares its receiver with its arguments.
pub(crate) fn only_compares(method: &str) -> bool {
    matches!(method, "contains" | "starts_with" | "ends_with" | "eq" | "ne")
}

/// Whether a method asks something that cannot fail.
pub(crate) fn only_asks(method: &str) -> bool {
    matches!(
        method,
        "len"
            | "is_empty"
            | "is_some"
            | "is_none"
            | "is_ok"
            | "is_err"
            | "contains"
            | "contains_key"
            | "starts_with"
            | "ends_with"
            | "as_deref"
            | "as_ref"
            | "as_str"
            | "to_string"
            | "to_owned"
            | "to_vec"
            | "iter"
            | "count"
    )
}

/// Whether a method of a text looks for its argument, or cuts by it.
pub(crate) fn is_search(method: &str) -> bool {
    matches!(
        method,
        "find"
            | "rfind"
            | "split"
            | "rsplit"
            | "splitn"
            | "rsplitn"
            | "split_once"
            | "rsplit_once"
            | "split_terminator"
            | "split_inclusive"
            | "strip_prefix"
            | "strip_suffix"
            | "starts_with"
            | "ends_with"
            | "trim_matches"
            | "trim_start_matches"
            | "trim_end_matches"
            | "matches"
            | "match_indices"
            | "replace"
            | "replacen"
    )
}

/// Whether a method of a list or text only looks at a part of it.
pub(crate) fn takes_part(method: &str) -> bool {
    is_search(method)
        || matches!(
            method,
            "windows"
                | "chunks"
                | "chunks_exact"
                | "rchunks"
                | "take"
                | "skip"
                | "step_by"
                | "saturating_sub"
                | "saturating_add"
                | "wrapping_sub"
                | "wrapping_add"
                | "checked_sub"
                | "checked_add"
                | "pow"
                | "powi"
                | "rem_euclid"
                | "abs_diff"
                | "min"
                | "max"
                | "clamp"
                | "unwrap_or"
        )
}

/// Whether a method of a number mixes its bits, as generators of random numbers and checksums do.
pub(crate) fn is_mixing(method: &str) -> bool {
    matches!(
        method,
        "wrapping_mul"
            | "wrapping_add"
            | "wrapping_sub"
            | "overflowing_mul"
            | "rotate_left"
            | "rotate_right"
            | "rem_euclid"
    )
}
