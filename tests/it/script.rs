//! `--oracle`: commands of all kinds on files of all kinds.

use super::finished::Finished;
use super::project::Project;
use super::texts::holds;

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> Project {
    let project = Project::empty();
    for (name, text) in files {
        let path = project.root().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    project
}

/// What is left of a file.
fn kept(project: &Project, name: &str) -> String {
    let path = project.root().join("out").join(name);
    std::fs::read_to_string(path).unwrap().trim().to_owned()
}

/// Runs `cargo reduce --out out ARGS`; only the results may appear in the folder.
fn reduce<const N: usize>(project: &Project, args: [&str; N]) -> Finished {
    let before = project.snapshot();
    let finished = project.reduce(["--out", "out"]).args(args).run_and_write();
    let after = project.snapshot();
    for (path, content) in before {
        assert_eq!(after.get(&path), Some(&content), "{finished}");
    }
    finished
}

#[test]
fn a_script_in_the_style_of_c_reduce_reads_the_file_where_it_runs() {
    let script = "#!/bin/sh\ngrep -q needle hay.txt && test $(ls | wc -l) -eq 1\n";
    let project = folder(&[("check.sh", script), ("hay.txt", "one\na needle in\nhay\n")]);
    let path = project.root().join("check.sh");
    let permissions = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(path, permissions).unwrap();
    let finished = reduce(&project, ["--oracle", "./check.sh", "hay.txt"]);
    finished.code(0);
    assert_eq!(kept(&project, "hay.txt"), "needle");
    let page = kept(&project, "report.html");
    holds(&page, ["6 of 6 parts: without it, the command says no"]);
}

#[test]
fn all_files_of_a_folder_are_reduced_together() {
    let project = folder(&[
        ("hay/one.txt", "a needle here\nand more\n"),
        ("hay/more/two.txt", "nothing\nbut a pin\n"),
    ]);
    let command = "grep -q needle hay/one.txt && grep -q pin hay/more/two.txt #";
    reduce(&project, ["--oracle", command, "hay"]).code(0);
    assert_eq!(kept(&project, "hay/one.txt"), "needle");
    assert_eq!(kept(&project, "hay/more/two.txt"), "pin");
}

#[test]
fn what_the_command_prints_can_be_demanded() {
    let project = folder(&[("a.txt", "x = 1\ny = 22\n")]);
    let args = ["--oracle", "cat", "--oracle-prints", "2+", "a.txt"];
    reduce(&project, args).code(0);
    assert_eq!(kept(&project, "a.txt"), "2");
}

#[test]
fn a_grammar_keeps_the_file_valid() {
    let project = folder(&[("a.json", r#"{"a": [1, {"b": null}, "x"], "c": {}}"#)]);
    let args = ["--oracle", "grep -q null", "--grammar", "json", "--strategy", "perses", "a.json"];
    let finished = reduce(&project, args);
    finished.code(0);
    assert_eq!(kept(&project, "a.json"), "null");
    let refused = reduce(&project, ["--oracle", "true", "--grammar", "integer", "a.json"]);
    refused.error("error", "the grammar `integer` parses none of the files", ["built-in"]);
}

#[test]
fn the_grammar_of_a_small_file_is_found() {
    let noise: Vec<String> = (0..40).map(|n| format!("\"k{n}\": [{n}]")).collect();
    let text = format!("{{{}, \"x\": [{{\"y\": null}}]}}", noise.join(", "));
    let project = folder(&[("a.json", &text)]);
    let finished = reduce(&project, ["--oracle", "grep -q null", "a.json"]);
    finished.code(0);
    assert_eq!(kept(&project, "a.json"), "null");
    let candidates = finished.summary()["candidates"].as_u64().unwrap();
    assert!(candidates <= 60, "{candidates}");
}

#[test]
fn the_best_so_far_is_on_disk_at_any_moment() {
    let hay = "a straw\n".repeat(200) + "a needle\n" + &"another straw\n".repeat(200);
    let project = folder(&[("hay.txt", &hay)]);
    let run = project.reduce(["--out", "out", "--oracle", "grep -q needle", "hay.txt"]);
    run.kill_at("progress");
    let kept = kept(&project, "best-so-far/hay.txt");
    assert!(kept.contains("needle") && kept.len() < hay.len(), "{kept}");
    assert!(!project.root().join("out/hay.txt").exists());
}

#[test]
fn a_script_that_is_not_there_is_told_so() {
    let project = folder(&[("a.txt", "x")]);
    let finished = reduce(&project, ["--oracle", "./nowhere.sh", "a.txt"]);
    finished.error("error", "nowhere.sh", []);
}

#[test]
fn a_script_that_never_succeeds_is_told_so() {
    let project = folder(&[("a.txt", "x")]);
    let finished = reduce(&project, ["--oracle", "echo no; exit 3 #", "a.txt"]);
    finished.error("not-failing", "exits with 3", ["its last line of output: no"]);
}

#[test]
fn files_that_are_no_text_are_reduced_byte_by_byte() {
    let project = Project::empty();
    let bytes = [b"\xff\xfe junk ".as_slice(), &[0x80; 40], b"needle\xff\xff"].concat();
    std::fs::write(project.root().join("a.bin"), bytes).unwrap();
    reduce(&project, ["--oracle", "grep -aq needle", "a.bin"]).code(0);
    assert_eq!(kept(&project, "a.bin"), "needle");
}

/// A function of one line with so many statements, and the word in the middle.
fn one_line(statements: usize) -> String {
    let half = |from: usize| {
        let mut text = String::new();
        for at in from..from + statements / 2 {
            let statement = format!("let a{at} = f({at}, \"text\") + 1; ");
            text.push_str(&statement);
        }
        text
    };
    let (before, after) = (half(0), half(statements / 2));
    format!("fn main() {{ {before} needle(); {after} }}\n")
}

#[test]
fn one_long_line_keeps_to_the_time_limit_though_nothing_can_go() {
    let text = one_line(8_000);
    let project = folder(&[("a.rs", &text)]);
    let whole = format!("test $(wc -c < a.rs) -gt {} #", text.len() - 30);
    let finished = reduce(&project, ["--max-time", "2", "--oracle", &whole, "a.rs"]);
    finished.code(0);
    let elapsed = finished.summary()["elapsed_ms"].as_u64().unwrap();
    assert!(elapsed < 20_000, "{elapsed}");
}

#[test]
fn one_line_of_megabytes_is_cut_into_halves_first() {
    let project = folder(&[("a.rs", &one_line(50_000))]);
    let finished = reduce(&project, ["--oracle", "grep -q needle", "a.rs"]);
    finished.code(0);
    assert_eq!(kept(&project, "a.rs"), "needle");
    let candidates = finished.summary()["candidates"].as_u64().unwrap();
    assert!(candidates < 150, "{candidates}");
}
