//! Candidates that destroy what they run in: a test may delete whatever folder its input names.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::exec::{ExecError, Job};
use crate::reduce::Answer;

/// What is put back may be taken away at once by a candidate that runs beside, or be open for writing a moment
/// longer in a child that is started just then.
const TRIES: u32 = 100;
const PAUSE: Duration = Duration::from_millis(5);

type PutBack = dyn Fn() -> Answer<()> + Send + Sync;

/// Puts back what candidates have taken away. The default one cannot.
#[derive(Clone, Default)]
pub struct ScratchRestorer(Option<Arc<PutBack>>);

impl ScratchRestorer {
    /// Puts things back by `put_back`, which may be called from several threads at once.
    pub fn by(put_back: impl Fn() -> Answer<()> + Send + Sync + 'static) -> Self {
        ScratchRestorer(Some(Arc::new(put_back)))
    }

    /// Does `start`; where that fails because the program or its folder is gone, again with these put back.
    ///
    /// # Errors
    /// Those of `start`, and trouble of putting things back.
    pub fn start<T>(&self, mut start: impl FnMut() -> Result<T, ExecError>) -> Answer<T> {
        let mut left = TRIES;
        loop {
            match (start(), &self.0) {
                (Err(error), Some(put_back)) if error.lacks_its_program() && left > 0 => {
                    put_back()?;
                }
                (answer, _) => return Ok(answer?),
            }
            left -= 1;
            std::thread::sleep(PAUSE);
        }
    }
}

impl fmt::Debug for ScratchRestorer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ScratchRestorer").field(&self.0.is_some()).finish()
    }
}

/// Whether the program of a job and the folder that it runs in are there.
pub fn is_there(job: &Job) -> bool {
    job.program.exists() && job.cwd.as_ref().is_none_or(|cwd| cwd.exists())
}
