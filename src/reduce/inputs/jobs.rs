//! Whole jobs with simulated oracles: results, and upper bounds of runs.

use proptest::prelude::*;

use super::testing::{
    bytes, group, inputs, int, nested_list_depth, numbers, reduce, reduce_counted, reduce_job, seq,
    text, the_text,
};
use super::{Body, Inputs, Node, Value};

/// Lengths of the sequences among the inputs.
fn lengths(inputs: &Inputs) -> Vec<usize> {
    let sequences = inputs.0.iter().filter(|node| matches!(node.body, Body::Seq(_)));
    sequences.map(|node| node.children().len()).collect()
}

/// The integers in one node.
fn numbers_of(node: &std::sync::Arc<Node>) -> Vec<i128> {
    numbers(&Inputs(vec![node.clone()]))
}

#[test]
fn a_trigger_in_a_long_text_is_isolated() {
    let paragraph = "Lorem ipsum *dolor* sit `amet`, [consectetur](http://a.example/b).\n\n";
    let long = format!("{0}> x <a b=\n\u{e9}>\n{0}", paragraph.repeat(70));
    let best = reduce_job(600, inputs([text(&long)]), |inputs| {
        let text = the_text(inputs);
        text.find("<a b=\n\u{e9}>").is_some_and(|place| text[..place].contains('>'))
    });
    assert_eq!(the_text(&best), "><a b=\n\u{e9}>");
}

#[test]
fn several_inputs_are_reduced_in_turn() {
    let rows = (0..150).map(|i| group([int(i), int(i * 7), int(3)]));
    let all = inputs([int(40), seq(rows), seq([int(9), int(140)]), text("some text")]);
    let best = reduce_job(200, all, |inputs| {
        let numbers = numbers(inputs);
        numbers.contains(&21) && numbers[0] > 2
    });
    assert_eq!(best.size(), 1);
    assert_eq!(numbers(&best)[0], 3);
}

#[test]
fn arguments_that_point_into_each_other_shrink_together() {
    // A network: a number of nodes, pipes between nodes, closed pipes by their index, two ends.
    let pipe = |i: i128| group([int(i * 17 % 40), int((i * 23 + 5) % 40), int(i % 20 + 1)]);
    let closed = [1, 12, 24, 44, 58, 84, 101, 122, 142].map(int);
    let all = inputs([int(40), seq((0..150).map(pipe)), seq(closed), group([int(0), int(39)])]);
    let fails = |inputs: &Inputs| {
        let nodes = numbers_of(&inputs.0[0])[0];
        let pipes: Vec<Vec<i128>> = inputs.0[1].children().iter().map(numbers_of).collect();
        let closed = numbers_of(&inputs.0[2]);
        let ends = numbers_of(&inputs.0[3]);
        let valid = pipes.iter().all(|pipe| pipe[0] < nodes && pipe[1] < nodes)
            && closed.iter().all(|&pipe| usize::try_from(pipe).unwrap() < pipes.len())
            && ends.iter().all(|&end| end < nodes);
        valid && !closed.is_empty() && pipes.len() > closed.len() && ends[0] != ends[1]
    };
    let best = reduce_job(600, all, fails);
    assert_eq!(lengths(&best), [2, 1]);
    assert_eq!(numbers(&best), [2, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
}

#[test]
fn a_number_used_twice_goes_down_with_what_it_counts() {
    let range = |i: i128| group([int(i * 50 + i % 7), int(i * 50 + i % 7 + 5 + i % 11)]);
    let more = (0..700).map(|i| int(5_000 + 71 * i));
    let members = |i: i128| 6 + i % 11;
    let count: i128 = (0..23).map(members).sum();
    let all = inputs([seq((0..60).map(range)), seq(more), int(count), int(count)]);
    let fails = |inputs: &Inputs| {
        let ranges: Vec<Vec<i128>> = inputs.0[0].children().iter().map(numbers_of).collect();
        let counts = (numbers_of(&inputs.0[2])[0], numbers_of(&inputs.0[3])[0]);
        let mut sum = 0;
        let mut sums = ranges.iter().map(|range| {
            sum += (range[1] - range[0] + 1).max(0);
            sum
        });
        counts.0 == counts.1 && ranges.len() > 1 && sums.any(|sum| sum == counts.0 && sum > 0)
    };
    let best = reduce_job(3_000, all, fails);
    assert_eq!(lengths(&best), [2, 0]);
    assert_eq!(numbers(&best)[4..], [1, 1]);
}

/// JSON-like text, deterministic; the interesting part stands in the middle of the top level.
fn nested_json(trigger: &str) -> String {
    let leaf =
        |i: usize| format!("{{\n \"id\": {i}, \"tags\": [\"t{i}\", null, [true, {i}.5]]\n}}");
    let row = |i: usize| {
        let inner: Vec<String> = (0..4).map(|k| leaf(i * 4 + k)).collect();
        format!("{{ \"name\": \"row {i}\", \"parts\": [{}] }}", inner.join(",\n"))
    };
    let mut rows: Vec<String> = (0..20).map(row).collect();
    rows.insert(11, format!("{{ \"steps\": [1, {trigger}, 2] }}"));
    format!("{{ \"version\": 3, \"rows\": [\n{}\n] }}", rows.join(",\n"))
}

#[test]
fn a_part_of_a_structured_text_is_found_in_few_runs() {
    let long = nested_json(r#"{"x": 1, "on_fail": {"a": [7], "path": "/srv"}, "y": []}"#);
    let best = reduce_job(900, inputs([text(&long)]), |inputs| {
        let text = the_text(inputs);
        let is_valid = nested_list_depth(text).is_some();
        is_valid && text.find("\"on_fail\":").is_some_and(|place| text[place..].contains("\"/"))
    });
    assert!(best.size() <= 16, "{}", the_text(&best));
}

#[test]
fn deep_nesting_is_peeled_off() {
    let long = format!("{}x{}", "[".repeat(300), "]".repeat(300));
    let best = reduce_job(1_500, inputs([text(&long)]), |inputs| {
        nested_list_depth(the_text(inputs)).is_some_and(|depth| depth >= 3)
    });
    assert_eq!(the_text(&best), "[[[]]]");
}

#[test]
fn one_long_line_of_unicode_is_cut_between_characters() {
    let long = "äöü 🎏 日本語 ".repeat(60) + "\u{301}🦀\u{200d}!" + &"ñandú ".repeat(60);
    let best =
        reduce_job(300, inputs([text(&long)]), |inputs| the_text(inputs).contains("🦀\u{200d}"));
    assert_eq!(the_text(&best), "🦀\u{200d}");
}

#[test]
fn a_binary_file_keeps_its_header_and_one_block() {
    let mut data: Vec<u8> = b"GIF89a".to_vec();
    data.extend((0..8_000_u32).map(|i| u8::try_from(i * 7_919 / 8 % 251).unwrap()));
    data.splice(4_000..4_000, [0xf9, 0x04, 0xff]);
    let best = reduce_job(400, inputs([bytes(&data)]), |inputs| {
        let Some((_, Value::Bytes(bytes))) = inputs.leaves().next() else { return false };
        bytes.starts_with(b"GIF8") && bytes.windows(3).any(|window| window == [0xf9, 0x04, 0xff])
    });
    assert_eq!(best, inputs([bytes(b"GIF8\xf9\x04\xff")]));
}

/// An image file: a header whose sixth byte says whether a palette of 3 · 2^(n+1) bytes follows and
/// how large it is, then blocks of a kind, a length, and data. Whether it has a block of kind 9.
fn has_endless_block(file: &[u8]) -> bool {
    let [b'P', b'I', b'C', _, _, flags, _, rest @ ..] = file else { return false };
    let palette = if flags & 0x80 == 0 { 0 } else { 3 << ((flags & 7) + 1) };
    let mut blocks = rest.get(palette..).unwrap_or_default();
    while let [kind @ (1 | 2 | 9), length, rest @ ..] = blocks {
        if *kind == 9 {
            return *length > 3;
        }
        let Some(next) = rest.get(usize::from(*length)..) else { return false };
        blocks = next;
    }
    false
}

#[test]
fn parts_of_a_binary_file_go_with_their_lengths_in_few_accepted_steps() {
    let mut file = b"PIC\x40\x21\xf7\x05".to_vec();
    let noise = |i: u32| u8::try_from(i * 7_919 / 8 % 251 + 1).unwrap();
    file.extend((0..768).map(noise));
    for (block, length) in [255_u8, 80, 255, 17, 200, 255, 3, 91].into_iter().enumerate() {
        file.extend([1 + u8::try_from(block % 2).unwrap(), length]);
        file.extend((0..u32::from(length)).map(noise));
    }
    file.extend([9, 77]);
    file.extend((0..4_000).map(noise));
    let (best, counts) = reduce_counted(
        inputs([bytes(&file)]),
        |inputs| matches!(inputs.leaves().next(), Some((_, Value::Bytes(file))) if has_endless_block(file)),
    );
    // The header of seven bytes, and two of the block.
    assert_eq!(best.size(), 9);
    assert!(counts.candidates <= 3_000, "{} runs", counts.candidates);
    assert!(counts.accepted <= 60, "{} accepted", counts.accepted);
}

#[test]
fn a_failure_that_is_not_monotone_in_the_length_is_found_at_its_least() {
    // A buffer that overflows does harm where it hits the end of a block of memory.
    let all = inputs([seq([17, 4, 99, 1203, 8].map(int)), int(2), seq((0..260).map(int))]);
    let best = reduce_job(150, all, |inputs| {
        let [route, detour] = lengths(inputs)[..] else { return false };
        let at = numbers_of(&inputs.0[1])[0];
        let harmful = detour >= 17 && route == 5 || detour == 6;
        harmful && usize::try_from(at).unwrap() <= route
    });
    assert_eq!(lengths(&best), [0, 6]);
}

#[test]
fn a_dense_text_ends_after_each_line_was_tried() {
    let lines: Vec<String> =
        (0..600).map(|i| format!("insert {}\nget {i}\n", i * 31 % 997)).collect();
    let needed: Vec<String> =
        lines.iter().map(|pair| pair.split_inclusive('\n').next().unwrap().to_owned()).collect();
    let best = reduce_job(4 * 600, inputs([text(&lines.concat())]), |inputs| {
        let mut left =
            the_text(inputs).split_inclusive('\n').filter(|line| line.starts_with("insert"));
        needed.iter().all(|line| left.next() == Some(line))
    });
    assert_eq!(the_text(&best), needed.concat());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_element_and_no_character_of_a_result_can_go_alone(
        elements in prop::collection::vec(0_i128..40, 1..30),
        letters in "[a-d(){}\\[\\] \n]{0,30}",
        modulus in 2_i128..6,
    ) {
        let sum: i128 = elements.iter().sum();
        let opened = letters.matches(['(', '{']).count();
        // Neither monotone nor local: parts of both inputs have to match.
        let fails = |inputs: &Inputs| {
            let sum_left: i128 = numbers(inputs).iter().sum();
            let text = the_text(inputs);
            sum_left % modulus == sum % modulus
                && text.matches(['(', '{']).count() % 3 == opened % 3
        };
        let (best, calls) = reduce(inputs([seq(elements.into_iter().map(int)), text(&letters)]), fails);
        prop_assert!(calls <= 4_000, "{} runs", calls);
        let kept = best.0[0].children();
        for idx in 0..kept.len() {
            let mut fewer = kept.to_vec();
            fewer.remove(idx);
            prop_assert!(!fails(&best.replace(best.0[0].id, Body::Seq(fewer))));
        }
        let chars: Vec<char> = the_text(&best).chars().collect();
        for idx in 0..chars.len() {
            let mut fewer = chars.clone();
            fewer.remove(idx);
            let value = Value::Text(fewer.into_iter().collect());
            prop_assert!(!fails(&best.with_value(best.0[1].id, value)));
        }
    }

    #[test]
    fn the_result_of_a_monotone_failure_is_the_minimum(
        needed in prop::collection::btree_set(0_usize..200, 0..6),
    ) {
        let all = inputs([seq((0..200).map(int))]);
        let (best, calls) = reduce(all, |inputs| {
            let left: Vec<u32> = inputs.0[0].children().iter().map(|node| node.id.0 - 1).collect();
            needed.iter().all(|&idx| left.contains(&u32::try_from(idx).unwrap()))
        });
        prop_assert_eq!(best.size(), needed.len());
        prop_assert!(calls <= 260, "{} runs", calls);
    }
}
