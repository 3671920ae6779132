//! A build script in place of another one, of which only the conditions are needed that it sets.

use std::fmt::Write;

/// A build script that sets these conditions, each written as for `--cfg`, and does nothing else.
pub fn cfg_build_script<'c>(conditions: impl IntoIterator<Item = &'c str>) -> String {
    let mut script = "fn main() {\n    println!(\"cargo:rerun-if-changed=build.rs\");\n".to_owned();
    for condition in conditions {
        let known = match condition.split_once('=') {
            Some((name, _)) => format!("{name}, values(any())"),
            None => condition.to_owned(),
        };
        for line in
            [format!("cargo:rustc-cfg={condition}"), format!("cargo:rustc-check-cfg=cfg({known})")]
        {
            let line = line.replace('{', "{{").replace('}', "}}");
            // Writing to a string cannot fail.
            let _ = writeln!(script, "    println!({line:?});");
        }
    }
    script + "}\n"
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_example_of_told_script_holds() {
        use crate::emit::cfg_build_script::cfg_build_script;

        let script = cfg_build_script(["threads", "backend=\"{}\""]);
        assert!(script.contains(r#"println!("cargo:rustc-cfg=threads");"#));
        assert!(script.contains(r#"println!("cargo:rustc-cfg=backend=\"{{}}\"");"#));
        assert!(
            script.contains(r#"println!("cargo:rustc-check-cfg=cfg(backend, values(any()))");"#)
        );
    }
}
