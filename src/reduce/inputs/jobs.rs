//! Whole jobs with simulated oracles: results and upper bounds of runs.

use super::testing::{group, inputs, int, numbers, reduce, seq, text, the_text};

#[test]
fn a_trigger_in_a_long_text_is_isolated() {
    let paragraph = "Lorem ipsum *dolor* sit `amet`, [consectetur](http://a.example/b).\n\n";
    let long = format!(
        "{}> x <a b=\n\u{e9}>\n{}",
        paragraph.repeat(70),
        paragraph.repeat(70)
    );
    let (best, calls) = reduce(inputs([text(&long)]), |inputs| {
        let text = the_text(inputs);
        text.find("<a b=\n\u{e9}>")
            .is_some_and(|place| text[..place].contains('>'))
    });
    assert_eq!(the_text(&best), "><a b=\n\u{e9}>");
    assert!(calls <= 600, "{calls} runs");
}

#[test]
fn several_inputs_are_reduced_in_turn() {
    let all = inputs([
        int(40),
        seq((0..150).map(|i| group([int(i), int(i * 7), int(3)]))),
        seq([int(9), int(140)]),
        text("some text"),
    ]);
    let (best, calls) = reduce(all, |inputs| {
        let numbers = numbers(inputs);
        numbers.contains(&21) && numbers[0] > 2
    });
    assert_eq!(best.size(), 1);
    assert_eq!(numbers(&best)[0], 3);
    assert!(calls <= 200, "{calls} runs");
}
