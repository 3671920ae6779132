//! Where the files of a module are.

/// Where the files of modules are looked for.
#[derive(Clone)]
pub(crate) struct Children {
    /// The folder of the file.
    pub(crate) own: String,
    /// The folder for modules whose path is told here.
    pub(crate) file: String,
    /// The folder for modules that are declared here.
    pub(crate) modules: String,
}

impl Children {
    /// Of a root file, of `mod.rs`, and of a file that `#[path]` names.
    pub(crate) fn beside(file: &str) -> Self {
        let folder = folder(file).to_owned();
        Children {
            own: folder.clone(),
            file: folder.clone(),
            modules: folder,
        }
    }

    /// Of any other file.
    pub(crate) fn below(file: &str) -> Self {
        Children {
            own: folder(file).to_owned(),
            file: folder(file).to_owned(),
            modules: file.strip_suffix(".rs").unwrap_or(file).to_owned(),
        }
    }

    /// Of a module with a body.
    pub(crate) fn within(&self, name: &str) -> Self {
        let modules = join(&self.modules, name);
        Children {
            own: self.own.clone(),
            file: modules.clone(),
            modules,
        }
    }
}

/// A path as seen from a folder, where both start at the same place.
pub(crate) fn relative(folder: &str, path: &str) -> String {
    let from: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    let to: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let shared = { from.iter().zip(&to) }
        .take_while(|(one, other)| one == other)
        .count();
    let up = std::iter::repeat_n("..", from.len() - shared);
    let all: Vec<&str> = up.chain(to[shared..].iter().copied()).collect();
    all.join("/")
}

/// The folder of a file.
pub(crate) fn folder(file: &str) -> &str {
    file.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// A path below a folder, without `.` and `..`.
pub(crate) fn join(folder: &str, path: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    if folder.starts_with('/') {
        format!("/{joined}")
    } else {
        joined
    }
}
