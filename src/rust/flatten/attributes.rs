//! The attributes that say which files and configurations items belong to.

use syn::Attribute;

pub(crate) fn inner(attributes: &[Attribute]) -> impl Iterator<Item = &Attribute> {
    let is_inner = |attribute: &&Attribute| matches!(attribute.style, syn::AttrStyle::Inner(_));
    attributes.iter().filter(is_inner)
}

/// `#[cfg(test)]`, which holds for the test's own crate alone, and `#[test]`.
pub(crate) fn is_for_tests(attribute: &Attribute) -> bool {
    attribute.path().is_ident("test") || has_condition(attribute, "test")
}

pub(crate) fn is_not_for_tests(attribute: &Attribute) -> bool {
    has_condition(attribute, "not (test)") || has_condition(attribute, "not(test)")
}

pub(crate) fn has_condition(attribute: &Attribute, condition: &str) -> bool {
    attribute.path().is_ident("cfg")
        && matches!(&attribute.meta, syn::Meta::List(list) if list.tokens.to_string() == condition)
}

/// `#[doc = include_str!("…")]`, where the path is one from another folder.
pub(crate) fn is_doc_from_file(attribute: &Attribute) -> bool {
    attribute.path().is_ident("doc")
        && matches!(&attribute.meta, syn::Meta::NameValue(pair) if !matches!(pair.value, syn::Expr::Lit(_)))
}
