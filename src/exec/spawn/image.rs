//! The program of a job, in the form in which the kernel takes it.

use std::collections::BTreeMap;
use std::ffi::{CString, OsStr, OsString, c_char};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use crate::exec::Job;

/// Where programs are looked for when there is no `PATH`.
const DEFAULT_PATH: &str = "/bin:/usr/bin";

/// Everything `execve` needs, so that a child can call it without allocating.
pub(super) struct Image {
    /// The files that the program may be, to be tried in order.
    pub(super) programs: Vec<CString>,
    args: Vec<CString>,
    env: Vec<CString>,
    /// Where it starts.
    pub(super) cwd: Option<CString>,
}

impl Image {
    /// The image of a job.
    pub(super) fn new(job: &Job) -> io::Result<Image> {
        let own = || std::env::vars_os().collect();
        let mut env: BTreeMap<OsString, OsString> = job.base_env.clone().unwrap_or_else(own);
        for (name, value) in &job.env {
            match value {
                Some(value) => env.insert(name.clone(), value.clone()),
                None => env.remove(name),
            };
        }
        let path = env.get(OsStr::new("PATH"));
        let programs = candidates(job.program.as_os_str(), path.map(OsString::as_os_str));
        let programs = programs.into_iter().map(|text| CString::new(text.into_vec()));
        let variable = |(name, value): (OsString, OsString)| {
            let bytes = [name.into_vec(), value.into_vec()].join(&b'=');
            CString::new(bytes)
        };
        let args = std::iter::once(job.program.as_os_str())
            .chain(job.args.iter().map(OsString::as_os_str));
        Ok(Image {
            programs: programs.collect::<Result<_, _>>()?,
            args: args.map(|arg| CString::new(arg.as_bytes())).collect::<Result<_, _>>()?,
            env: env.into_iter().map(variable).collect::<Result<_, _>>()?,
            cwd: job
                .cwd
                .as_ref()
                .map(|cwd| CString::new(cwd.as_os_str().as_bytes()))
                .transpose()?,
        })
    }

    /// Pointers to the arguments, valid as long as the image is.
    pub(super) fn args(&self) -> Vec<*const c_char> {
        pointers(&self.args)
    }

    /// Pointers to the environment, valid as long as the image is.
    pub(super) fn env(&self) -> Vec<*const c_char> {
        pointers(&self.env)
    }
}

/// A name without a slash is looked up in `path`, as a shell does.
fn candidates(program: &OsStr, path: Option<&OsStr>) -> Vec<OsString> {
    if program.as_bytes().contains(&b'/') {
        return vec![program.to_owned()];
    }
    let path = path.unwrap_or(OsStr::new(DEFAULT_PATH));
    std::env::split_paths(path).map(|folder| folder.join(program).into_os_string()).collect()
}

/// A list of pointers that ends with a null pointer.
fn pointers(texts: &[CString]) -> Vec<*const c_char> {
    let texts = texts.iter().map(|text| text.as_ptr());
    texts.chain(std::iter::once(std::ptr::null())).collect()
}
