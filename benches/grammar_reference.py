"""Time and memory that the Fuzzing Book's Earley parser takes on the texts of `grammar.rs`.

    pip install fuzzingbook && python3 benches/grammar_reference.py
"""

import resource
import sys
import time

from fuzzingbook.Grammars import srange
from fuzzingbook.Parser import EarleyParser

JSON = '{"id": 17, "name": "a \\"quoted\\" word", "tags": ["x", "y", null], "rate": -1.5e3},'
HTML = "<p class=\"lead\">Some <b>bold</b> text &amp; more</p>\n<img src='x.png'/>\n"
PRINTABLE = [chr(code) for code in range(32, 127)]

JSON_GRAMMAR = {
    "<start>": ["<value>"],
    "<value>": ["<object>", "<array>", "<string>", "<number>", "true", "false", "null"],
    "<object>": ["{<space>}", "{<space><members>}"],
    "<members>": ["<member>", "<members>,<space><member>"],
    "<member>": ["<string><space>:<space><value>"],
    "<array>": ["[<space>]", "[<space><values>]"],
    "<values>": ["<value>", "<values>,<space><value>"],
    "<string>": ['"<chars>"'],
    "<chars>": ["", "<chars><char>"],
    "<char>": [c for c in PRINTABLE if c not in '"\\<>'] + ['\\"', "\\\\"],
    "<number>": ["<int>", "<int><fraction>", "<int><exponent>", "<int><fraction><exponent>"],
    "<int>": ["<digits>", "-<digits>"],
    "<fraction>": [".<digits>"],
    "<exponent>": ["e<digits>"],
    "<digits>": ["<digit>", "<digits><digit>"],
    "<digit>": srange("0123456789"),
    "<space>": ["", "<space> "],
}

HTML_GRAMMAR = {
    "<start>": ["<nodes>"],
    "<nodes>": ["", "<nodes><node>"],
    "<node>": ["<char>", "<open>", "<close>"],
    "<open>": ["<lt><name><attributes><gt>", "<lt><name><attributes>/<gt>"],
    "<close>": ["<lt>/<name><gt>"],
    "<attributes>": ["", "<attributes> <name>=<value>"],
    "<value>": ['"<chars>"', "'<chars>'"],
    "<name>": ["<letter>", "<name><letter>"],
    "<letter>": srange("abcdefghijklmnopqrstuvwxyz"),
    "<chars>": ["", "<chars><inner>"],
    "<inner>": [c for c in PRINTABLE if c not in "<>\"'"],
    "<char>": [c for c in PRINTABLE if c not in "<>"] + ["\n"],
    "<lt>": ["<"],
    "<gt>": [">"],
}


def parse(name, grammar, text):
    parser = EarleyParser(grammar)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    next(iter(parser.parse(text)))
    seconds = time.perf_counter() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    print(f"{name:10}{len(text):>10} bytes{seconds:>10.4f} s{memory:>10} KiB", flush=True)


sys.setrecursionlimit(1_000_000)
for length in [160, 480, 1_000, 2_000]:
    parse("json", JSON_GRAMMAR, "[" + JSON * (length // len(JSON)) + "0]")
    parse("html", HTML_GRAMMAR, HTML * (length // len(HTML)))
