//! The regression test: the smallest test that shows the failure, ready to commit.

use std::fs;
use std::path::Path;

use camino::{Utf8Path, Utf8PathBuf};

use super::failure::Failure;
use super::subject::Subject;
use crate::disk::write_atomic;
use crate::oracle::signature::{Location, Signature};
use crate::project::{Scratch, TargetChoice, TargetKind, finds_tests};
use crate::reduce::inputs::Inputs;
use crate::report::unified_diff;
use crate::source::{
    Edits, FileIndex, InstancesTest, NewFile, NoInstancesTest, Regression, reduced_name,
};

/// A longer message is cut in the comment.
const MESSAGE_CHARS: usize = 200;

/// A regression test that was written into the scratch copy.
#[derive(Debug)]
pub struct Written {
    /// The file for the user: a test file, or a diff.
    pub path: Utf8PathBuf,
    /// The target that holds it in the scratch copy.
    pub target: TargetChoice,
    /// Its name there.
    pub test: String,
    /// The names of the tests of instances, or why there is none, in the order in which they were asked
    /// for.
    pub instances: Vec<Result<String, NoInstancesTest>>,
    /// All edits of the original sources: the reduced inputs, and the test itself if it stands beside
    /// the original.
    pub edits: Vec<(FileIndex, Edits)>,
    regression: Regression,
    place: Place,
}

/// Where a regression test stands.
#[derive(Debug)]
enum Place {
    /// In a file of its own, at this path of the user's tree.
    OwnFile(Utf8PathBuf),
    /// In the original's file, from this byte of the edited text.
    Beside(FileIndex, usize),
}

/// Writes it into the scratch copy, and a diff where it belongs beside the original.
///
/// # Errors
/// When it cannot be written.
pub fn write_regression(
    subject: &Subject,
    scratch: &Scratch,
    best: &Inputs,
    edits: &[(FileIndex, Edits)],
    signature: &Signature,
    tests: &[InstancesTest],
) -> Result<Written, Failure> {
    let header = header(subject, signature);
    let source = (&subject.krate, &subject.located);
    let mut instances = Vec::new();
    let mut add_instances = |regression: &mut Regression| {
        instances = { tests.iter() }
            .map(|test| subject.found.add_instances(source, best, test, regression))
            .collect();
    };
    let written = if let Some(folder) = own_file_folder(subject) {
        let new_file = NewFile {
            directory: folder.as_std_path(),
            header: &header,
        };
        let mut regression =
            { &subject.found }.regression_file(source.0, source.1, best, &new_file);
        add_instances(&mut regression);
        write_file(subject, scratch, edits, regression, &folder)
    } else {
        let mut regression =
            { &subject.found }.regression_beside(source.0, source.1, best, &header);
        add_instances(&mut regression);
        write_beside(subject, scratch, edits, regression)
    };
    Ok(Written {
        instances,
        ..written?
    })
}

fn write_file(
    subject: &Subject,
    scratch: &Scratch,
    edits: &[(FileIndex, Edits)],
    regression: Regression,
    folder: &Utf8Path,
) -> Result<Written, Failure> {
    let name = reduced_name(&subject.test);
    let original = folder.join(format!("{name}.rs"));
    let path = copy_of(scratch, &original)?;
    scratch.write_result(&path, regression.text.as_bytes())?;
    write_read_files(scratch, &regression)?;
    Ok(Written {
        path,
        target: TargetChoice {
            kind: TargetKind::Test,
            name: Some(name),
        },
        test: regression.test.clone(),
        instances: Vec::new(),
        edits: edits.to_vec(),
        regression,
        place: Place::OwnFile(original),
    })
}

fn write_beside(
    subject: &Subject,
    scratch: &Scratch,
    edits: &[(FileIndex, Edits)],
    regression: Regression,
) -> Result<Written, Failure> {
    let Some((file, at)) = regression.insert_at else {
        return Err(Failure::error(
            "the regression test has no place beside the original",
        ));
    };
    let mut all = edits.to_vec();
    let mut own = all
        .iter()
        .position(|(edited, _)| *edited == file)
        .map_or_else(Edits::default, |index| all.swap_remove(index).1);
    own.insert(at, regression.text.clone());
    // The byte after the insertion tells where the insertion ends.
    let start = own.to_new(at) - regression.text.len();
    all.push((file, own));
    write_read_files(scratch, &regression)?;
    let path = scratch
        .root()
        .join(format!("{}.diff", reduced_name(&subject.test)));
    let (text, at) = users_text(subject, file, at)?;
    let mut alone = Edits::default();
    alone.insert(at, regression.text.clone());
    let diff = unified_diff(subject.name(file).as_str(), text, &alone.apply(text));
    scratch.write_result(&path, diff.as_bytes())?;
    Ok(Written {
        path,
        target: subject.target.choice.clone(),
        test: regression.test.clone(),
        instances: Vec::new(),
        edits: all,
        regression,
        place: Place::Beside(file, start),
    })
}

/// The text of the user's file, and where there is what stands at `at` of the test's file.
fn users_text(subject: &Subject, file: FileIndex, at: usize) -> Result<(&str, usize), Failure> {
    match &subject.derived {
        Some(derived) if derived.path == subject.path(file) => {
            let place = derived.insertion(at);
            place.ok_or_else(|| {
                Failure::error("the regression test has no place in the user's tree")
            })
        }
        _ => Ok((&subject.krate.file(file).text, at)),
    }
}

impl Written {
    /// The edits of one of the sources.
    #[must_use]
    pub fn edits_of(&self, subject: &Subject, path: &Utf8Path) -> Edits {
        let edits = { self.edits.iter() }.find(|(file, _)| subject.path(*file) == path);
        edits.map_or_else(Edits::default, |(_, edits)| edits.clone())
    }

    /// The failure with its place mapped back to the original sources.
    #[must_use]
    pub fn mapped_back(&self, subject: &Subject, signature: &Signature) -> Signature {
        let mut mapped = subject.mapped_back(signature, &self.edits);
        if let Some(location) = &signature.location
            && let Some(original) = self.origin(subject, location)
        {
            mapped.location = Some(original);
        }
        mapped
    }

    /// Puts the regression test into the user's own tree; returns the file that was written.
    ///
    /// # Errors
    /// When a file of that name is there already, or it cannot be written.
    pub fn write_to_tree(&self, subject: &Subject) -> Result<Utf8PathBuf, Failure> {
        let (path, content) = match &self.place {
            Place::OwnFile(path)
                if fs::read_to_string(path).is_ok_and(|there| there != self.regression.text) =>
            {
                return Err(Failure::error(format!("`{path}` is there already"))
                    .hint("rename or remove it"));
            }
            Place::OwnFile(path) => (path.clone(), self.regression.text.clone()),
            Place::Beside(file, _) => {
                let at = self.regression.insert_at.map_or(0, |(_, at)| at);
                let (text, at) = users_text(subject, *file, at)?;
                let mut edits = Edits::default();
                edits.insert(at, self.regression.text.clone());
                (subject.path(*file), edits.apply(text))
            }
        };
        write_atomic(path.as_std_path(), content.as_bytes()).map_err(Failure::from)?;
        for (file, content) in &self.regression.files {
            write_atomic(file, content).map_err(Failure::from)?;
        }
        Ok(path)
    }

    /// Which original byte a byte of the written sources comes from; `name` is the file as rustc names
    /// it.
    #[must_use]
    pub fn origin_of_byte(
        &self,
        subject: &Subject,
        name: &Utf8Path,
        offset: usize,
    ) -> Option<(FileIndex, usize)> {
        let inside = match &self.place {
            Place::OwnFile(path) => (subject.named(path) == name).then_some(offset),
            Place::Beside(file, start) if subject.name(*file) == name => offset.checked_sub(*start),
            Place::Beside(..) => None,
        };
        let from_regression = inside.and_then(|offset| self.regression.origin(offset));
        from_regression.or_else(|| {
            let (file, edits) = self
                .edits
                .iter()
                .find(|(file, _)| subject.name(*file) == name)?;
            Some((*file, edits.to_old(offset)?))
        })
    }

    /// Where a place inside the regression test comes from.
    fn origin(&self, subject: &Subject, location: &Location) -> Option<Location> {
        let name = Utf8Path::new(&location.file);
        let offset = match &self.place {
            Place::OwnFile(path) if subject.named(path) == name => {
                location.offset_in(&self.regression.text)?
            }
            Place::Beside(file, _) if subject.name(*file) == name => {
                let (_, edits) = self.edits.iter().find(|(edited, _)| edited == file)?;
                location.offset_in(&edits.apply(&subject.krate.file(*file).text))?
            }
            _ => return None,
        };
        let (file, original) = self.origin_of_byte(subject, name, offset)?;
        subject.location(file, original)
    }
}

/// The folder for a test file of its own: that of the package's integration tests, if the test is one
/// and cargo finds new ones by itself.
fn own_file_folder(subject: &Subject) -> Option<Utf8PathBuf> {
    let has_own_file = subject.target.choice.kind == TargetKind::Test
        && finds_tests(&subject.target.manifest_path);
    has_own_file.then(|| subject.package_dir().join("tests"))
}

fn header(subject: &Subject, signature: &Signature) -> Vec<String> {
    let (file, place) = subject.users_place(subject.located.file, subject.located.span.start);
    let message = signature.message.lines().next().unwrap_or_default();
    let message: String = message.chars().take(MESSAGE_CHARS).collect();
    let mut lines = vec![
        format!(
            "Reduced from `{}` ({file}:{}) by cargo-reduce.",
            subject.users_test(),
            place.line
        ),
        format!(
            "It shows: {}",
            if message.is_empty() {
                signature.kind.to_string()
            } else {
                message
            }
        ),
    ];
    if let Some(location) = &subject.as_the_user_sees(signature).location {
        lines.push(format!("at {}", short(location)));
    }
    lines
}

/// A place in a dependency without the folders of this machine.
fn short(location: &Location) -> String {
    let path = Path::new(&location.file);
    if !path.is_absolute() {
        return location.to_string();
    }
    let parts: Vec<_> = path
        .iter()
        .map(|part| part.to_string_lossy().into_owned())
        .collect();
    let from = parts
        .iter()
        .rposition(|part| part == "src")
        .map_or(0, |src| src.saturating_sub(1));
    format!(
        "{}:{}:{}",
        parts[from..].join("/"),
        location.line,
        location.column
    )
}

fn write_read_files(scratch: &Scratch, regression: &Regression) -> Result<(), Failure> {
    for (path, content) in &regression.files {
        let path =
            Utf8Path::from_path(path).ok_or_else(|| Failure::error("a path is not valid UTF-8"))?;
        scratch.write_result(&copy_of(scratch, path)?, content)?;
    }
    Ok(())
}

fn copy_of(scratch: &Scratch, original: &Utf8Path) -> Result<Utf8PathBuf, Failure> {
    scratch
        .path_of(original)
        .ok_or_else(|| Failure::error(format!("`{original}` stands outside of the workspace")))
}
