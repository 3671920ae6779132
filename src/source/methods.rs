//! What methods of the standard library do, by their names.

/// Whether a method gives the same value in another form.
pub(crate) fn is_same(method: &str) -> bool {
    is_among("to_string to_owned into to_vec clone as_str as_slice as_bytes as_ref", method)
}

/// Whether a method converts or measures a value.
pub(crate) fn is_conversion(method: &str) -> bool {
    is_same(method)
        || is_among("as_deref len iter is_empty copied cloned abs abs_diff round", method)
}

/// Whether a method brings values into another form, or goes through them element by element and puts them together again.
pub(crate) fn changes_form(method: &str) -> bool {
    let adapters = "map into_iter chars bytes collect unwrap as_deref_mut rev step_by";
    is_conversion(method) || is_among(adapters, method)
}

/// Whether a method goes through the parts of what it is called on.
pub(crate) fn takes_apart(method: &str) -> bool {
    goes_through(method)
        || is_among("lines chars bytes char_indices split split_whitespace", method)
}

/// Whether a method goes through the elements of what it is called on, and changes none.
pub(crate) fn goes_through(method: &str) -> bool {
    is_among("iter into_iter enumerate copied cloned rev", method)
}

/// Whether a method looks at a value that can change.
pub(crate) fn only_reads(method: &str) -> bool {
    let is_view = method.starts_with("as_") || method.starts_with("to_");
    let reads = "len iter clone is_empty get first last contains chars bytes lines concat join into_iter into";
    (is_view && !method.contains("mut")) || is_among(reads, method)
}

/// Whether a method compares its receiver with its arguments.
pub(crate) fn only_compares(method: &str) -> bool {
    is_among("contains starts_with ends_with eq ne", method)
}

/// Whether a method asks something that cannot fail.
pub(crate) fn only_asks(method: &str) -> bool {
    let asks = "len is_empty is_some is_none is_ok is_err contains contains_key starts_with ends_with count";
    let converts = "as_deref as_ref as_str to_string to_owned to_vec iter";
    is_among(asks, method) || is_among(converts, method)
}

/// Whether a method of a text looks for its argument, or cuts by it.
pub(crate) fn is_search(method: &str) -> bool {
    let looks = "find rfind matches match_indices starts_with ends_with replace replacen";
    let splits =
        "split rsplit splitn rsplitn split_once rsplit_once split_terminator split_inclusive";
    let strips = "strip_prefix strip_suffix trim_matches trim_start_matches trim_end_matches";
    [looks, splits, strips].iter().any(|names| is_among(names, method))
}

/// Whether a method of a list or text only looks at a part of it.
pub(crate) fn takes_part(method: &str) -> bool {
    let parts = "windows chunks chunks_exact rchunks take skip step_by unwrap_or";
    let numbers = "saturating_sub saturating_add wrapping_sub wrapping_add checked_sub checked_add \
                   pow powi rem_euclid abs_diff min max clamp";
    is_search(method) || is_among(parts, method) || is_among(numbers, method)
}

/// Whether a method of a number mixes its bits, as generators of random numbers and checksums do.
pub(crate) fn is_mixing(method: &str) -> bool {
    let mixes = "wrapping_mul wrapping_add wrapping_sub overflowing_mul rotate_left rotate_right rem_euclid";
    is_among(mixes, method)
}

/// Whether a name is one of those that stand in a text, with blanks between them.
pub(crate) fn is_among(names: &str, name: &str) -> bool {
    names.split_whitespace().any(|other| other == name)
}
