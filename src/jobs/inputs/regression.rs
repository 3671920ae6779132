//! The regression test: the smallest test that shows the failure, ready to commit. Where a test of its own cannot
//! show it, the test itself with the smaller inputs.

use std::fs;
use std::path::Path;

use camino::{Utf8Path, Utf8PathBuf};

use super::addition::Addition;
use super::form::Form;
use super::origin::Derived;
use super::rustfmt::{formatted, formatted_beside};
use super::subject::Subject;
use crate::app::failure::{Failure, Result};
use crate::oracle::signature::{Location, Signature};
use crate::project::{Built, OtherVersion, Scratch, TargetChoice, TargetKind, binary_diff};
use crate::reduce::inputs::Inputs;
use crate::report::{removal_diff, unified_diff};
use crate::source::{
    Edits, FileIndex, FileRange, InstancesTest, Located, NewFile, NoInstancesTest, Regression,
    WriteBack, edits_of, reduced_name,
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
    /// What it is.
    pub form: Form,
    /// Whether the copy goes without the other tests of the original.
    pub is_alone: bool,
    regression: Regression,
    place: TestPlace,
}

/// The regression test that is to be written.
#[derive(Clone)]
pub struct Wanted {
    /// What it is to be.
    pub form: Form,
    /// The failure that it shows, at its place in the original sources.
    pub shown: Signature,
    /// Why it may fail with correct code, too.
    pub doubt: Option<String>,
    /// The version of a package with which it passes.
    pub passes_with: Option<OtherVersion>,
    /// The tests of further instances that are to stand beside it.
    pub instances: Vec<InstancesTest>,
}

/// Where a regression test stands.
#[derive(Debug)]
enum TestPlace {
    /// In a file of its own, at this path of the user's tree.
    OwnFile(Utf8PathBuf),
    /// In the original's file, from this byte of the edited text.
    Beside(FileIndex, usize),
    /// Where the original stands.
    Original,
}

/// Writes what is wanted in this form into the scratch copy, and a diff where it belongs into the original's file.
///
/// # Errors
/// When it cannot be written.
pub fn write_regression(
    subject: &Subject,
    scratch: &Scratch,
    best: &Inputs,
    smaller: &WriteBack,
    wanted: &Wanted,
    form: Form,
) -> Result<Written> {
    let edits = &smaller.edits;
    let header = header(subject, wanted);
    let Subject { krate, found, .. } = subject;
    let located = &named_by_user(subject);
    let mut instances = Vec::new();
    let mut add_instances = |regression: &mut Regression| {
        let tests = wanted.instances.iter();
        let added = tests.map(|test| found.add_instances(krate, located, best, test, regression));
        instances = added.collect();
    };
    let written = match form {
        Form::OwnFile => {
            let folder = subject.package_dir().join("tests");
            let is_of_property = subject.derived.as_ref().is_some_and(Derived::is_of_property);
            let left: &[&str] = if is_of_property { &["proptest"] } else { &[] };
            let new_file = NewFile { directory: folder.as_std_path(), header: &header, left };
            let mut regression = found.regression_file(krate, located, best, &new_file);
            add_instances(&mut regression);
            write_file(subject, scratch, edits, regression, &folder)
        }
        Form::Beside => {
            let mut regression = found.regression_beside(krate, located, best, &header);
            add_instances(&mut regression);
            write_beside(subject, scratch, edits, regression)
        }
        Form::Original => write_original(subject, scratch, smaller),
    };
    Ok(Written { instances, ..written? })
}

/// The test that the user knows, if a plain one was made of it.
fn users_test(subject: &Subject) -> Option<&str> {
    let made = subject.derived.as_ref().filter(|derived| derived.doc_test().is_none());
    made.map(|derived| &*derived.test)
}

fn name_of_result(subject: &Subject) -> String {
    reduced_name(users_test(subject).unwrap_or(&subject.test))
}

/// The test, by the name of the function that the user knows: not by that of a plain one made of it.
fn named_by_user(subject: &Subject) -> Located {
    let mut located = subject.located.clone();
    let users = users_test(subject).and_then(|test| test.rsplit("::").next());
    if let Some(users) = users.filter(|users| located.function == format!("plain_{users}")) {
        users.clone_into(&mut located.function);
    }
    located
}

fn write_file(
    subject: &Subject,
    scratch: &Scratch,
    edits: &[(FileIndex, Edits)],
    mut regression: Regression,
    folder: &Utf8Path,
) -> Result<Written> {
    let name = name_of_result(subject);
    let original = folder.join(format!("{name}.rs"));
    let path = copy_of(scratch, &original)?;
    scratch.write_result(&path, regression.text.as_bytes())?;
    // Where imports change places, it is not known what came from where.
    for imports in ["reorder_imports=true", "reorder_imports=false"] {
        if let Some(formatted) = formatted(&path, &subject.edition, imports)
            && regression.reformat(formatted)
        {
            scratch.write_result(&path, regression.text.as_bytes())?;
            break;
        }
    }
    write_read_files(scratch, &regression)?;
    let target = TargetChoice { kind: TargetKind::Test, name: Some(name) };
    Ok(Written::new(path, target, edits.to_vec(), regression, TestPlace::OwnFile(original)))
}

fn write_beside(
    subject: &Subject,
    scratch: &Scratch,
    edits: &[(FileIndex, Edits)],
    mut regression: Regression,
) -> Result<Written> {
    let Some((file, at)) = regression.insert_at else {
        return Err(Failure::error("the regression test cannot be placed next to the original"));
    };
    if let Some(copy) = scratch.path_of(&subject.path(file))
        && let Some(formatted) = formatted_beside(&copy, &subject.edition, &regression.text)
    {
        regression.reformat(formatted);
    }
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
    let path = diff_path(subject, scratch);
    let (text, at) = users_text(subject, file, at)?;
    let mut alone = Edits::default();
    alone.insert(at, regression.text.clone());
    let diff = unified_diff(subject.name(file).as_str(), text, &alone.apply(text));
    scratch.write_result(&path, diff.as_bytes())?;
    let target = subject.target.choice.clone();
    Ok(Written::new(path, target, all, regression, TestPlace::Beside(file, start)))
}

fn write_original(
    subject: &Subject,
    scratch: &Scratch,
    WriteBack { edits, files, removed }: &WriteBack,
) -> Result<Written> {
    let path = diff_path(subject, scratch);
    let mut diff = String::new();
    for (file, edits) in edits {
        let edited = subject.edited(*file, edits);
        let name = subject.named(edited.path);
        diff.push_str(&unified_diff(name.as_str(), edited.before, &edited.after));
    }
    for (path, content) in files {
        diff.push_str(&diff_of_file(subject, path, Some(content))?);
    }
    for path in removed {
        diff.push_str(&diff_of_file(subject, path, None)?);
    }
    scratch.write_result(&path, diff.as_bytes())?;
    let target = subject.target.choice.clone();
    let (edits, regression) = (edits.clone(), Regression::default());
    let written = Written::new(path, target, edits, regression, TestPlace::Original);
    Ok(Written { test: subject.test.clone(), ..written })
}

/// The diff of a file that is an input, or is gone `after`; without git, of one that is not text only that it differs.
fn diff_of_file(subject: &Subject, path: &Path, after: Option<&[u8]>) -> Result<String> {
    let before = fs::read(path).map_err(|error| Failure::unreadable(&path.display(), &error))?;
    let name = Utf8Path::from_path(path).map_or_else(Utf8PathBuf::new, |path| subject.named(path));
    let is_gone = after.is_none();
    let after = after.unwrap_or_default();
    Ok(match (str::from_utf8(&before), str::from_utf8(after)) {
        (Ok(before), Ok(_)) if is_gone => removal_diff(name.as_str(), before),
        (Ok(before), Ok(after)) => unified_diff(name.as_str(), before, after),
        _ => binary_diff(&name, &before, after)
            .unwrap_or_else(|| format!("Binary files a/{name} and b/{name} differ\n")),
    })
}

fn diff_path(subject: &Subject, scratch: &Scratch) -> Utf8PathBuf {
    let name = name_of_result(subject);
    scratch.root().join(format!("{name}.diff"))
}

/// The text of the user's file, and where there is what stands at `at` of the test's file.
fn users_text(subject: &Subject, file: FileIndex, at: usize) -> Result<(&str, usize)> {
    match &subject.derived {
        Some(derived) if derived.path == subject.path(file) => {
            let place = derived.insertion(at);
            place.ok_or_else(|| {
                Failure::error("the regression test cannot be placed in your source tree")
            })
        }
        _ => Ok((&subject.krate.file(file).text, at)),
    }
}

impl Written {
    fn new(
        path: Utf8PathBuf,
        target: TargetChoice,
        edits: Vec<(FileIndex, Edits)>,
        regression: Regression,
        place: TestPlace,
    ) -> Self {
        let form = match place {
            TestPlace::OwnFile(_) => Form::OwnFile,
            TestPlace::Beside(..) => Form::Beside,
            TestPlace::Original => Form::Original,
        };
        let test = regression.test.clone();
        let instances = Vec::new();
        let is_alone = false;
        Written { path, target, test, instances, edits, form, is_alone, regression, place }
    }

    /// Puts a test file, and what it reads, into another copy of the workspace.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn copy_to(&self, scratch: &Scratch) -> Result<()> {
        if let TestPlace::OwnFile(original) = &self.place {
            let path = copy_of(scratch, original)?;
            scratch.write_result(&path, self.regression.text.as_bytes())?;
        }
        write_read_files(scratch, &self.regression)
    }

    /// Takes a test file that does not show the failure out of the copy.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn withdraw(&self, scratch: &Scratch) -> Result<()> {
        match &self.place {
            TestPlace::OwnFile(_) => Ok(scratch.remove(&self.path)?),
            TestPlace::Beside(..) | TestPlace::Original => Ok(()),
        }
    }

    /// Whether imports and loops are gone from it that are most likely needless.
    pub fn is_tidied(&self) -> bool {
        self.regression.is_tidied
    }

    /// Whether there are files that it reads.
    pub fn reads_files(&self) -> bool {
        !self.regression.files.is_empty()
    }

    /// The edits of one of the sources.
    pub fn edits_of(&self, subject: &Subject, path: &Utf8Path) -> Edits {
        let edits = self.edits.iter().find(|(file, _)| subject.path(*file) == path);
        edits.map_or_else(Edits::default, |(_, edits)| edits.clone())
    }

    /// The failure with its place mapped back to the original sources.
    pub fn mapped_back(&self, subject: &Subject, signature: &Signature) -> Signature {
        let mut mapped = subject.mapped_back(signature, &self.edits);
        if let Some(location) = &signature.location
            && let Some(original) = self.origin(subject, location)
        {
            mapped.location = Some(original);
        }
        mapped
    }

    /// What puts the regression test into the user's own tree; nothing where it is the original, which is never changed.
    ///
    /// # Errors
    /// When the place in the user's file cannot be told.
    pub fn addition(&self, subject: &Subject) -> Result<Option<Addition>> {
        let (path, content) = match &self.place {
            TestPlace::Original => return Ok(None),
            TestPlace::OwnFile(path) => (path.clone(), self.regression.text.clone()),
            TestPlace::Beside(file, _) => {
                let at = self.regression.insert_at.map_or(0, |(_, at)| at);
                let (text, at) = users_text(subject, *file, at)?;
                let mut edits = Edits::default();
                edits.insert(at, self.regression.text.clone());
                (subject.path(*file), edits.apply(text))
            }
        };
        let is_new = matches!(self.place, TestPlace::OwnFile(_));
        Ok(Some(Addition { path, content, is_new, files: self.regression.files.clone() }))
    }

    /// Which original byte a byte of the written sources comes from; `name` is the file as rustc names
    /// it.
    fn origin_of_byte(
        &self,
        subject: &Subject,
        name: &Utf8Path,
        offset: usize,
    ) -> Option<(FileIndex, usize)> {
        let inside = match &self.place {
            TestPlace::OwnFile(path) => (subject.named(path) == name).then_some(offset),
            TestPlace::Beside(file, start) if subject.name(*file) == name => {
                offset.checked_sub(*start)
            }
            TestPlace::Beside(..) | TestPlace::Original => None,
        };
        let from_regression = inside.and_then(|offset| self.regression.origin(offset));
        from_regression.or_else(|| {
            let (file, edits) = self.edits.iter().find(|(file, _)| subject.name(*file) == name)?;
            Some((*file, edits.to_old(offset)?))
        })
    }

    /// Where in the original the errors of a build stand.
    pub fn origins_of_errors(
        &self,
        subject: &Subject,
        built: &Built,
    ) -> impl Iterator<Item = (FileIndex, usize)> {
        let spans = built.errors.iter().flat_map(|error| &error.spans);
        spans.filter_map(|it| self.origin_of_byte(subject, &it.file, it.start))
    }

    /// Whether an error stands in another test of the original.
    pub fn breaks_other_tests(&self, subject: &Subject, built: &Built) -> bool {
        let others = subject.krate.other_tests(&subject.located);
        self.origins_of_errors(subject, built).any(|(file, offset)| {
            others.iter().any(|(other, test)| *other == file && test.contains(&offset))
        })
    }

    /// What of the original sources the copy goes without: its other tests, if these break.
    pub fn left_out(&self, subject: &Subject) -> Vec<FileRange> {
        if self.is_alone { subject.krate.other_tests(&subject.located) } else { Vec::new() }
    }

    /// Where a place inside the regression test comes from.
    fn origin(&self, subject: &Subject, location: &Location) -> Option<Location> {
        let name = Utf8Path::new(&location.file);
        let offset = match &self.place {
            TestPlace::OwnFile(path) if subject.named(path) == name => {
                location.offset_in(&self.regression.text)?
            }
            TestPlace::Beside(file, _) if subject.name(*file) == name => {
                let edits = edits_of(&self.edits, *file)?;
                location.offset_in(&edits.apply(&subject.krate.file(*file).text))?
            }
            _ => return None,
        };
        let (file, original) = self.origin_of_byte(subject, name, offset)?;
        subject.location(file, original)
    }
}

fn header(subject: &Subject, wanted: &Wanted) -> Vec<String> {
    let signature = &wanted.shown;
    let (file, place) = subject.users_place(subject.located.file, subject.located.span.start);
    let message = signature.message.lines().next().unwrap_or_default();
    let message: String = message.chars().take(MESSAGE_CHARS).collect();
    let mut lines = vec![
        format!("Reduced from `{}` ({file}:{}) by cargo-reduce.", subject.users_test(), place.line),
        format!(
            "Fails with: {}",
            if message.is_empty() { signature.kind.to_string() } else { message }
        ),
    ];
    if let Some(location) = &subject.as_the_user_sees(signature).location {
        lines.push(format!("at {}", short(location)));
    }
    if let Some(other) = &wanted.passes_with {
        lines.push(format!("Passes with {other}."));
    }
    if let Some(doubt) = &wanted.doubt {
        lines.push(format!("In doubt: {doubt}."));
    }
    lines
}

/// A place in a dependency without the folders of this machine.
fn short(location: &Location) -> String {
    let path = Path::new(&location.file);
    if !path.is_absolute() {
        return location.to_string();
    }
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    let from = parts.iter().rposition(|part| part == "src").map_or(0, |src| src.saturating_sub(1));
    format!("{}:{}:{}", parts[from..].join("/"), location.line, location.column)
}

fn write_read_files(scratch: &Scratch, regression: &Regression) -> Result<()> {
    for (path, content) in &regression.files {
        let path =
            Utf8Path::from_path(path).ok_or_else(|| Failure::error("a path is not valid UTF-8"))?;
        scratch.write_result(&copy_of(scratch, path)?, content)?;
    }
    Ok(())
}

pub(super) fn copy_of(scratch: &Scratch, original: &Utf8Path) -> Result<Utf8PathBuf> {
    scratch
        .path_of(original)
        .ok_or_else(|| Failure::error(format!("`{original}` is outside the workspace")))
}
