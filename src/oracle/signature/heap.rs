//! Damage to the heap, which shows in many ways.

use super::{FailureKind, Signature};

/// Beginnings of the lines with which glibc's allocator ends a process whose heap was written over.
pub const ALLOCATOR_COMPLAINTS: [&str; 8] = [
    "double free or corruption",
    "free(): ",
    "malloc(): ",
    "realloc(): ",
    "malloc_consolidate(): ",
    "corrupted ",
    "munmap_chunk(): ",
    "Fatal glibc error: malloc",
];
/// Beginnings of the words of a process that found a value damaged that it was about to use or drop.
const DAMAGED_VALUE: [&str; 2] =
    ["thread caused non-unwinding panic", "panic in a destructor during cleanup"];
/// The signals of a process that uses what damage has left in place of a pointer.
const WILD_POINTER: [&str; 2] = ["SIGSEGV", "SIGBUS"];

/// Whether the allocator has ended the process.
fn is_complaint(signature: &Signature) -> bool {
    begins_with(signature, &ALLOCATOR_COMPLAINTS)
}

fn begins_with(signature: &Signature, known: &[&str]) -> bool {
    let mut known = known.iter();
    signature.kind == FailureKind::Abort && known.any(|words| signature.message.starts_with(words))
}

/// Whether both are signs of a damaged heap. What is written over decides which one shows: the next chunk's size, a
/// list of free chunks, somebody's pointer. That differs with the length of a path in the environment, so that the
/// very same run shows one in the user's tree and another one in the scratch copy.
pub fn is_same_damage(original: &Signature, candidate: &Signature) -> bool {
    let wild = candidate.kind == FailureKind::Signal && WILD_POINTER.contains(&&*candidate.message);
    let damaged = begins_with(candidate, &DAMAGED_VALUE);
    is_complaint(original) && (wild || damaged || is_complaint(candidate))
}

/// The failure to hold on to where a run shows `shown` for the original: of a damaged heap the original one, as it shows in
/// another way each time.
pub fn told_of_damage<'s>(original: &'s Signature, shown: &'s Signature) -> &'s Signature {
    if is_same_damage(original, shown) { original } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_heap_shows_in_many_ways() {
        let abort = |message: &str| Signature::new(FailureKind::Abort, message);
        let signal = |message: &str| Signature::new(FailureKind::Signal, message);
        let original = abort("malloc(): corrupted top size");
        let same = |candidate: &Signature| is_same_damage(&original, candidate);
        assert!(same(&abort("munmap_chunk(): invalid pointer")));
        assert!(same(&signal("SIGSEGV")));
        assert!(same(&abort("thread caused non-unwinding panic. aborting.")));
        assert!(!same(&signal("SIGFPE")));
        assert!(!same(&abort("stack overflow")));
        assert!(!same(&Signature::new(FailureKind::Panic, "free(): invalid size")));
        let null = signal("SIGSEGV");
        assert!(!is_same_damage(&null, &original), "it may be a null pointer");
    }
}
