//! The manifest of a minimal package.

use std::fmt::Write;

/// A package with one target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MinimalPackage {
    /// Its name.
    pub name: String,
    /// Its edition.
    pub edition: String,
    /// Its target.
    pub target: MinimalTarget,
    /// The root file of the target, relative to the manifest.
    pub path: String,
    /// The features of its own that are on.
    pub features: Vec<String>,
    /// What it depends on.
    pub dependencies: Vec<MinimalDependency>,
}

/// What cargo makes of the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MinimalTarget {
    /// A library.
    Library,
    /// A procedural macro.
    ProcMacro,
    /// A program.
    Program,
}

/// What a minimal package depends on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MinimalDependency {
    /// The name under which the crate is known.
    pub name: String,
    /// The name of the package.
    pub package: String,
    /// `version = "…"` or `path = "…"`: which of these, and its value.
    pub source: (&'static str, String),
    /// Its features that are on.
    pub features: Vec<String>,
}

impl MinimalPackage {
    /// The text of its `Cargo.toml`. It is a workspace of its own, wherever it stands.
    pub fn manifest(&self) -> String {
        let mut text = format!(
            "[package]\nname = {:?}\nversion = \"0.0.0\"\nedition = {:?}\n",
            self.name, self.edition
        );
        let _ = match self.target {
            MinimalTarget::Library => write!(text, "\n[lib]\npath = {:?}\n", self.path),
            MinimalTarget::ProcMacro => {
                write!(text, "\n[lib]\nproc-macro = true\npath = {:?}\n", self.path)
            }
            MinimalTarget::Program => {
                write!(text, "\n[[bin]]\nname = {:?}\npath = {:?}\n", self.name, self.path)
            }
        };
        if !self.features.is_empty() {
            text.push_str("\n[features]\n");
            let _ = writeln!(text, "default = {}", list(&self.features));
            for feature in self.features.iter().filter(|name| *name != "default") {
                let _ = writeln!(text, "{feature} = []");
            }
        }
        if !self.dependencies.is_empty() {
            text.push_str("\n[dependencies]\n");
        }
        for dependency in &self.dependencies {
            let _ = writeln!(text, "{}", dependency.line());
        }
        text.push_str("\n[workspace]\n");
        text
    }
}

impl MinimalDependency {
    fn line(&self) -> String {
        let (key, value) = &self.source;
        let mut line = format!("{} = {{ {key} = {value:?}", self.name);
        if self.package != self.name {
            let _ = write!(line, ", package = {:?}", self.package);
        }
        line.push_str(", default-features = false");
        if !self.features.is_empty() {
            let _ = write!(line, ", features = {}", list(&self.features));
        }
        line.push_str(" }");
        line
    }
}

fn list(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
    format!("[{}]", quoted.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manifest_names_only_what_is_needed() {
        let mut package = MinimalPackage {
            name: "plan".into(),
            edition: "2021".into(),
            target: MinimalTarget::Library,
            path: "src/lib.rs".into(),
            features: Vec::new(),
            dependencies: Vec::new(),
        };
        assert_eq!(
            package.manifest(),
            "[package]\nname = \"plan\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[lib]\npath = \"src/lib.rs\"\n\n[workspace]\n"
        );
        package.features = vec!["std".into()];
        package.dependencies = vec![MinimalDependency {
            name: "either".into(),
            package: "either-rs".into(),
            source: ("version", "=1.2.3".into()),
            features: vec!["std".into()],
        }];
        let manifest = package.manifest();
        assert!(manifest.contains("[features]\ndefault = [\"std\"]\nstd = []\n"), "{manifest}");
        let line = "either = { version = \"=1.2.3\", package = \"either-rs\", default-features = false, features = [\"std\"] }";
        assert!(manifest.contains(line), "{manifest}");
    }
}
