//! Sources laid out as people do.

/// The text laid out by prettyplease; `None` if syn cannot parse it. Comments get lost.
///
/// ```
/// assert_eq!(cargo_reduce::passes::pretty("fn f( ){x}").as_deref(), Some("fn f() {\n    x\n}\n"));
/// assert_eq!(cargo_reduce::passes::pretty("fn f("), None);
/// ```
#[must_use]
pub fn pretty(text: &str) -> Option<String> {
    let file = syn::parse_file(text).ok();
    proc_macro2::extra::invalidate_current_thread_spans();
    file.map(|file| prettyplease::unparse(&file))
}
