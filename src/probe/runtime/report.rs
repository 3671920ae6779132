// The part that all runtimes share which call a test: what a test function may return, and whether that is a failure. It
// stands as the module `report`. The same rules hold as for the runtimes around it.

extern crate std;

use self::std::fmt::Debug;
use self::std::option::Option::{self, None, Some};
use self::std::prelude::v1::*;

/// What a test function may return.
pub trait Report {
    fn report(self) -> Option<String>;
}

impl Report for () {
    fn report(self) -> Option<String> {
        None
    }
}

impl Report for self::std::process::ExitCode {
    fn report(self) -> Option<String> {
        let code = self::std::format!("{:?}", self);
        let success = self::std::format!("{:?}", self::std::process::ExitCode::SUCCESS);
        if code == success { None } else { Some(code) }
    }
}

impl<T: Report, E: Debug> Report for self::std::result::Result<T, E> {
    fn report(self) -> Option<String> {
        match self {
            Ok(value) => value.report(),
            Err(error) => Some(self::std::format!("{:?}", error)),
        }
    }
}
