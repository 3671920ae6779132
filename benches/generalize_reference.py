"""Patterns of the Debugging Book's DDSET on the cases of `src/generalize/precision_tests.rs`.

    pip install debuggingbook
    cargo test --lib cases_for_the_reference -- --ignored --nocapture | python3 benches/generalize_reference.py
"""

import json
import random
import re
import sys
import time

from debuggingbook.DDSetDebugger import TreeGeneralizer
from fuzzingbook.GrammarFuzzer import all_terminals, tree_to_string
from fuzzingbook.Parser import EarleyParser

SEEDS = 5
INSTANCES = 1000
PRINTABLE = [chr(code) for code in range(32, 127)] + ["\t", "\n", "\r"]


class Failure(Exception):
    pass


def remove_html_markup(text):
    tag, quote, out = False, False, ""
    for c in text:
        if c == "<" and not quote:
            tag = True
        elif c == ">" and not quote:
            tag = False
        elif c == '"' or (c == "'" and tag):
            quote = not quote
        elif not tag:
            out += c
    return "<" in out or ">" in out


def middle(text):
    x, y, z = (int(number) for number in text.split(", "))
    if y < z:
        found = y if x < z else z
    elif x > y:
        found = y
    elif x > z:
        found = x
    else:
        found = z
    return found != sorted([x, y, z])[1]


FAILS = {
    "doubled parentheses": lambda t: "((" in t and "))" in t.partition("((")[2],
    "division by zero": lambda t: "/0" in t,
    "unary plus": lambda t: "*+" in t,
    "decimal point": lambda t: "." in t,
    "markup": remove_html_markup,
    # A division by zero is an exception, too, and so it is the failure for the reference.
    "negative": lambda t: int(t) <= 0,
    "middle": middle,
    "three minus": lambda t: t.count("-") == 3,
    "json": lambda t: "null" in t,
    "semver": lambda t: "+" in t,
    "url": lambda t: "?" in t and "=" in t,
    "ipv4": lambda t: t.startswith("10."),
    "integer": lambda t: t.startswith("-"),
    "csv": lambda t: '"' in t,
}


def alternatives(of_rule):
    """Large classes come with a description; the reference gets their printable ASCII characters."""
    for alternative in of_rule:
        if isinstance(alternative, str):
            yield alternative
        else:
            written = re.sub(r"\\u\{([0-9a-f]+)\}", lambda m: "\\U" + m[1].zfill(8), alternative[1]["class"])
            yield from (c for c in PRINTABLE if re.fullmatch(written, c))


def run(case):
    grammar = {name: list(alternatives(rule)) for name, rule in case["grammar"].items()}
    fails = FAILS[case["name"]]
    tests = 0

    def test(text):
        nonlocal tests
        tests += 1
        if fails(text):
            raise Failure

    for seed in range(SEEDS):
        random.seed(seed)
        tests, start = 0, time.perf_counter()
        tree = next(iter(EarleyParser(grammar).parse(case["text"])))
        generalizer = TreeGeneralizer(grammar, tree, test)
        pattern = generalizer.generalize()
        seconds, used = time.perf_counter() - start, tests
        texts = [tree_to_string(generalizer.fuzz_tree(pattern)) for _ in range(INSTANCES)]
        precision = sum(map(fails, texts)) / INSTANCES
        print(f"{case['name']:20}{all_terminals(pattern)!r:60} precision {precision:.3f} tests {used} in {seconds:.2f} s", flush=True)


sys.setrecursionlimit(1_000_000)
for line in sys.stdin:
    if line.startswith("{"):
        run(json.loads(line))
