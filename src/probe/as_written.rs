//! Text that shows the source of a test, without the words of the probe.

use std::borrow::Cow;

use super::rewrite::RUNTIME;

/// `text` with what calls of the runtime were written around: of `stringify!(rows[crate::__cargo_reduce::num(3, 0)])`, the
/// message shows the source of the probe, `rows[0]` in the original.
pub fn as_written(text: &str) -> Cow<'_, str> {
    let mut left = Cow::Borrowed(text);
    while let Some(call) = last_call(&left) {
        left = Cow::Owned([&left[..call.start], &left[call.value], &left[call.end..]].concat());
    }
    left
}

/// A call of the runtime in a text.
struct Call {
    start: usize,
    /// The bytes of the value that was there before.
    value: std::ops::Range<usize>,
    end: usize,
}

/// The last call that begins: no other one stands in its value.
fn last_call(text: &str) -> Option<Call> {
    let start = text.rfind(RUNTIME)?;
    let rest = &text[start + RUNTIME.len()..];
    let (head, _) = rest.split_once(", ")?;
    let (function, number) = head.strip_prefix("::")?.split_once('(')?;
    let is_call = function.chars().all(|it| it.is_ascii_lowercase() || it == '_')
        && number.chars().all(|it| it.is_ascii_digit());
    if !is_call {
        return None;
    }
    let value = start + RUNTIME.len() + head.len() + 2;
    let end = value + closing(&text[value..])?;
    Some(Call { start, value: value..end, end: end + 1 })
}

/// Where the parenthesis closes that is open at the start of a text.
fn closing(text: &str) -> Option<usize> {
    let (mut depth, mut is_quoted, mut is_escaped) = (0_usize, false, false);
    for (at, it) in text.char_indices() {
        match it {
            _ if is_escaped => is_escaped = false,
            '\\' if is_quoted => is_escaped = true,
            '"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            '(' | '[' | '{' => depth += 1,
            ')' if depth == 0 => return Some(at),
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_of_the_runtime_are_what_they_were_written_around() {
        let shown = format!(
            "after[{RUNTIME}::num(59, 0)].f({RUNTIME}::list(3, [{RUNTIME}::text(4, \"a)\\\"\")])) is at 3, not at 4"
        );
        assert_eq!(as_written(&shown), "after[0].f([\"a)\\\"\"]) is at 3, not at 4");
        for other in ["no words", &format!("{RUNTIME}::num"), &format!("{RUNTIME}::num(1, 2")] {
            assert_eq!(as_written(other), *other);
        }
    }
}
