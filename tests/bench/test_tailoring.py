"""Tailoring: one user's changes to a ruleset, and waivers."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from submission_checker import SubmissionChecker
from submission_checker.api import load_ruleset, read_tailoring
from submission_checker.archive.find import find
from submission_checker.engine.errors import RulesetError
from submission_checker.engine.model import CheckResult, Severity, Verdict
from submission_checker.engine.tailoring import TailoringError
from submission_checker.engine.waivers import day, matches
from tests.bench.conftest import LIBRARY


@pytest.fixture(autouse=True)
def rules_of_the_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLPERF_ENDPOINTS_RULESET", "2026-10")


AS_OF = date(2026, 11, 30)
NON_COMPLIANT = Path(__file__).parents[2] / "fixtures" / "submissions" / "non-compliant"
WAIVER = (
    "{rule: few-shelves, where: branches/north, reason: It is new., approved_by: Board, expires: 2026-12-31}"
)
OWN_RULE = """\
rules:
  cards-signed:
    title: A card is signed
    severity: warning
    scope: shelf
    extract: {by: card.signed_by}
    require: by is not None
    broken: nobody signed the card
    at: card
"""


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A library whose branch has one shelf too few."""
    shelf = tmp_path / "library" / "branches" / "north" / "s1"
    shelf.mkdir(parents=True)
    (shelf / "card.yaml").write_text("books: 3\nsubject: poetry\n")
    (shelf / "loans.json").write_text('{"days": 4.5}')
    return tmp_path / "library"


@pytest.fixture
def tailored(tmp_path: Path, library: Path) -> Callable[..., SubmissionChecker]:
    """Prepare a check of the library with a tailoring."""

    def prepare(
        text: str, *, as_of: date = AS_OF, waivers: bool = True, **settings: bool
    ) -> SubmissionChecker:
        file = tmp_path / "lab.yaml"
        file.write_text(text, encoding="utf-8")
        tailoring = read_tailoring(file, as_of=as_of, waivers=waivers)
        return SubmissionChecker(library, ruleset=LIBRARY, tailoring=tailoring, **settings)

    return prepare


def found(checker: SubmissionChecker) -> dict[str, str]:
    """Severity of each finding, by rule."""
    results = checker.run().results
    return {r.rule: r.severity.value for r in results if r.verdict is not Verdict.PASSED}


class TestChanges:
    def test_without_any(self, tailored):
        assert found(tailored("title: Nothing yet\n")) == {"few-shelves": "error", "loans-short": "error"}

    @pytest.mark.parametrize(
        ("text", "findings", "told"),
        [
            (
                "override: {few-shelves: {params: {minimum: 1}}}",
                {"loans-short": "error"},
                "few-shelves: params.minimum is 1 instead of 2",
            ),
            (
                "override: {short-loans: {when: null, hint: Bring it back.}}",
                {"few-shelves": "error", "loans-short": "error"},
                "loans-short: when is taken away; hint is Bring it back., and was not there",
            ),
            (
                "severities: {few-shelves: warning}",
                {"few-shelves": "warning", "loans-short": "error"},
                "few-shelves: severity is warning instead of error",
            ),
            (
                "severities: {short-loans: warning}",
                {"few-shelves": "error", "loans-short": "warning"},
                "loans-short: severity is warning instead of error",
            ),
            (
                "off: [{rule: short-loans, reason: Nobody lends here.}]",
                {"few-shelves": "error"},
                "loans-short is switched off: Nobody lends here.",
            ),
            (
                "tables: {subjects: {limit: {poetry: 5}}}",
                {"few-shelves": "error"},
                "table subjects: limit.poetry is 5 instead of 4",
            ),
            (
                "tables: {subjects: {limit: {poetry: null}}}",
                {"few-shelves": "error", "loans-short": "error"},
                "table subjects: limit.poetry is taken away",
            ),
            (
                OWN_RULE,
                {"few-shelves": "error", "loans-short": "error", "cards-signed": "warning"},
                "cards-signed is added: A card is signed",
            ),
        ],
    )  # fmt: skip
    def test_changes_a_verdict_and_says_so(self, tailored, text, findings, told):
        checker = tailored(text)

        assert found(checker) == findings
        assert checker.run().ruleset.tailoring == (told,)

    def test_an_added_rule_has_its_family(self, tailored):
        rules = tailored(OWN_RULE.replace("    scope", "    family: books\n    scope")).ruleset.rules

        assert rules["cards-signed"].info.family == "books"
        assert rules["cards-signed"].info.clauses == ()

    def test_a_rule_that_closes_a_gate_can_be_switched_off(self, tailored, library):
        shutil.rmtree(library / "branches" / "north")

        report = tailored("off: [{rule: branch-exists, reason: It moves.}]", keep_going=False).run()

        assert [result.rule for result in report.results] == []
        assert report.held == []

    def test_a_folder_of_rules(self, tailored, tmp_path):
        folder = tmp_path / "ours" / "books"
        folder.mkdir(parents=True)
        (folder.parent / "tables").mkdir()
        (folder.parent / "tables" / "colours.yaml").write_text("known: [red]\n")
        (folder.parent / "schemas").mkdir()
        (folder.parent / "schemas" / "spine.schema.json").write_text('{"required": ["colour"]}')
        (folder.parent / "layout.yaml").write_text(
            "documents: {spine: {scope: shelf, file: spine.yaml, schema: spine}}\n"
        )
        (folder / "spine-coloured.yaml").write_text(
            "id: spine-coloured\ntitle: Coloured\nclauses: ['2.1']\nseverity: error\nscope: shelf\n"
            "extract: {colour: spine.colour}\nrequire: colour in colours.known\nbroken: '{colour}?'\n"
        )

        checker = tailored("folders: [ours]")

        assert found(checker)["spine-coloured"] == "error"
        assert checker.ruleset.info.tailoring == ("spine-coloured is added: Coloured",)
        assert checker.ruleset.info.id == "library"
        assert checker.ruleset.raw_schema("spine") == {"required": ["colour"]}

    def test_a_rule_of_the_folder_replaces_another(self, tailored, tmp_path):
        (tmp_path / "ours" / "books").mkdir(parents=True)
        text = (LIBRARY / "books" / "few-shelves.yaml").read_text()
        (tmp_path / "ours" / "books" / "few-shelves.yaml").write_text(
            text.replace("minimum: 2", "minimum: 1")
        )

        checker = tailored("folders: [ours]")

        assert "few-shelves" not in found(checker)
        assert checker.ruleset.info.tailoring == (
            "few-shelves is replaced: A branch has at least two shelves",
        )


class TestMistakes:
    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("overide: {}", "1:1: no key overide here; did you mean override?"),
            ("- off", "1:1: must be a mapping, not"),
            ("off: [", "2:1: not YAML: "),
            ("ruleset: strict", "1:10: written for the ruleset strict, not library"),
            ("override: {few-shelfs: {}}", "1:12: no rule named few-shelfs; did you mean few-shelves?"),
            ("override: {lones-short: {}}", "no rule named lones-short; did you mean loans-short?"),
            ("override: {few-shelves: {id: more}}", "a rule keeps its id"),
            ("override: {few-shelves: {params: {minimun: 3}}}",
             "1:44: few-shelves has no parameter minimun; did you mean minimum?"),
            ("override: {few-shelves: {sevrity: error}}", "1:35: no key sevrity here; did you mean severity"),
            ("override:\n  few-shelves:\n    require: count >= minimun",
             "3:14: no name minimun; did you mean minimum?"),
            ("override: {few-shelves: {params: 5}}", "1:34: params: must be a mapping, not 5"),
            ("override: {few-shelves: {params: [minimum]}}", "params: must be a mapping"),
            ("override: {few-shelves: {scope: null}}", "scope is missing"),
            ("override: {few-shelves: {broken: null}}", "a rule has either `checks`, or `require` and"),
            ("override: {few-shelves: {require: '().__class__'}}", "starts with an underscore"),
            ("override: {few-shelves: 5}", "few-shelves: must be a mapping, not 5"),
            ("override: [few-shelves]", "override: must be a mapping"),
            ("rules: {mine: 5}", "mine: must be a mapping, not 5"),
            ("rules: {Mine: {}}", "1:"),
            ("folders: 5", "folders: must be a list, not 5"),
            ("tables: {subjects: 5}", "subjects: must be a mapping, not 5"),
            ("waivers: [5]", "0: must be a mapping, not 5"),
            ("severities: {few-shelves: fatal}", "1:27: few-shelves: must be one of error, warning"),
            ("severities: {few: error}", "1:19: no rule named few"),
            ("off: [{rule: few-shelves}]", "1:7: 0: reason is missing"),
            ("off: [{rule: few-shelve, reason: so}]",
             "1:14: no rule named few-shelve; did you mean few-shelves?"),
            ("rules: {few-shelves: {title: a}}", "1:9: there is a rule few-shelves already"),
            ("rules: {mine: {id: mine}}", "an added rule is called by its key"),
            ("rules: {mine: {title: a, severity: error, scope: shelf, requires: a}}",
             "1:67: no key requires here; did you mean require?"),
            ("rules: {mine: {title: a, severity: error, scope: shelf, require: cart is None, broken: b}}",
             "1:66: no name cart in `cart is None`"),
            ("rules: {mine: {title: a, severity: error, scope: shlf, require: 1 > 2, broken: b}}",
             "1:50: no scope named shlf; did you mean shelf?"),
            ("folders: [nowhere]", "1:11: no folder "),
            ("tables: {subject: {known: []}}",
             "1:10: no rule looks up a table subject; did you mean subjects?"),
            ("override: {few-shelves: {params: {minimum: 1}, params: {}}}", "the key params is there twice"),
            (f"waivers: [{WAIVER.replace('few-shelves', 'few-shelfs')}]",
             "1:11: a waiver of no rule: few-shelfs; did you mean few-shelves?"),
            (f"waivers: [{WAIVER.replace('expires', 'expire')}]",
             "no key expire here; did you mean expires?"),
            (f"waivers: [{WAIVER.replace('reason: It is new., ', '')}]", "reason is missing"),
            (f"waivers: [{WAIVER.replace('2026-12-31', '2026-11-29')}]",
             "1:11: the waiver of few-shelves expired on 2026-11-29, and this is 2026-11-30"),
            (f"waivers: [{WAIVER.replace('2026-12-31', '31.12.2026')}]",
             "expires: '31.12.2026' is no day, written YYYY-MM-DD"),
            (f"waivers: [{WAIVER.replace('2026-12-31', '2026-02-30')}]", "expires: '2026-02-30' is no day"),
            (f"waivers: [{WAIVER.replace('2026-12-31', '2026-W50-1')}]", "expires: '2026-W50-1' is no day"),
            (f"waivers: [{WAIVER.replace('2026-12-31', '20261231')}]", "expires: must be a text"),
            (f"off: [{{rule: few-shelves, reason: so}}]\nwaivers: [{WAIVER}]",
             "2:11: a waiver of no rule: few-shelves"),
        ],
    )  # fmt: skip
    def test_told_with_its_place(self, tailored, text, message):
        with pytest.raises(RulesetError) as caught:
            tailored(text)

        assert any(f"lab.yaml:{message}" in str(m) or message in str(m) for m in caught.value.mistakes), str(
            caught.value
        )

    def test_all_at_once(self, tailored):
        with pytest.raises(TailoringError) as caught:
            tailored(
                "override: {few-shelfs: {}}\nseverities: {a: error}\noff: [{rule: b, reason: c}]\n"
                f"waivers: [{WAIVER.replace('2026-12-31', 'soon')}]\n"
            )

        assert [m.line for m in caught.value.mistakes] == [1, 2, 3, 4]

    @pytest.mark.parametrize(
        ("make", "message"),
        [
            (lambda folder: None, "holds no rule: one is <family>/<rule>.yaml"),
            (
                lambda folder: (folder / "ruleset.yaml").write_text("id: a"),
                "is a ruleset of its own; ask for it",
            ),
        ],
    )
    def test_a_folder_that_is_none(self, tailored, tmp_path, make, message):
        (tmp_path / "ours").mkdir()
        make(tmp_path / "ours")

        with pytest.raises(TailoringError, match=message):
            tailored("folders: [ours]")


class TestWaivers:
    def test_a_waived_finding_stays_and_does_not_count(self, tailored):
        report = tailored(f"waivers: [{WAIVER}]\noff: [{{rule: loans-short, reason: so}}]").run()

        [waived] = report.waived
        assert (waived.rule, waived.severity, waived.passed) == ("few-shelves", Severity.ERROR, False)
        assert waived.waiver.approved_by == "Board"
        assert waived in report.results
        assert (report.errors, report.passed, report.exit_code(strict=True)) == ([], True, 0)
        assert report.ruleset.tailoring[-1] == (
            "few-shelves is waived at branches/north: It is new. (by Board, until 2026-12-31)"
        )

    @pytest.mark.parametrize(
        ("last", "holds"), [("2026-11-29", False), ("2026-11-30", True), ("2027-01-01", True)]
    )
    def test_holds_to_the_end_of_its_last_day(self, tailored, last, holds):
        text = f"waivers: [{WAIVER.replace('2026-12-31', last)}]"
        if holds:
            assert len(tailored(text).run().waived) == 1
        else:
            with pytest.raises(TailoringError, match="expired on 2026-11-29"):
                tailored(text)

    def test_one_for_no_finding_is_a_mistake(self, tailored):
        checker = tailored(f"title: x\nwaivers: [{WAIVER.replace('branches/north', 'branches/south')}]")

        with pytest.raises(
            TailoringError, match=r"lab.yaml:2:11: the waiver of few-shelves matches no finding"
        ):
            checker.run()

    def test_one_that_is_not_needed_any_more_is_a_mistake(self, tailored):
        text = f"override: {{few-shelves: {{params: {{minimum: 1}}}}}}\nwaivers: [{WAIVER}]"

        with pytest.raises(TailoringError, match="matches no finding at branches/north: take it away"):
            tailored(text).run()

    def test_one_of_a_rule_that_was_held_back_is_not(self, tailored, library):
        (library / "branches" / "north" / "s1" / "card.yaml").unlink()
        waiver = WAIVER.replace("few-shelves", "books-known").replace("branches/north", "branches/north/s1/*")

        report = tailored(f"waivers: [{waiver}]").run()

        assert report.notes == ["the waiver of books-known was not needed: the rule was held back"]

    def test_a_reviewer_sees_through(self, tailored):
        report = tailored(f"waivers: [{WAIVER.replace('2026-12-31', '2020-01-01')}]", waivers=False).run()

        assert report.waived == [] and len(report.errors) == 2
        assert report.ruleset.tailoring[-1].startswith(
            "few-shelves would be waived, but waivers are set aside: at branches/north"
        )

    def test_what_a_finding_hides_stays_hidden(self, tailored, library):
        (library / "branches" / "north" / "s1" / "card.yaml").unlink()
        waiver = WAIVER.replace("few-shelves", "card-valid").replace("north", "north/s1/card.yaml")

        report = tailored(f"waivers: [{waiver}]").run()

        assert [held.because for held in report.held] == [("card-valid",)]

    def test_what_could_not_be_evaluated_is_never_waived(self, tailored):
        text = (
            "override: {few-shelves: {require: count >= None}}\n"
            f"waivers: [{WAIVER}]\noff: [{{rule: loans-short, reason: so}}]"
        )

        with pytest.raises(TailoringError, match="matches no finding"):
            tailored(text).run()
        report = tailored(text, unused_waivers=True).run()
        assert (report.exit_code(), report.unused_waivers) == (3, (0,))

    @pytest.mark.parametrize(
        ("where", "location", "pointer", "expected"),
        [
            ("a/b", "a/b", None, True),
            ("a/b/", "a/b", None, True),
            ("a/b", "a/b/c", None, False),
            ("a/*", "a/b", "/x", True),
            ("a/*", "a/b/c", None, False),
            ("a/**", "a/b/c", None, True),
            ("a/**", "a", None, True),
            ("**/c.json", "a/b/c.json", None, True),
            ("**/r?/c.json", "a/r8/c.json", None, True),
            ("**/r?/c.json", "a/r16/c.json", None, False),
            ("**/r1*/*.json", "a/r16/c.json", None, True),
            ("A/b", "a/b", None, False),
            (".", ".", None, True),
            ("**", ".", None, True),
            ("nowhere", "", None, True),
            ("**", "", None, False),
            ("nowhere", "nowhere", None, False),
            ("a#/x", "a", "/x", True),
            ("a#/x", "a", "/x/y", False),
            ("a#/x/*", "a", "/x/y", True),
            ("a#/**", "a", "/x/y", True),
            ("a#/x", "a", None, False),
            ("a#", "a", None, True),
            ("a#", "a", "/x", False),
            ("*a*a*a*a*a*a*a*a*b", "a" * 3000, None, False),
            ("/".join(["**", "a"] * 30) + "/b", "/".join(["a"] * 500), None, False),
        ],
    )  # fmt: skip
    def test_where(self, where, location, pointer, expected):
        assert matches(where, CheckResult("r", "m", location=location, pointer=pointer)) is expected

    def test_a_day_has_one_spelling(self):
        assert day("2026-12-31") == date(2026, 12, 31)
        assert [day(text) for text in ("2026-1-1", "2026-12-31 ", "٢٠٢٦-12-31", "", "2026-12-31T00:00")] == [
            None
        ] * 5


class TestCommands:
    """As people use it: with the shipped rules, over a sample that has mistakes."""

    TAILORING = """\
# yaml-language-server: $schema=tailoring.schema.json
title: Trial run of our laboratory
ruleset: 2026-10
severities: {shared-path-resolution: warning}
waivers:
  - rule: metric-consistency-tps-per-user
    where: results/*/*/r256/result_summary.json#/tps_per_user
    reason: The tool of that week divided by the concurrency.
    approved_by: R. Reviewer
    expires: 2026-12-31
"""

    @pytest.fixture
    def file(self, tmp_path: Path) -> Path:
        file = tmp_path / "lab.yaml"
        file.write_text(self.TAILORING)
        return file

    @pytest.fixture
    def command(self, rules):
        return lambda *arguments: rules(*arguments, group=())

    def test_check(self, command, file):
        answer = command(
            "check", NON_COMPLIANT, "--ruleset", "2026-10", "--tailoring", file, "--as-of", "2026-12-31",
            "-o", "report.json", "-o", "junit=report.xml", "-o", "sarif=report.sarif",
            "-o", "html=report.html", "-o", "markdown=report.md",
        )  # fmt: skip

        assert answer.code == 1, answer.err
        assert "waived[metric-consistency-tps-per-user]" in answer.out
        assert "tailoring: shared-path-resolution: severity is warning instead of error" in answer.out
        assert "FAILED: 6 errors, 2 warnings, 1 waived" in answer.out
        reports = {path.suffix: path.read_text() for path in file.parent.glob("report.*")}
        for suffix in (".json", ".xml", ".sarif", ".html", ".md"):
            assert "The tool of that week divided by the concurrency." in reports[suffix], suffix
            assert "shared-path-resolution: severity is warning" in reports[suffix], suffix
        report = json.loads(reports[".json"])
        assert [entry["rule"] for entry in report["waived"]] == ["metric-consistency-tps-per-user"]
        assert len(report["errors"]) == 6
        assert len(report["ruleset"]["tailoring"]) == 2

    def test_no_waivers(self, command, file):
        answer = command("check", NON_COMPLIANT, "--tailoring", file, "--no-waivers", "--as-of", "2030-01-01")

        assert "FAILED: 7 errors, 2 warnings" in answer.out
        assert "would be waived, but waivers are set aside" in " ".join(answer.out.split())

    @pytest.fixture
    def early(self, tmp_path):
        """The sample with mistakes, made for a cohort of 2026-10, so that `auto` takes that ruleset."""
        folder = Path(shutil.copytree(NON_COMPLIANT, tmp_path / "early"))
        for point in folder.rglob("point.yaml"):
            point.write_text(
                point.read_text(encoding="utf-8").replace("2026-11-C0", "2026-10-C1"), encoding="utf-8"
            )
        return folder

    def test_auto(self, command, file, early):
        answer = command("check", early, "--ruleset", "auto", "--tailoring", file, "--as-of", "2026-12-01")

        assert "FAILED: 6 errors, 2 warnings, 1 waived" in answer.out

    @pytest.mark.parametrize("ruleset", ["2026-10", "auto"])
    def test_expired(self, command, file, early, ruleset):
        answer = command("check", early, "--ruleset", ruleset, "--tailoring", file, "--as-of", "2027-01-01")

        assert (answer.code, answer.out) == (3, "")
        assert answer.err == (
            "The tailoring cannot be used:\n"
            f"  {file}:6:5: the waiver of metric-consistency-tps-per-user expired on 2026-12-31, "
            "and this is 2027-01-01\n"
        )

    def test_the_report_comes_before_the_complaint_of_an_idle_waiver(self, command, file):
        sound = NON_COMPLIANT.parent / "compliant"

        answer = command("check", sound, "--tailoring", file, "--as-of", "2026-12-01")

        assert answer.code == 3
        assert "PASSED" in answer.out
        assert f"{file}:6:5: the waiver of metric-consistency-tps-per-user matches no finding" in answer.err

    def test_a_waiver_is_for_one_of_several(self, command, file):
        sound = NON_COMPLIANT.parent / "compliant"

        answer = command("check", sound, NON_COMPLIANT, "--tailoring", file, "--as-of", "2026-12-01", "-q")

        assert answer.code == 1, answer.err

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["--tailoring", "nowhere.yaml"], "'nowhere.yaml' does not exist"),
            (["--as-of", "today"], "'today' is no day, written YYYY-MM-DD"),
            (["--as-of", "2026-02-29"], "'2026-02-29' is no day"),
        ],
    )
    def test_called_wrongly(self, command, arguments, message):
        answer = command("check", NON_COMPLIANT, *arguments)

        assert answer.code == 2
        assert message in answer.err

    def test_an_archive(self, command, file, tmp_path):
        for name in ("compliant", "non-compliant"):
            shutil.copytree(NON_COMPLIANT.parent / name, tmp_path / "archive" / name)
        assert len(find(tmp_path / "archive", "results").submissions) == 2
        call = ("batch", "archive", "--jobs", "1", "--tailoring", file, "--as-of", "2026-12-01")

        answer = command(*call, "-o", "records.jsonl")

        assert answer.code == 1, answer.err
        records = [json.loads(line) for line in (tmp_path / "records.jsonl").read_text().splitlines()]
        assert [(r["waived"], r["unused_waivers"]) for r in records] == [(0, [0]), (1, [])]
        file.write_text(self.TAILORING.replace("that week", "the week"))
        other = command(*call, "-o", "records.jsonl", "--resume")
        assert other.code == 2
        assert "was written with the tailoring lab.yaml" in other.err
        shutil.rmtree(tmp_path / "archive" / "non-compliant")
        idle = command(*call)
        assert idle.code == 3
        assert "matches no finding" in idle.err

    def test_verbs(self, rules, file):
        shown = rules("show", "shared-path-resolution", "--tailoring", file, "--format", "json").json
        assert shown["severity"] == "warning"

        file.write_text("override: {point-cont: {}}\n")
        broken = rules("list", "--tailoring", file)
        assert broken.code == 3
        assert f"{file}:1:12: no rule named point-cont; did you mean point-count?" in broken.err


def test_from_python(tmp_path: Path) -> None:
    file = tmp_path / "lab.yaml"
    file.write_text(TestCommands.TAILORING)

    report = SubmissionChecker(NON_COMPLIANT, tailoring=file, as_of=date(2026, 12, 1)).run()

    assert [result.rule for result in report.waived] == ["metric-consistency-tps-per-user"]
    assert report.waived[0] not in report.errors
    with pytest.raises(RulesetError, match="expired on 2026-12-31, and this is 2027-01-01"):
        SubmissionChecker(NON_COMPLIANT, tailoring=str(file), as_of=date(2027, 1, 1))
    ruleset = load_ruleset(tailoring=read_tailoring(file, as_of=date(2026, 12, 1)))
    assert SubmissionChecker(NON_COMPLIANT, ruleset=ruleset).run().ruleset.tailoring
