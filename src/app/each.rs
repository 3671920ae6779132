//! One job after the other, where several tests are to be reduced.

use std::time::Instant;

use super::exit::Exit;
use super::failure::Result;
use super::find::Wanted;
use super::session::Session;
use crate::report::{Event, Status};

/// Does `job` to each of the tests, which share the time that the user gives. What prevents one of several is told, and the
/// others go on.
///
/// # Errors
/// When it is the only test and cannot be reduced, or the user stops.
pub fn each(
    session: &Session,
    wanted: &[Wanted],
    job: impl Fn(&Session, &Wanted) -> Result<Exit>,
) -> Result<Exit> {
    if let [only] = wanted {
        return job(session, only);
    }
    let begun = Instant::now();
    let mut exit = Exit::Done;
    for (at, one) in wanted.iter().enumerate() {
        session.begin();
        let name = one.name().to_owned();
        session.tell(&Event::Test { number: at + 1, of: wanted.len(), name });
        let config = session.config.sharing(begun.elapsed(), wanted.len() - at);
        let ended = match job(&session.with(config), one) {
            Err(failure) if failure.status != Status::Interrupted => {
                session.warn(format!("{} was not reduced: {}", one.name(), failure.message));
                for hint in &failure.hints {
                    session.warn(hint.clone());
                }
                let summary = session.counts().summary_of(&failure);
                session.tell(&Event::Summary(summary));
                Exit::of_failure(&failure)
            }
            ended => ended?,
        };
        exit = exit.and(ended);
        if exit == Exit::Interrupted {
            break;
        }
    }
    session.tell(&Event::End);
    Ok(exit)
}
