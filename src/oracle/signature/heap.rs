//! Damage to the heap, which shows in many ways.

use super::{FailureKind, Signature};

/// Beginnings of the lines with which glibc's allocator ends a process whose heap was written over.
pub const ALLOCATOR_COMPLAINTS: [&str; 7] = [
    "double free or corruption",
    "free(): ",
    "malloc(): ",
    "realloc(): ",
    "malloc_consolidate(): ",
    "corrupted ",
    "munmap_chunk(): ",
];
/// The signals of a process that uses what damage has left in place of a pointer.
const WILD_POINTER: [&str; 2] = ["SIGSEGV", "SIGBUS"];

/// Whether the allocator has ended the process.
fn is_complaint(signature: &Signature) -> bool {
    let mut known = ALLOCATOR_COMPLAINTS.iter();
    signature.kind == FailureKind::Abort && known.any(|words| signature.message.starts_with(words))
}

/// Whether both are signs of a damaged heap. What is written over decides which one shows: the next chunk's size, a
/// list of free chunks, somebody's pointer. That differs with the length of a path in the environment, so that the
/// very same run shows one in the user's tree and another one in the scratch copy.
#[must_use]
pub fn is_same_damage(original: &Signature, candidate: &Signature) -> bool {
    let wild = candidate.kind == FailureKind::Signal && WILD_POINTER.contains(&&*candidate.message);
    is_complaint(original) && (wild || is_complaint(candidate))
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
        assert!(!same(&signal("SIGFPE")));
        assert!(!same(&abort("stack overflow")));
        assert!(!same(&Signature::new(
            FailureKind::Panic,
            "free(): invalid size"
        )));
        let null = signal("SIGSEGV");
        assert!(
            !is_same_damage(&null, &original),
            "it may be a null pointer"
        );
    }
}
