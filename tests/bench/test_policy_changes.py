"""Ten changes of the policy, each made in YAML and JSON only, over the shipped rules.

Each writes an overlay as a policy editor would, and checks a submission that satisfies the new policy and one
that does not, both also under the policy before. New rules bring examples, and nothing in them is amiss.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from submission_checker import SubmissionChecker, resources
from submission_checker.engine.model import Verdict
from tests.support.submissions import SUBMISSIONS, Case


@pytest.fixture(autouse=True)
def rules_of_the_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLPERF_ENDPOINTS_RULESET", "2026-10")


CURVE = "results/lakeside_l8/llama3_1-8b"
SCHEMA = f"# yaml-language-server: $schema={resources.schemas().as_posix()}/{{}}.schema.json\n"
"""First line of a file, from which editors complete."""
SETTINGS = SCHEMA.format("ruleset") + "id: next\ntitle: The next round\nextends: 2026-10\n"
POINTS = ("r16", "r24", "r64", "r128", "r256", "r512", "r1024", "r13368")


@dataclass(frozen=True)
class Change:
    """A change of the policy."""

    files: Mapping[str, str]
    """The overlay: its files."""
    breaking: Mapping[str, Any]
    """What makes the sample break the new policy, as `fixtures/submissions/broken` writes it."""
    findings: set[tuple[str, str, str]]
    """What that leads to: rule, severity, and place below the curve."""
    before: set[tuple[str, str, str]] = field(default_factory=set)
    """What it leads to under the policy before."""
    passing: Mapping[str, Any] = field(default_factory=dict)
    """What makes the sample satisfy the new policy; nothing, where it does already."""
    new_rules: tuple[str, ...] = ()


def settings(text: str = "") -> dict[str, str]:
    return {"ruleset.yaml": SETTINGS + text}


THRESHOLD = Change(
    # Shortest duration of the lowest region: 10 minutes until now, 21 from now on. The examples say so too.
    files={
        **settings("""\
merge_tables: [durations]
override:
  point-duration:
    examples:
      passed:
        - given: {region: low_latency, disclosure: {steady_state: {window: {duration_s: 1260}}}}
          message: measured for 1260 s, 1260 s or more as low_latency needs
        - given: {region: margin, summary: {duration_ns: 1.3e+12}}
        - given: {region: margin, summary: {duration_ns: .nan}}
      broken:
        - given:
            region: low_latency
            disclosure: {steady_state: {window: {duration_s: 1259.99}}}
            summary: {duration_ns: 9.0e+12}
          message: measured for 1259.99 s; a point in low_latency needs 1260 s
          severity: warning
        - given: {region: low_concurrency, summary: {duration_ns: 1199999999999}}
"""),
        "tables/durations.yaml": SCHEMA.format("tables/durations") + "minimum_ms: {low_latency: 1260000}\n",
    },
    breaking={f"{CURVE}/r16/point.yaml": {"set": {"/steady_state/window/duration_s": 1259.0}}},
    findings={("point-duration", "warning", "r16/result_summary.json")},
)

TOLERANCE = Change(
    # A stated utilization may be 0.1 off until now, 0.01 from now on.
    files=settings("""\
override:
  tps-utilization:
    params: {abs_tol: 0.01}
    examples:
      passed:
        - given: {tps_as_written: 10.0, utilization_as_written: 0.11, curve: {peak_tps: 100.0}}
          message: tps_utilization = 0.1100, and 10.00 of 100.00 tok/s are 0.1000
        - given: {tps_as_written: 10.0, utilization_as_written: 0.0901, curve: {peak_tps: 100.0}}
      broken:
        - given: {tps_as_written: 10.0, utilization_as_written: 0.1101, curve: {peak_tps: 100.0}}
          message: tps_utilization is 0.1101, but 10.00 of 100.00 tok/s are 0.1000; they may differ by 0.01
          severity: error
        - given: {tps_as_written: 10.0, utilization_as_written: 0.0899, curve: {peak_tps: 100.0}}
        - given: {tps_as_written: 0.0001, utilization_as_written: 1.0101, curve: {peak_tps: 0.0001}}
        - given: {tps_as_written: .nan, utilization_as_written: 0.5, curve: {peak_tps: .nan}}
"""),
    breaking={f"{CURVE}/r16/system_desc.json": {"set": {"/tps_utilization": 0.0661}}},
    findings={("tps-utilization", "error", "r16/system_desc.json")},
)

DISCLOSURE_FIELD = Change(
    # Every point says who measured it.
    files={
        **settings("""\
merge_tables: [vocabularies]
override:
  point-disclosure-complete:
    examples:
      broken:
        - given: {disclosure: {measured_by: "", division: null}}
          severity: error
        - given:
            vocabularies: {disclosure: {required: [division, measured_by]}}
            disclosure: {division: Standardized, measured_by: ""}
          message: "not disclosed: measured_by"
"""),
        "tables/vocabularies.yaml": SCHEMA.format("tables/vocabularies") + """\
disclosure:
  required: [division, max_supported_concurrency, model_name, model_precision, link_to_model, dataset_name,
    dataset_type, dataset_link, shared_src, shared_docs, seed_set, target_cohort, measured_by]
""",
        "schemas/point.schema.json": json.dumps(
            {
                "x-extends": True,
                "properties": {
                    "measured_by": {"type": ["string", "null"], "description": "Who ran the measurement."}
                },
            }
        ),
    },
    passing={f"{CURVE}/r*/point.yaml": {"set": {"/measured_by": "R. Ranger"}}},
    breaking={
        f"{CURVE}/r[!2]*/point.yaml": {"set": {"/measured_by": "R. Ranger"}},
        f"{CURVE}/r24/point.yaml": {"set": {"/measured_by": ""}},
    },
    findings={("point-disclosure-complete", "error", "r24/point.yaml"),
              ("point-disclosure-complete", "error", "r256/point.yaml")},
)  # fmt: skip

WORD = Change(
    # A third load pattern is allowed.
    files={
        **settings("""\
merge_tables: [vocabularies]
override:
  load-pattern:
    examples:
      broken:
        - given: {disclosure: {concurrency: 64, runtime_settings: {load_pattern: stairs}}}
          message: "the load pattern is stairs, but must be one of: concurrency, agentic_inference, staircase"
          severity: error
        - given: {disclosure: {concurrency: 64, offline: elected, runtime_settings: {load_pattern: poisson}}}
        - given: {disclosure: {concurrency: 0, runtime_settings: {load_pattern: staircase}}}
          message: the concurrency is 0, but at least 1 request must be in flight
          severity: error
        - given: {disclosure: {concurrency: -8, runtime_settings: {load_pattern: concurrency}}}
"""),
        "tables/vocabularies.yaml": SCHEMA.format("tables/vocabularies")
        + "load_patterns: {allowed: [concurrency, agentic_inference, staircase]}\n",
    },
    passing={f"{CURVE}/r*/point.yaml": {"set": {"/runtime_settings/load_pattern": "staircase"}}},
    breaking={
        f"{CURVE}/r*/point.yaml": {"set": {"/runtime_settings/load_pattern": "staircase"}},
        f"{CURVE}/r64/point.yaml": {"set": {"/runtime_settings/load_pattern": "stair case"}},
    },
    findings={("load-pattern", "error", "r64/point.yaml"), ("benchmark-type-consistency", "error", ".")},
    before={
        *(("load-pattern", "error", f"{point}/point.yaml") for point in POINTS if point != "r13368"),
        ("benchmark-type-consistency", "error", "."),
    },
)

SEVERITY = Change(
    # A region that is declared wrongly fails the submission.
    files=settings("""\
override:
  region-placement:
    severity: error
    action: reject-points
    examples:
      broken:
        - given:
            disclosure: {concurrency: 64, region: low}
            curve: {c_min: 16, c_max: 64, bounds: {high: {start: 43, end: 64}}}
          message: declared as low, but a concurrency of 64 is in high (C_min = 16, C_max = 64)
          severity: error
"""),
    breaking={f"{CURVE}/r16/point.yaml": {"set": {"/region": "med_concurrency"}}},
    findings={("region-placement", "error", "r16/point.yaml")},
    before={("region-placement", "warning", "r16/point.yaml")},
)

REQUIRED_FILE = Change(
    # Every point has the configuration of its run beside it.
    files={
        **settings(),
        "layout.yaml": SCHEMA.format("layout")
        + """\
documents:
  config: {scope: point, file: config.yaml, schema: config, doc: The configuration that the run was given.}
""",
        "schemas/config.schema.json": json.dumps(
            {
                "title": "Configuration of a run",
                "type": "object",
                "description": "As the load generator read it.",
            }
        ),
        "points/config-present.yaml": SCHEMA.format("rule")
        + """\
id: config-present
title: Every point has its configuration beside it
clauses: ["8.3"]
severity: error
scope: point
at: config
let:
  problems: files.config.problems
  first: problems[0]
checks:
  - when: not files.config.exists
    broken: there is no config.yaml
  - require: len(problems) == 0
    at: {place: first}
    broken: "config.yaml: {first.message}"
passed: config.yaml is there
examples:
  passed:
    - given: {config: {model: a}}
      message: config.yaml is there
  broken:
    - given: {}
      message: there is no config.yaml
      severity: error
    - given: {files: {config: {exists: true, problems: [{message: is a list}, {message: or worse}]}}}
      message: "config.yaml: is a list"
""",
    },
    passing={f"{CURVE}/{point}/config.yaml": {"text": "settings: {}\n"} for point in POINTS},
    breaking={
        **{f"{CURVE}/{point}/config.yaml": {"text": "settings: {}\n"} for point in POINTS[2:]},
        f"{CURVE}/r24/config.yaml": {"text": "- settings\n"},
    },
    findings={("config-present", "error", "r16/config.yaml"), ("config-present", "error", "r24/config.yaml")},
    new_rules=("config-present",),
)

TWO_DOCUMENTS = Change(
    # A point and its system description name one precision.
    files={
        **settings(),
        "points/precision-agrees.yaml": SCHEMA.format("rule")
        + """\
id: precision-agrees
title: A point and its system description name one precision
clauses: ["8.5"]
severity: error
scope: point
extract:
  measured: disclosure.model_precision
  described: system_desc.model_precision
when: measured is not None and described is not None
require: lower(measured) == lower(described)
broken: "model_precision is {measured} in point.yaml, but {described} in system_desc.json"
at: disclosure.model_precision
examples:
  passed:
    - given: {disclosure: {model_precision: fp8}, system_desc: {model_precision: FP8}}
  broken:
    - given: {disclosure: {model_precision: fp8}, system_desc: {model_precision: bf16}}
      message: model_precision is fp8 in point.yaml, but bf16 in system_desc.json
      severity: error
      at: system/curve/point/point.yaml#/model_precision
  not_checked:
    - given: {disclosure: {model_precision: fp8}}
    - given: {system_desc: {model_precision: fp8}}
""",
    },
    breaking={f"{CURVE}/r64/point.yaml": {"set": {"/model_precision": "bf16"}}},
    findings={("precision-agrees", "error", "r64/point.yaml")},
    new_rules=("precision-agrees",),
)

TABLE = Change(
    # The precisions that each model may be measured in, in a table of their own.
    files={
        **settings(),
        "tables/precisions.yaml": "allowed:\n  llama3_1-8b: [fp8, bf16]\n  kimi-k3: [fp4]\n",
        "points/precision-allowed.yaml": SCHEMA.format("rule")
        + """\
id: precision-allowed
title: A model is measured in a precision that is allowed for it
clauses: ["3.2"]
severity: error
scope: point
extract:
  precision: disclosure.model_precision
let:
  allowed: precisions.allowed[model_name]
when: model_name is not None and precision is not None
checks:
  - require: allowed is not None
    severity: warning
    broken: "no precision is listed for {model_name}"
  - require: lower(precision) in allowed
    broken: "{model_name} is measured in {precision}, but only {allowed} may be"
at: disclosure.model_precision
examples:
  passed:
    - given: {disclosure: {model_name: kimi-k3, model_precision: FP4}}
  broken:
    - given: {disclosure: {model_name: kimi-k3, model_precision: fp8}}
      message: kimi-k3 is measured in fp8, but only fp4 may be
      severity: error
    - given: {disclosure: {model_name: kimi-k4, model_precision: fp8}}
      message: no precision is listed for kimi-k4
      severity: warning
  not_checked:
    - given: {disclosure: {model_precision: fp8}}
    - given: {disclosure: {model_name: kimi-k3}}
""",
    },
    breaking={f"{CURVE}/r64/point.yaml": {"set": {"/model_precision": "int4"}}},
    findings={("precision-allowed", "error", "r64/point.yaml")},
    new_rules=("precision-allowed",),
)

LIST_AT_CURVE = Change(
    # No point of a curve is slower for a user than one at a higher concurrency.
    files={
        **settings(),
        "facts.yaml": SCHEMA.format("facts") + """\
point:
  user_rate: {path: summary.tps_per_user, doc: "Stored token rate of a user, in tok/s."}
curve:
  rated_points: {path: "points[?user_rate]", doc: Points with a stored token rate of a user.}
""",
        "metrics/user-rate-falls.yaml": SCHEMA.format("rule") + """\
id: user-rate-falls
title: A user is served no faster at a higher concurrency
clauses: ["4.1"]
severity: warning
scope: curve
let:
  count: len(rated_points)
  odd: >-
    [point.name for point in rated_points
    if any([other.user_rate > point.user_rate for other in rated_points
    if other.concurrency > point.concurrency])]
when: len(rated_points) > 1
require: len(odd) == 0
broken: "slower for a user than a point with more requests in flight: {odd}"
passed: "the rate of a user falls over all {count} points"
examples:
  passed:
    - given: {rated_points: [{concurrency: 1, user_rate: 9.5}, {concurrency: 2, user_rate: 9.5}]}
      message: the rate of a user falls over all 2 points
    - given: {rated_points: [{concurrency: 2, user_rate: 9.4}, {concurrency: 2, user_rate: 9.5}]}
  broken:
    - given:
        rated_points:
          - {name: r1, concurrency: 1, user_rate: 9.4}
          - {name: r2, concurrency: 2, user_rate: 9.5}
          - {name: r4, concurrency: 4, user_rate: 9.3}
      message: "slower for a user than a point with more requests in flight: r1"
      severity: warning
  not_checked:
    - given: {rated_points: [{concurrency: 1, user_rate: 9.5}]}
    - given: {rated_points: []}
""",
    },
    breaking={f"{CURVE}/r64/result_summary.json": {"set": {"/tps_per_user": 172.0}}},
    findings={("user-rate-falls", "warning", "."),
              ("metric-consistency-tps-per-user", "error", "r64/result_summary.json")},
    before={("metric-consistency-tps-per-user", "error", "r64/result_summary.json")},
    new_rules=("user-rate-falls",),
)  # fmt: skip

RETIRED = Change(
    # Nobody asks for the logs of the warmup any more; what they say must hold all the same.
    files=settings("remove: [warmup-logs-retained]\n"),
    passing={f"{CURVE}/r16/point.yaml": {"set": {"/warmup/logs_retained": False}}},
    breaking={
        f"{CURVE}/r16/point.yaml": {"set": {"/warmup/logs_retained": False}},
        f"{CURVE}/r24/point.yaml": {"unset": ["/warmup"]},
    },
    findings={("warmup-present", "error", "r24/point.yaml")},
    before={
        ("warmup-present", "error", "r24/point.yaml"),
        ("warmup-logs-retained", "warning", "r16/point.yaml"),
    },
)

CHANGES = {
    "a threshold": THRESHOLD,
    "a tolerance": TOLERANCE,
    "a new required disclosure field": DISCLOSURE_FIELD,
    "a new vocabulary word": WORD,
    "a severity": SEVERITY,
    "a new required file": REQUIRED_FILE,
    "a rule about two documents agreeing": TWO_DOCUMENTS,
    "a new table with a rule over it": TABLE,
    "a rule at curve scope with a list": LIST_AT_CURVE,
    "retiring a rule": RETIRED,
}


@pytest.fixture(params=CHANGES.values(), ids=CHANGES)
def change(request: pytest.FixtureRequest) -> Change:
    found: Change = request.param
    return found


@pytest.fixture
def overlay(change: Change, tmp_path: Path) -> Path:
    folder = tmp_path / "next"
    for name, text in change.files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder


def submission(root: Path, difference: Mapping[str, Any]) -> Path:
    base = SUBMISSIONS / "compliant"
    case = Case(name="", story="", base=base, change=dict(difference), expect=[], told={})
    return case.materialise(root)


def found(root: Path, ruleset: str | Path) -> set[tuple[str, str, str]]:
    """Rule, severity and place below the curve of everything that is found."""
    results = [
        r for r in SubmissionChecker(root, ruleset=ruleset).run().results if r.verdict is not Verdict.PASSED
    ]
    assert all(result.verdict is Verdict.BROKEN for result in results), results
    assert all(result.location.startswith(CURVE) for result in results)
    return {(r.rule, r.severity.value, r.location.removeprefix(CURVE).strip("/") or ".") for r in results}


def test_no_python_is_needed(overlay: Path, change: Change) -> None:
    written = {path.suffix for path in overlay.rglob("*") if path.is_file()}

    assert written <= {".yaml", ".json"}
    assert len(list(overlay.rglob("*.*"))) == len(change.files)


def test_a_submission_that_satisfies_it_passes(overlay: Path, change: Change, tmp_path: Path) -> None:
    root = submission(tmp_path / "passing", change.passing)

    assert found(root, overlay) == set()


def test_a_submission_that_breaks_it_is_told(overlay: Path, change: Change, tmp_path: Path) -> None:
    root = submission(tmp_path / "breaking", change.breaking)

    assert found(root, overlay) == change.findings


def test_it_is_the_change_that_tells(change: Change, tmp_path: Path) -> None:
    root = submission(tmp_path / "breaking", change.breaking)

    before = found(root, "2026-10")

    assert before == change.before
    assert before != change.findings


def test_the_bench_finds_nothing_amiss(rules, overlay: Path, change: Change) -> None:
    lint = rules("lint", "--rules", overlay)
    assert lint.code == 0, lint.out + lint.err

    test = rules("test", *change.new_rules, "--rules", overlay, "--min-score", "95")
    assert test.code == 0, test.out + test.err


def test_the_difference_is_told(rules, overlay: Path, change: Change, tmp_path: Path) -> None:
    root = submission(tmp_path / "breaking", change.breaking)

    answer = rules("diff", "2026-10", overlay, "--over", root, "--format", "json")

    assert answer.code == 0, answer.err
    [compared] = answer.json["over"]
    assert {turned["rule"] for turned in compared["turned"]} == {
        rule for rule, *_ in change.findings ^ change.before
    }
    assert all(turned["why"] for turned in compared["turned"])


def test_there_are_ten() -> None:
    assert len(CHANGES) == 10


def test_a_threshold_in_a_tailoring(rules, tmp_path: Path) -> None:
    """The same without a ruleset of one's own: a laboratory that is stricter with itself."""
    (tmp_path / "lab.yaml").write_text("tables: {durations: {minimum_ms: {low_latency: 1260000}}}\n")
    shutil.copytree(SUBMISSIONS / "compliant", tmp_path / "sound")
    root = submission(tmp_path / "breaking", THRESHOLD.breaking)

    answer = rules("check", "sound", "--tailoring", "lab.yaml", group=())
    assert answer.code == 0, answer.out
    answer = rules("check", root, "--tailoring", "lab.yaml", group=())
    assert "warning[point-duration]" in answer.out
    assert "table durations: minimum_ms.low_latency is 1260000 instead of 600000" in " ".join(
        answer.out.split()
    )
