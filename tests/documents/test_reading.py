"""From a file to a value or a problem: real files of every unpleasant kind."""

from __future__ import annotations

import math
import os
import stat
from datetime import date
from pathlib import Path

import pytest

from submission_checker.documents import Limits, Problem, Reading, Root, parse, read
from submission_checker.documents.json_reader import refuse_too_many
from submission_checker.documents.problems import Refused


def problem_of(reading: Reading) -> Problem:
    assert reading.value is None
    (problem,) = reading.problems
    return problem


@pytest.mark.parametrize(
    ("form", "data", "value"),
    [
        ("json", b'{"a": [1, 2.5, true, null, "x"]}', {"a": [1, 2.5, True, None, "x"]}),
        ("json", b'\r\n\t {"a":1}\n', {"a": 1}),
        ("json", b'{"a": -Infinity}', {"a": -math.inf}),
        ("json", b'{"a": 1, "a": 2}', {"a": 2}),
        ("json", b"[]", []),
        ("json", b"null", None),
        ("json", b'"\\ud83d\\ude00"', "\U0001f600"),
        ("yaml", b"a: [1, 2.5, true, ~, x]\n", {"a": [1, 2.5, True, None, "x"]}),
        ("yaml", b"a: 1\r\nb: 2\r\n", {"a": 1, "b": 2}),
        ("yaml", b"\xef\xbb\xbfa: 1\n", {"a": 1}),
        ("yaml", b"a: 1\na: 2\n", {"a": 2}),
        ("yaml", b"", None),
        ("yaml", b"# nothing but a comment\n", None),
        ("yaml", b"---\n", None),
        ("yaml", b"- 1\n", [1]),
    ],
)
def test_values(tmp_path, form, data, value):
    file = tmp_path / "document"
    file.write_bytes(data)
    reading = read(file, form)
    assert (reading.value, reading.problems) == (value, ())


def test_not_a_number_stays_one():
    assert math.isnan(parse(b'{"a": NaN}', "json").value["a"])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("no", False),
        ("off", False),
        ("Yes", True),
        ("on", True),
        ("y", "y"),
        ("020", 16),
        ("0o20", "0o20"),
        ("0x1F", 31),
        ("0b11", 3),
        ("1_6", 16),
        ("1:30", 90),
        ("+5", 5),
        ("1e3", "1e3"),
        ("1.0e+3", 1000.0),
        (".inf", math.inf),
        ("~", None),
        ("2026-11-01", date(2026, 11, 1)),
        ("'020'", "020"),
        ('"no"', "no"),
        ("2026-11-C0", "2026-11-C0"),
    ],
)
def test_scalars_are_those_of_yaml_1_1(text, value):
    read_value = parse(f"a: {text}\n".encode(), "yaml").value["a"]
    assert (read_value, type(read_value)) == (value, type(value))


@pytest.mark.parametrize(
    ("form", "data", "kind", "part", "place"),
    [
        ("json", b"", "syntax", "is empty", (1, 1)),
        ("json", b"{'a': 1}", "syntax", "is not JSON", (1, 2)),
        ("json", b'{"a": 1,\r\n "b": x}', "syntax", "is not JSON", (2, 7)),
        ("json", b'{"a": 1} x', "syntax", "extra data", (1, 10)),
        ("json", b'{"a": 01}', "syntax", "is not JSON", (1, 8)),
        ("json", b'\xef\xbb\xbf{"a": 1}', "encoding", "byte order mark", (1, 1)),
        ("json", b'{"a":\n "\xe9"}', "encoding", "0xe9", (2, 3)),
        ("json", '{"a": 1}'.encode("utf-16"), "encoding", "UTF-16", (1, 1)),
        ("json", b'{"a": ' + b"9" * 5000 + b"}", "too_large", "too many digits", (None, None)),
        ("yaml", b"a: \xe9\n", "encoding", "0xe9", (1, 4)),
        ("yaml", "a: 1".encode("utf-16"), "encoding", "UTF-16", (1, 1)),
        ("yaml", b"a: b: c\n", "syntax", "is not YAML", (1, 5)),
        ("yaml", b"a: [\n", "syntax", "is not YAML", None),
        ("yaml", b"\ta: 1\n", "syntax", "is not YAML", (1, 1)),
        ("yaml", b"a:\tb\n", "syntax", "is not YAML", (1, 3)),
        ("yaml", b"a: 1\nb: \x01\n", "syntax", "U+0001", (2, 4)),
        ("yaml", b"a: 1\n---\nb: 1\n", "syntax", "several YAML documents", (2, 1)),
        ("yaml", b"a: 2026-13-45\n", "syntax", "'2026-13-45' looks like a timestamp", (1, 4)),
        ("yaml", b"a: 2026-01-01 25:00:00\n", "syntax", "looks like a timestamp", (1, 4)),
        ("yaml", b"a: !!int x\n", "syntax", "does not fit its tag", (None, None)),
        ("yaml", b"a: !!timestamp x\n", "syntax", "does not fit its tag", (None, None)),
        ("yaml", b"a: !thing 1\n", "syntax", "is not YAML", (1, 4)),
        ("yaml", b"a: !!python/object/apply:os.getcwd []\n", "syntax", "is not YAML", (1, 4)),
        ("yaml", b"a: =\n", "syntax", "is not YAML", (1, 4)),
        ("yaml", b"[a]: 1\n", "syntax", "is not YAML", (1, 1)),
        ("yaml", b"a: *b\n", "syntax", "is not YAML", (1, 4)),
        ("yaml", b"a: &a [*a]\n", "too_deep", "contains itself", (1, 8)),
        ("yaml", b"a: " + b"9" * 5000, "too_large", "too many digits", (1, 4)),
        ("yaml", b"a: !!int " + b"9" * 5000, "too_large", "too many digits", (1, 4)),
    ],
)
def test_what_cannot_be_parsed(tmp_path, form, data, kind, part, place):
    file = tmp_path / "document"
    file.write_bytes(data)
    problem = problem_of(read(file, form))
    assert problem.kind == kind
    assert part in problem.message
    if place is not None:
        assert (problem.line, problem.column) == place


@pytest.mark.parametrize(
    ("form", "data", "places"),
    [
        ("yaml", "a: 1\nb: {c: 1, c: 2}\na: 3\n", [("/b/c", 2, 11), ("/a", 3, 1)]),
        ("yaml", "l:\n- x: 1\n- y: 1\n  y: 2\n", [("/l/1/y", 4, 3)]),
        ("yaml", "a: &x {c: 1, c: 2}\nb: *x\n", [("/c", 1, 14)]),
        ("yaml", "yes: 1\non: 2\n", [("/True", 2, 1)]),
        ("json", '{"a": 1,\n "b": [0, {"c": ",", "c": 2}],\n "a": 3}', [("/b/1/c", 2, 22), ("/a", 3, 2)]),
        ("json", '{"a/b": 1, "\\u0061/b": 2}', [("/a~1b", 1, 12)]),
        ("json", '{"a": {"b": 1}, "c": {"b": 1}}', []),
        ("yaml", "<<: {a: 1}\na: 2\n", []),
    ],
)
def test_repeated_keys_are_remarked(form, data, places):
    reading = parse(data.encode(), form)
    assert reading.problems == ()
    assert [(remark.pointer, remark.line, remark.column) for remark in reading.remarks] == places
    assert {remark.kind for remark in reading.remarks} <= {"duplicate"}


def test_many_repeated_keys_are_not_all_told():
    assert len(parse(b"{" + b",".join([b'"a":1'] * 1000) + b"}", "json").remarks) == 100
    assert len(parse(b"a: 1\n" * 1000, "yaml").remarks) == 100


LIMITS = Limits(max_bytes=1000, max_depth=5, max_nodes=50, max_aliases=3)


@pytest.mark.parametrize(
    ("form", "good", "bad", "kind"),
    [
        ("json", b" " * 998 + b"[]", b" " * 999 + b"[]", "too_large"),
        ("yaml", b"#" * 999 + b"\n", b"#" * 1000 + b"\n", "too_large"),
        ("json", b"[" * 5 + b"]" * 5, b"[" * 6 + b"]" * 6, "too_deep"),
        ("json", b'{"a":' * 5 + b"1" + b"}" * 5, b'{"a":' * 6 + b"1" + b"}" * 6, "too_deep"),
        ("json", b'["[[[[[[[[["]', b'[[[[["",[]]]]]]', "too_deep"),
        ("yaml", b"[" * 5 + b"]" * 5, b"[" * 6 + b"]" * 6, "too_deep"),
        ("yaml", b"&a " + b"[" * 5 + b"]" * 5, b"&a " + b"[" * 6 + b"]" * 6, "too_deep"),
        ("yaml", b"- 1\n" * 49, b"- 1\n" * 50, "too_many"),
        ("yaml", b"- &a 1\n" + b"- *a\n" * 3, b"- &a 1\n" + b"- *a\n" * 4, "too_many"),
        (
            "yaml",
            b"a: &a [1, 1, 1, 1, 1, 1, 1]\nb: &b [*a, *a]\n",
            b"a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1]\nb: &b [*a, *a]\nc: *b\n",
            "too_many",
        ),
    ],
)
def test_limits(tmp_path, form, good, bad, kind):
    file = tmp_path / "document"
    file.write_bytes(good)
    assert read(file, form, limits=LIMITS).problems == ()
    file.write_bytes(bad)
    assert problem_of(read(file, form, limits=LIMITS)).kind == kind


def test_number_of_values_in_json():
    limits = Limits(max_nodes=100)
    assert parse(b"[" + b"1," * 98 + b"1]", "json", limits=limits).problems == ()
    assert problem_of(parse(b"[" + b"1," * 99 + b"1]", "json", limits=limits)).kind == "too_many"


BOMBS = {
    "laughs": b"a: &a [x, x, x, x, x, x, x, x, x]\n"
    + b"".join(
        b"%s: &%s [%s]\n" % (new, new, b", ".join([b"*" + old] * 9))
        for old, new in ((bytes([97 + i]), bytes([98 + i])) for i in range(20))
    ),
    "merges": b"a: &a {x: 1}\n"
    + b"".join(
        b"%s: &%s {<<: [%s]}\n" % (new, new, b", ".join([b"*" + old] * 9))
        for old, new in ((bytes([97 + i]), bytes([98 + i])) for i in range(20))
    ),
    "brackets": b"[" * 200_000,
    "questions": b"? " * 200_000,
    "sixties": b"a: 1" + b":00" * 300_000,
    "tabs": b"a:\tb\n" * 10_000,
}


@pytest.mark.parametrize("data", BOMBS.values(), ids=BOMBS)
def test_bombs_do_not_go_off(data):
    assert parse(data, "yaml").problems != ()


def test_deep_json_is_no_crash():
    for data in (b"[" * 1_000_000, b'{"a":' * 100_000, b"[" * 900 + b"]" * 900):
        assert problem_of(parse(data, "json")).kind in ("too_deep", "syntax")


# Files that are no files


def test_absent(tmp_path):
    (tmp_path / "plain").write_text("x")
    (tmp_path / "broken").symlink_to(tmp_path / "nowhere")
    for name in ("nothing", "nothing/at/all", "plain/below", "broken"):
        for root in (None, tmp_path):
            assert problem_of(read(tmp_path / name, "json", root=root)).kind == "absent"


def test_folder(tmp_path):
    assert problem_of(read(tmp_path, "yaml")).message == "cannot be read: it is a folder"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_named_pipe_does_not_hang(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for root in (None, tmp_path):
        assert problem_of(read(tmp_path / "pipe", "json", root=root)).kind == "unreadable"


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no /dev/zero")
def test_device_is_not_read():
    assert problem_of(read("/dev/zero", "json")).kind == "unreadable"


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="this system has no /proc")
def test_file_that_does_not_know_its_size():
    assert Path("/proc/self/status").stat().st_size == 0
    assert "is not JSON" in problem_of(read("/proc/self/status", "json")).message


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="everything is open to root")
def test_closed_file(tmp_path):
    file = tmp_path / "closed"
    file.write_text("{}")
    file.chmod(stat.S_IWUSR)
    assert problem_of(read(file, "json")) == Problem("unreadable", "cannot be read: permission denied")


def test_names_that_cannot_be(tmp_path):
    assert problem_of(read("a\0b", "json")).kind == "unreadable"
    assert problem_of(read(tmp_path / ("a" * 5000), "json")).kind == "unreadable"


def test_loop_of_links(tmp_path):
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    assert problem_of(read(tmp_path / "a", "json")).kind == "unreadable"
    assert problem_of(read(tmp_path / "a", "json", root=tmp_path)).kind == "absent"


# Links and the root


@pytest.fixture
def house(tmp_path):
    root = tmp_path / "house"
    (root / "room").mkdir(parents=True)
    (root / "room" / "x.json").write_text('{"in": 1}')
    (tmp_path / "house2").mkdir()
    (tmp_path / "house2" / "x.json").write_text('{"out": 1}')
    (root / "in.json").symlink_to("room/x.json")
    (root / "out.json").symlink_to("../house2/x.json")
    (root / "around.json").symlink_to("../house/room/x.json")
    (root / "annex").symlink_to(tmp_path / "house2")
    (root / "hall").symlink_to("room")
    return root


@pytest.mark.parametrize(
    ("name", "inside"),
    [
        ("room/x.json", True),
        ("in.json", True),
        ("around.json", True),
        ("hall/x.json", True),
        ("out.json", False),
        ("annex/x.json", False),
        ("../house2/x.json", False),
    ],
)
def test_links_may_not_leave_the_root(house, name, inside):
    for root in (house, str(house), Root(house)):
        reading = read(house / name, "json", root=root)
        if inside:
            assert reading == Reading({"in": 1})
        else:
            assert problem_of(reading).kind == "outside"
    assert read(house / name, "json").problems == ()


def test_root_that_is_itself_a_link(house, tmp_path):
    (tmp_path / "door").symlink_to(house)
    root = Root(tmp_path / "door")
    assert read(tmp_path / "door" / "room" / "x.json", "json", root=root).value == {"in": 1}
    assert problem_of(read(tmp_path / "door" / "out.json", "json", root=root)).kind == "outside"


def test_relative_root(house, monkeypatch):
    monkeypatch.chdir(house)
    assert read("in.json", "json", root=".").value == {"in": 1}
    assert problem_of(read("out.json", "json", root=".")).kind == "outside"


@pytest.mark.parametrize(
    ("text", "nodes"),
    [
        ("1", 1),
        ("[]", 1),
        ("[ \n ]", 1),
        ("[1]", 2),
        ("[[], {}, [ ], 1]", 5),
        ('{"a": {"b": [1, 2]}}', 5),
        ('["a,b", "[", "{]}", "\\"[,", "\\\\", ","]', 7),
        ('{"[{,\\"": "x"}', 2),
        ("[" * 6 + "]" * 6, 6),
    ],
)
def test_values_are_counted_before_they_are_built(text, nodes):
    data = text.encode()
    assert not parse(data, "json", limits=Limits(max_nodes=nodes)).problems
    # A text of no more characters than the limit cannot hold more values; the count comes into play beyond.
    assert problem_of(parse(data, "json", limits=Limits(max_nodes=nodes - 1))).kind == "too_many"
    with pytest.raises(Refused):
        refuse_too_many(text.ljust(50), Limits(max_nodes=nodes - 1))
    refuse_too_many(text.ljust(50), Limits(max_nodes=nodes))
