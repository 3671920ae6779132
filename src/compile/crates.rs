//! The crates of a subject, and how rustc is called for each.

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};

use super::Depth;
use crate::project::{CrateKind, Invocation};
use crate::rust::{Conditions, Sameness, SourceFile, Sources};

/// A crate whose sources are reduced.
#[derive(Debug, Clone)]
pub struct SubjectCrate {
    /// How cargo compiles it.
    pub call: Invocation,
    /// Its sources, relative to where rustc is called.
    pub files: Vec<Utf8PathBuf>,
}

/// The crates of a subject, each after those that it uses; the last one holds the test.
#[derive(Debug, Clone)]
pub struct Crates {
    /// The crates.
    pub all: Vec<SubjectCrate>,
    /// Where rustc is called: the root of the scratch copy.
    pub root: Utf8PathBuf,
    /// Other files that the sources include, relative to the root.
    pub data: Vec<Utf8PathBuf>,
}

/// The conditions that rustc sets for the machine on which we run.
fn of_host() -> [String; 4] {
    let value = |name: &str, value: &str| format!("{name}={value:?}");
    [
        std::env::consts::FAMILY.to_owned(),
        value("target_os", std::env::consts::OS),
        value("target_arch", std::env::consts::ARCH),
        value("target_pointer_width", &usize::BITS.to_string()),
    ]
}

/// Which ways to compile faster are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shortcuts {
    /// No debug information, and the standard library linked dynamically.
    All,
    /// As cargo does it.
    None,
}

impl SubjectCrate {
    /// The name of what comes out, without what stands before and after it.
    fn stem(&self) -> String {
        let name = self.call.crate_name().unwrap_or("subject");
        format!("{name}{}", self.call.extra_filename())
    }

    /// What holds where it is compiled.
    pub fn conditions(&self) -> Conditions {
        let mut set: BTreeSet<String> = self.call.values("--cfg").map(str::to_owned).collect();
        let is_for_host = self.call.values("--target").next().is_none();
        if is_for_host {
            set.extend(of_host());
        }
        let is_for_tests = self.call.kind() == CrateKind::Test;
        Conditions { set, is_for_tests, is_for_host }
    }

    /// The file of a library that others are told to use.
    pub fn library(&self, out: &Utf8Path, depth: Depth) -> Utf8PathBuf {
        let extension = match depth {
            Depth::Check => "rmeta",
            Depth::Link => "rlib",
        };
        out.join(format!("lib{}.{extension}", self.stem()))
    }

    /// The program that comes out.
    pub fn program(&self, out: &Utf8Path) -> Utf8PathBuf {
        out.join(format!("{}{}", self.stem(), std::env::consts::EXE_SUFFIX))
    }
}

impl Crates {
    /// The crate that holds the test.
    pub fn tested(&self) -> Option<&SubjectCrate> {
        self.all.last()
    }

    /// The places of the root files of the crates among `sources`.
    pub fn roots(&self, sources: &Sources) -> Vec<usize> {
        self.all
            .iter()
            .filter_map(|krate| krate.files.first())
            .filter_map(|root| sources.position(root.as_str()))
            .collect()
    }

    /// The sources with a library that all crates use.
    pub fn with_library(&self, sources: &Sources, library: &str) -> Sources {
        let mut files = sources.files.clone();
        use_library(&mut files, &self.roots(sources), library);
        Sources::new(files, Sameness::Text)
    }

    /// The arguments for one of the crates, when its output and that of the others is in `out`.
    pub fn args(
        &self,
        krate: &SubjectCrate,
        out: &Utf8Path,
        depth: Depth,
        shortcuts: Shortcuts,
    ) -> Vec<String> {
        let mut args: Vec<String> = Vec::new();
        for (option, value) in krate.call.options() {
            let is_ours = match option {
                "--out-dir" | "--emit" | "--cap-lints" => true,
                "-C" => value.is_some_and(|value| {
                    value.starts_with("incremental=")
                        || value.starts_with("debuginfo=") && shortcuts != Shortcuts::None
                }),
                _ => false,
            };
            if is_ours {
                continue;
            }
            args.push(option.to_owned());
            args.extend(value.map(|value| match option {
                "--extern" => self.external(value, out, depth),
                _ => value.to_owned(),
            }));
        }
        let emit = match (depth, krate.call.kind()) {
            (Depth::Check, _) => "metadata",
            (Depth::Link, CrateKind::Library) => "metadata,link",
            (Depth::Link, _) => "link",
        };
        args.push(format!("--emit={emit}"));
        args.extend(["--out-dir".to_owned(), out.to_string()]);
        args.extend(["-L".to_owned(), format!("dependency={out}")]);
        // Lints are only looked at in what is not built.
        let lints = match depth {
            Depth::Check => "warn",
            Depth::Link => "allow",
        };
        args.push(format!("--cap-lints={lints}"));
        let more: &[&str] = match shortcuts {
            Shortcuts::All if krate.call.kind() == CrateKind::Test => {
                &["-Cdebuginfo=0", "-Cprefer-dynamic"]
            }
            Shortcuts::All => &["-Cdebuginfo=0"],
            Shortcuts::None => &[],
        };
        args.extend(more.iter().map(|&word| word.to_owned()));
        args
    }

    /// All crates as the one that holds the test: it uses what the others use. None if they have several
    /// build scripts, since a package has one.
    pub fn merged(&self) -> Option<Crates> {
        let (tested, libraries) = self.all.split_last()?;
        let scripts = self.all.iter().filter_map(|krate| krate.call.env.get("OUT_DIR"));
        if scripts.collect::<BTreeSet<_>>().len() > 1 {
            return None;
        }
        let mut krate = tested.clone();
        let is_own = |value: &str| {
            let path = value.split_once('=').map(|(_, path)| Utf8Path::new(path));
            path.is_some_and(|path| self.own(path).is_some())
        };
        let mut options: Vec<(&str, Option<&str>)> = tested.call.options();
        options.retain(|(option, value)| *option != "--extern" || !value.is_some_and(is_own));
        for (option, value) in libraries.iter().flat_map(|library| library.call.options()) {
            let is_shared = match option {
                "--extern" => !value.is_some_and(is_own),
                option => matches!(option, "-L" | "--cfg"),
            };
            if is_shared && !options.contains(&(option, value)) {
                options.push((option, value));
            }
        }
        let words =
            options.iter().flat_map(|(option, value)| std::iter::once(*option).chain(*value));
        krate.call.args = words.map(str::to_owned).collect();
        for library in libraries {
            for (name, value) in &library.call.env {
                let env = &mut krate.call.env;
                env.entry(name.clone()).or_insert_with(|| value.clone());
            }
        }
        krate.files = tested.call.root_file().map(Utf8Path::to_owned).into_iter().collect();
        Some(Crates { all: vec![krate], root: self.root.clone(), data: self.data.clone() })
    }

    /// The crate of the subject that comes out as that file.
    fn own(&self, path: &Utf8Path) -> Option<&SubjectCrate> {
        let stem = path.file_stem()?.strip_prefix("lib")?;
        self.all.iter().find(|krate| stem == krate.stem())
    }

    /// `name=path`, where the path of a crate of the subject is where we put it.
    fn external(&self, value: &str, out: &Utf8Path, depth: Depth) -> String {
        let Some((name, path)) = value.split_once('=') else { return value.to_owned() };
        let own = self.own(Utf8Path::new(path));
        let path = own.map_or_else(|| to_link(path), |krate| krate.library(out, depth));
        format!("{name}={path}")
    }
}

/// Lets crates with these root files use a library: where the edition is 2015, one is found only below the
/// root module.
pub fn use_library(files: &mut [SourceFile], roots: &[usize], library: &str) {
    for root in roots {
        let text = format!("{}\nextern crate {library};\n", files[*root].text);
        files[*root].text = text.into();
    }
}

/// cargo lets libraries use others before their code is generated; what is linked needs the code.
fn to_link(path: &str) -> Utf8PathBuf {
    let path = Utf8PathBuf::from(path);
    let with_code = path.with_extension("rlib");
    if path.extension() == Some("rmeta") && with_code.exists() { with_code } else { path }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn krate(args: &str) -> SubjectCrate {
        SubjectCrate {
            call: Invocation {
                program: "rustc".into(),
                args: args.split(' ').map(str::to_owned).collect(),
                env: BTreeMap::new(),
            },
            files: Vec::new(),
        }
    }

    #[test]
    fn output_and_crates_of_the_subject_are_those_of_the_lane() {
        let crates = Crates {
            all: vec![
                krate("--crate-name a --crate-type lib -C extra-filename=-1 --out-dir /t"),
                krate(
                    "--crate-name b --test b.rs --emit=dep-info,link -C debuginfo=2 \
                     -C incremental=/i --out-dir /t --extern a=/t/liba-1.rlib \
                     --extern serde=/t/libserde-7.rlib",
                ),
            ],
            root: "/r".into(),
            data: Vec::new(),
        };
        let args = |depth| {
            let krate = crates.tested().unwrap();
            crates.args(krate, Utf8Path::new("/l"), depth, Shortcuts::All).join(" ")
        };
        assert_eq!(
            args(Depth::Check),
            "--crate-name b --test b.rs --extern a=/l/liba-1.rmeta --extern serde=/t/libserde-7.rlib \
             --emit=metadata --out-dir /l -L dependency=/l --cap-lints=warn -Cdebuginfo=0 \
             -Cprefer-dynamic"
        );
        assert!(args(Depth::Link).contains("a=/l/liba-1.rlib"));
        assert_eq!(crates.tested().unwrap().program(Utf8Path::new("/l")), "/l/b");
    }
}
