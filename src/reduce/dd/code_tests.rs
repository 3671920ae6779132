//! Program code as a sequence: first lines, then characters.
//!
//! The code is in a language for rewriting text, with an interpreter below: `def NAME` begins a
//! function, `on STATE CHAR keep|drop STATE` is one of its rules (`*` is any char), the first rule that
//! fits is taken, a char that none fits is kept, and `#` begins a comment.

use super::{Kept, Mode, dd};
use crate::reduce::{FromFn, Memory, Outcome, Problem};

/// The function in question, which loses the quotes of a text.
const STRIP_MARKUP: &str = "\
def strip_markup  # takes the tags out of a text

    # outside of tags
    on text < drop tag
    on text \" drop text  # quotes do not matter
    on text * keep text

    # inside of a tag
    on tag > drop text
    on tag * drop tag
end
";

/// 552 lines, of which those above are in the middle.
fn library() -> Vec<String> {
    let filler = |number: usize| match number % 6 {
        0 => format!("def function_{number}  # another function"),
        1 => format!("    on text {} drop gone_{number}", ['a', 'e', 'i', 'o', 'u'][number % 5]),
        2 => format!("    on gone_{number} * keep text"),
        3 => "    # nothing of interest".to_owned(),
        4 => "end".to_owned(),
        _ => String::new(),
    };
    let mut lines: Vec<String> = (0..270).map(filler).collect();
    lines.extend(STRIP_MARKUP.lines().map(str::to_owned));
    lines.extend((lines.len()..552).map(filler));
    lines
}

#[derive(Debug)]
struct SyntaxError;

struct Rule<'c> {
    state: &'c str,
    wanted: char,
    keeps: bool,
    next: &'c str,
}

impl<'c> Rule<'c> {
    fn parse(words: &[&'c str]) -> Result<Self, SyntaxError> {
        let [state, wanted, action, next] = words else { return Err(SyntaxError) };
        let mut chars = wanted.chars();
        let (Some(wanted), None) = (chars.next(), chars.next()) else { return Err(SyntaxError) };
        let keeps = match *action {
            "keep" => true,
            "drop" => false,
            _ => return Err(SyntaxError),
        };
        Ok(Rule { state, wanted, keeps, next })
    }
}

/// The rules of `strip_markup`.
fn compile(code: &str) -> Result<Vec<Rule<'_>>, SyntaxError> {
    let mut rules = None;
    let mut is_inside = false;
    for line in code.lines() {
        let words: Vec<&str> = line.split('#').next().unwrap_or("").split_whitespace().collect();
        match words.as_slice() {
            [] => {}
            ["end"] => is_inside = false,
            ["def", name] => {
                is_inside = *name == "strip_markup";
                if is_inside {
                    rules = Some(Vec::new());
                }
            }
            ["on", rule @ ..] => {
                let rule = Rule::parse(rule)?;
                if let Some(rules) = rules.as_mut().filter(|_| is_inside) {
                    rules.push(rule);
                }
            }
            _ => return Err(SyntaxError),
        }
    }
    rules.ok_or(SyntaxError)
}

fn rewrite(rules: &[Rule<'_>], text: &str) -> String {
    let mut state = "text";
    let mut rewritten = String::new();
    for character in text.chars() {
        let fits =
            |rule: &&Rule<'_>| rule.state == state && ['*', character].contains(&rule.wanted);
        let rule = rules.iter().find(fits);
        if rule.is_none_or(|rule| rule.keeps) {
            rewritten.push(character);
        }
        state = rule.map_or(state, |rule| rule.next);
    }
    rewritten
}

/// Fails where quotes are lost, as long as tags are taken out.
fn judge(code: &str) -> Outcome {
    match compile(code) {
        Err(SyntaxError) => Outcome::Unresolved,
        Ok(rules) if rewrite(&rules, "<foo>bar</foo>") != "bar" => Outcome::Unresolved,
        Ok(rules) if rewrite(&rules, "\"foo\"") == "\"foo\"" => Outcome::Pass,
        Ok(_) => Outcome::Fail,
    }
}

/// Minimizes code that is given in pieces; returns the pieces left, and the number of calls.
fn minimize(pieces: &[String]) -> (Vec<String>, u64) {
    let mut oracle = FromFn(|code: &String| judge(code));
    let code = |kept: &Kept| kept.of(pieces).concat();
    let mut problem = Problem::new(pieces.concat(), &mut oracle, Memory::Remember);
    let found =
        dd(pieces.len(), Mode::Minimize, |kept| problem.ask(&code(kept))).expect("the code fails");
    (found.failing.of(pieces), problem.counts().candidates)
}

#[test]
fn of_552_lines_those_of_the_function_remain_and_then_its_characters() {
    let lines: Vec<String> = library().into_iter().map(|line| line + "\n").collect();
    assert_eq!(lines.len(), 552);
    let (function, calls) = minimize(&lines);
    assert_eq!(
        function.concat(),
        "\
def strip_markup  # takes the tags out of a text
    on text < drop tag
    on text \" drop text  # quotes do not matter
    on tag > drop text
    on tag * drop tag
"
    );
    assert_eq!(calls, 59);

    let characters: Vec<String> = function.concat().chars().map(String::from).collect();
    let (characters, calls) = minimize(&characters);
    assert_eq!(
        characters.concat(),
        "\
def strip_markup
on text < drop tag
on text \" drop e
on tag > drop text
on tag * drop tag",
        "quotes lead to a state without rules, for which a single letter will do"
    );
    assert_eq!(calls, 434);
}
