//! The thread from which long-lived children are started.
//!
//! Linux kills a child on the death of the *thread* that started it, where one would expect the
//! process. A worker that starts a child for others to use may well end before it, so such children
//! are started from a thread that ends only with the process.

use std::sync::LazyLock;
use std::sync::mpsc::{Sender, channel};

type Task = Box<dyn FnOnce() + Send>;

static STARTER: LazyLock<Sender<Task>> = LazyLock::new(|| {
    let (sender, tasks) = channel::<Task>();
    std::thread::spawn(move || {
        for task in tasks {
            task();
        }
    });
    sender
});

/// Runs `start` on the thread that never ends, and hands back what it answers; `None` when that
/// thread is gone, which only a panic in an earlier `start` can have caused.
pub(super) fn on_lasting_thread<T: Send + 'static>(
    start: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let (answer, answers) = channel();
    let task = move || {
        // Nobody waits for an answer any more only when the asking thread has died.
        let _ = answer.send(start());
    };
    STARTER.send(Box::new(task)).ok()?;
    answers.recv().ok()
}
