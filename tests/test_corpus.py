"""The corpus's own machinery: changes told and applied, rows folded, deviations read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.corpus import privileges, store, trees
from tests.corpus.store import Case
from tests.corpus.trees import Link, Tree
from tests.corpus.verdicts import Deviation, Difference, differences, excusing, load_deviations

BASE: Tree = {
    "a/r1/point.yaml": b"one: 1\ntwo: 2\nthree: 3\n",
    "a/r1/sum.json": b"{}\n",
    "a/r2/point.yaml": b"one: 1\ntwo: 9\nthree: 3\n" + b"# more\n" * 20,
    "docs/x.md": b"x\n",
}


@pytest.mark.parametrize(
    ("other", "told"),
    [
        pytest.param(BASE, [], id="nothing"),
        pytest.param(
            {**BASE, "a/r1/point.yaml": b"one: 1\ntwo: 5\nthree: 3\n"},
            [{"edit": "a/r1/point.yaml", "lines": [[1, 1, ["two: 5"]]]}],
            id="a line",
        ),
        pytest.param({**BASE, "a/r1/sum.json": b""}, [{"write": "a/r1/sum.json", "text": ""}], id="emptied"),
        pytest.param(
            {**BASE, "a/r1/sum.json": b"\xff\x00"},
            [{"write": "a/r1/sum.json", "text": "\udcff\x00"}],
            id="not UTF-8",
        ),
        pytest.param(
            {**BASE, "a/r1/sum.json": b"[" * 5000},
            [{"write": "a/r1/sum.json", "text": [["[", 5000]]}],
            id="deep",
        ),
        pytest.param(
            {path.replace("a/r1", "b/r1"): entry for path, entry in BASE.items()},
            [{"move": ["a/r1", "b/r1"]}],
            id="folder renamed",
        ),
        pytest.param(
            {
                **BASE,
                **{path.replace("r1", "r01"): BASE[path] for path in ("a/r1/point.yaml", "a/r1/sum.json")},
            },
            [{"copy": ["a/r1", "a/r01"]}],
            id="folder copied",
        ),
        pytest.param(
            {path: entry for path, entry in BASE.items() if not path.startswith("a")},
            [{"delete": "a"}],
            id="folder gone",
        ),
        pytest.param(
            {**BASE, "docs/x.md": Link("x.real"), "docs/x.real": b"x\n"},
            [{"link": ["docs/x.md", "x.real"]}, {"write": "docs/x.real", "text": "x\n"}],
            id="file becomes link",
        ),
        pytest.param(
            {**BASE, "a/r3/point.yaml": b"one: 1\ntwo: 9\nthree: 4\n" + b"# more\n" * 20},
            [{"edit": "a/r3/point.yaml", "lines": [[2, 1, ["three: 4"]]], "from": "a/r2/point.yaml"}],
            id="a new file like another",
        ),
        pytest.param({**BASE, "docs/x.md": None}, [{"mkdir": "docs/x.md"}], id="file becomes folder"),
        pytest.param(
            {path: entry for path, entry in BASE.items() if path != "docs/x.md"} | {"docs": b""},
            [{"write": "docs", "text": ""}, {"delete": "docs/x.md"}],
            id="folder becomes file",
        ),
        pytest.param({}, [{"delete": "a"}, {"delete": "docs"}], id="all gone"),
    ],
)
def test_a_difference_is_told_briefly_and_leads_there(other: Tree, told: list[trees.Change]) -> None:
    assert trees.difference(BASE, other) == told
    assert trees.apply(BASE, told) == other


def test_a_tree_survives_the_disk(tmp_path: Path) -> None:
    tree: Tree = {**BASE, "empty": None, "dangling": Link("nowhere"), "bytes": b"\xff\r\n"}
    trees.write(tree, tmp_path / "out")
    assert trees.read(tmp_path / "out") == tree


@pytest.mark.parametrize(
    "new",
    [
        {},
        {"docs": b"a file now"},
        {"docs/x.md/deep": b"", "a/r2/point.yaml": Link("gone")},
        {"a": None, "docs/x.md": b"x\n"},
    ],
)
def test_a_folder_is_transformed_there_and_back(new: Tree, tmp_path: Path) -> None:
    trees.write(BASE, tmp_path)
    trees.transform(tmp_path, BASE, new)
    assert trees.read(tmp_path) == new
    trees.transform(tmp_path, new, BASE)
    assert trees.read(tmp_path) == BASE


def test_changes_do_not_touch_their_base() -> None:
    before = dict(BASE)
    trees.apply(BASE, [{"delete": "a"}, {"write": "docs/x.md", "text": "other"}])
    assert before == BASE


def test_an_unknown_change_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown change"):
        trees.apply(BASE, [{"rename": ["a", "b"]}])


def test_a_case_reads_back_as_it_was_written() -> None:
    point = "results/s/m/r{}/point.yaml"
    valid = frozenset(("load-pattern", "info", point.format(c)) for c in (1, 2, 8)) | {("docs", "info", "")}
    base = Case("2026-10", "b", (), trees.difference({}, BASE), rows=valid)
    other = Case(
        "2026-10",
        "b",
        ("op/x",),
        [{"move": ["submission/results/s", "submission/results/t"]}],
        rows=frozenset((rule, severity, path.replace("/s/", "/t/")) for rule, severity, path in valid)
        | {("point-cap", "error", "results/t/m")},
    )
    crash = Case("2026-10", "b", ("op/y",), [{"delete": "a"}], asked="x", crash="ValueError")
    text = store.text_of([base, other, crash])
    assert list(store._parsed("2026-10", text.splitlines())) == [base, other, crash]
    assert '"new": {"error results/t/m": "point-cap"}' in text, "the renamed rows are not told one by one"
    assert "r{1,2,8}/point.yaml" in text


@pytest.mark.parametrize("policy", store.POLICIES)
def test_every_case_can_be_put_together(policy: str) -> None:
    names = [case.name for case in store.cases(policy)]
    assert len(set(names)) == len(names)
    for case in store.cases(policy):
        tree = case.tree()
        assert case.asked or case.crash or case.rows
        assert all(path.split("/")[0] in {store.SUBMISSION, *store.OPTIONS.values()} for path in tree)


def test_file_modes_count_also_for_root(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.write_text("x")
    closed.chmod(0)
    with pytest.raises(PermissionError):
        privileges.without_override(closed.read_text)
    if os.geteuid() == 0:
        assert closed.read_text() == "x", "the right is given up for the one call only"


def test_a_changed_severity_is_one_difference() -> None:
    reference = {("a", "error", "p"), ("b", "info", "q"), ("same", "info", "")}
    ours = {("a", "warning", "p"), ("c", "error", ""), ("same", "info", "")}
    assert differences(reference, ours) == [
        Difference("severity", "a", "error", "p", "warning"),
        Difference("missing", "b", "info", "q"),
        Difference("extra", "c", "error", ""),
    ]


@pytest.mark.parametrize(
    ("side", "rule", "operators", "excused"),
    [
        ("extra", "a", ["file/point/bom"], True),
        ("extra", "a", ["other", "file/point/bom"], True),
        ("missing", "a", ["file/point/bom"], False),
        ("extra", "b", ["file/point/bom"], False),
        ("extra", "a", ["file/power/bom"], False),
        ("extra", "a", [], False),
    ],
)
def test_a_deviation_excuses_its_rules_sides_and_operators(
    side: str, rule: str, operators: list[str], excused: bool
) -> None:
    deviation = Deviation(("a",), ("file/point/*",), ("extra",), "why")
    found = excusing(Difference(side, rule, "error", "p"), operators, [deviation])
    assert (found is deviation) is excused


@pytest.mark.parametrize(
    "text",
    [
        "- {rules: [a], ops: [x]}",
        "- {rules: [], ops: [x], why: y}",
        "- {rules: a, ops: [x], why: y}",
        "- {rules: [a], ops: [x], why: y, side: [extra]}",
        "- {rules: [a], ops: [x], why: y, sides: [both]}",
        "- a",
    ],
)
def test_a_deviation_that_says_too_little_is_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "deviations.yaml"
    file.write_text(text)
    with pytest.raises(ValueError, match=r"deviations\.yaml"):
        load_deviations(file)
