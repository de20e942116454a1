"""Accuracy: the metrics of a result file, and the targets they are held to."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from submission_checker.functions._numbers import add_up, plain_float, plain_int

PERCENT = 100
"""What a fraction is multiplied by to be a percentage."""


def target_of(directory: str, targets: Mapping[str, Mapping[str, Any]]) -> dict[str, Any] | None:
    """Find the accuracy target of a model by the name of its folder.

    Args:
        directory: Name of the model's folder; only its letters a to z and digits count, in any letter case.
        targets: Targets by model, each with the `fragments` that the name holds.

    Returns:
        First target of which the name holds every fragment, with the model as its `id`, or None.

    Clause:
        endpoints_rules.md §4.3

    >>> target_of("GPT-OSS-120B", {"gpt-oss-120b": {"fragments": ["gptoss", "120b"]}})["id"]
    'gpt-oss-120b'
    """
    squashed = re.sub(r"[^a-z0-9]", "", directory.lower())
    for model, target in targets.items():
        if all(fragment in squashed for fragment in target["fragments"]):
            return {"id": model, **target}
    return None


def usable_scores(document: Any) -> Mapping[str, Any] | None:
    """Give the entries of an accuracy document, if it can be read as one.

    Args:
        document: Accuracy results: for each dataset its entry.

    Returns:
        The document, if it is a mapping with at least one entry and all entries are mappings; None otherwise.

    Clause:
        endpoints_rules.md §6.6

    >>> usable_scores({"gpqa": {"score": 0.5}}), usable_scores({"gpqa": 0.5}), usable_scores({})
    ({'gpqa': {'score': 0.5}}, None, None)
    """
    if not isinstance(document, Mapping) or not document:
        return None
    return document if all(isinstance(entry, Mapping) for entry in document.values()) else None


def read_scores(
    document: Any,
    *,
    wrapper: str | None,
    name_field: str,
    score_field: str,
    type_field: str,
    inline_type: str,
    aliases: Mapping[str, str],
) -> dict[str, Any]:
    """Read an accuracy document in any of its shapes: entries by dataset, or a list of entries with names.

    Args:
        document: Accuracy results as submitted.
        wrapper: Member that holds the results where the document is a mapping that has it; None where the
            document is what such a member held.
        name_field: Member of an entry of a list that names its dataset.
        score_field: Member that an entry of a list has at least.
        type_field: Member of an entry that says what kind of run it is of.
        inline_type: Value of it for the one run that was scored while it was measured.
        aliases: Members of an entry, and the names that the load generator's list has for them.

    Returns:
        The `entries` by dataset, with the members' own names; None where there are none or the document is
        not right. The `pointer` to the entries; None for a list. And the `problems`: for each a `message` and
        the `pointer` to it, None for a document without entries.

    Clause:
        endpoints_rules.md §4.3, §6.6

    >>> fields = {"wrapper": "accuracy_scores", "name_field": "dataset_name", "score_field": "score",
    ...           "type_field": "dataset_type", "inline_type": "performance", "aliases": {"n": "unit_n"}}
    >>> read_scores([{"dataset_name": "gpqa", "score": 0.5, "unit_n": 3}], **fields)["entries"]
    {'gpqa': {'dataset_name': 'gpqa', 'score': 0.5, 'unit_n': 3, 'n': 3}}
    >>> read_scores({"accuracy_scores": 5}, **fields)["problems"]
    [{'pointer': '/accuracy_scores', 'message': 'accuracy_scores must be an object or a list of entries'}]
    """
    base, found = "", document
    if wrapper is not None and isinstance(document, Mapping) and wrapper in document:
        base, found = f"/{wrapper}", document[wrapper]
    name = base.lstrip("/") or "the document"
    if not isinstance(found, Mapping | list):
        problems = [_flaw(base, f"{name} must be an object or a list of entries")]
    elif not found:
        problems = [{"pointer": None, "message": "holds no entry of a dataset"}]
    else:
        named = isinstance(found, Mapping)
        pairs = list(found.items()) if isinstance(found, Mapping) else list(enumerate(found))
        problems = [_flaw(f"{base}/{_escaped(key)}", f"entry {key} is not an object")
                    for key, entry in pairs if not isinstance(entry, Mapping)]  # fmt: skip
        entries = {key: entry for key, entry in pairs if isinstance(entry, Mapping)}
        if not named:
            problems += _list_flaws(entries, base, name_field, score_field, aliases)
        if sum(entry.get(type_field) == inline_type for entry in entries.values()) > 1:
            problems.append(_flaw(base, f"several entries have {type_field} {inline_type}; one may"))
        if not problems:
            given = entries if named else {e[name_field]: _renamed(e, aliases) for e in entries.values()}
            return {"entries": given, "pointer": base if named else None, "problems": []}
    return {"entries": None, "pointer": None, "problems": problems}


def inline_dataset(
    entries: Mapping[str, Mapping[str, Any]] | None, *, type_field: str, inline_type: str
) -> str | None:
    """Find the entry of the run that was scored while it was measured.

    Args:
        entries: For each dataset its entry.
        type_field: Member of an entry that says what kind of run it is of.
        inline_type: Value of it for that run; an entry of that name without the member will do.

    Returns:
        The entry's dataset; None without any.

    Clause:
        endpoints_rules.md §4.3

    >>> entries = {"performance": {"score": 0.5}, "suite": {"score": 0.6, "dataset_type": "performance"}}
    >>> inline_dataset(entries, type_field="dataset_type", inline_type="performance")
    'suite'
    >>> inline_dataset({"performance": {}}, type_field="dataset_type", inline_type="performance")
    'performance'
    """
    entries = entries or {}
    typed = (dataset for dataset, entry in entries.items() if entry.get(type_field) == inline_type)
    untyped = inline_type if type_field not in entries.get(inline_type, {type_field: None}) else None
    return next(typed, untyped)


def metrics_by_dataset(
    scores: Mapping[str, Mapping[str, Any]], *, score_field: str, not_metrics: Sequence[str]
) -> dict[str, dict[str, float]]:
    """Collect the metrics of each dataset of an accuracy document.

    They are the members of the score where it is a mapping; the score itself where it is one value; and
    without a score every other member of the entry. What cannot be read as a number is left out.

    Args:
        scores: For each dataset its entry.
        score_field: Member of an entry that holds its score or scores, and the name of a score that is one
            value.
        not_metrics: Members of an entry that are no metric.

    Returns:
        For each dataset its metrics by name; datasets without any are left out.

    Clause:
        endpoints_rules.md §4.3

    >>> scores = {"a": {"score": 0.5}, "b": {"rouge1": "38.8", "num_samples": 9}}
    >>> metrics_by_dataset(scores, score_field="score", not_metrics=["num_samples"])
    {'a': {'score': 0.5}, 'b': {'rouge1': 38.8}}
    """
    found = {}
    for dataset, entry in scores.items():
        members = _metric_members(entry, score_field, not_metrics)
        metrics = {
            way[-1]: number for way, value in members.items() if (number := plain_float(value)) is not None
        }
        if metrics:
            found[dataset] = metrics
    return found


def issued_samples(
    scores: Mapping[str, Mapping[str, Any]], *, samples_field: str, repeats_field: str
) -> int | None:
    """Count the samples that an accuracy run issued.

    Args:
        scores: For each dataset its entry.
        samples_field: Member of an entry with its number of samples; entries without one do not count.
        repeats_field: Member of an entry with how often each sample was issued, once when it says less or
            nothing.

    Returns:
        Samples of all datasets, every repetition counted; None when no dataset says how many.

    Clause:
        endpoints_rules.md §6.6

    >>> scores = {"a": {"n": 100, "k": 5}, "b": {"n": "50"}, "c": {}}
    >>> issued_samples(scores, samples_field="n", repeats_field="k")
    550
    """
    counts = []
    for entry in scores.values():
        samples = plain_int(entry.get(samples_field))
        if samples is not None:
            counts.append(samples * max(plain_int(entry.get(repeats_field)) or 1, 1))
    return sum(counts) if counts else None


def unbounded_numbers(
    scores: Mapping[str, Mapping[str, Any]],
    *,
    score_field: str,
    samples_field: str,
    repeats_field: str,
    not_metrics: Sequence[str],
) -> list[dict[str, str]]:
    """List the numbers of an accuracy document that nothing can be reckoned with.

    They are metrics and sample counts that are integers beyond what a double can hold, and infinite counts.

    Args:
        scores: For each dataset its entry.
        score_field: Member of an entry that holds its score or scores.
        samples_field: Member of an entry with its number of samples.
        repeats_field: Member of an entry with how often each sample was issued.
        not_metrics: Members of an entry that are no metric.

    Returns:
        For each such number its `name` (dataset and members, with points between) and its `pointer` from the
        scores on.

    Clause:
        endpoints_rules.md §6.6

    >>> fields = {"score_field": "score", "samples_field": "n", "repeats_field": "k"}
    >>> unbounded_numbers({"a": {"n": float("inf")}}, **fields, not_metrics=["n", "k"])
    [{'name': 'a.n', 'pointer': '/a/n'}]
    """
    found = []
    for dataset, entry in scores.items():
        metrics = _metric_members(entry, score_field, not_metrics)
        ways = [way for way, value in metrics.items() if _is_beyond_doubles(value)]
        samples, repeats = entry.get(samples_field), entry.get(repeats_field)
        if _is_infinite(samples) or _is_beyond_doubles(samples):
            ways.append((samples_field,))
        if _is_infinite(repeats):
            ways.append((repeats_field,))
        for way in ways:
            pointer = "".join(f"/{_escaped(key)}" for key in (dataset, *way))
            found.append({"name": ".".join((dataset, *way)), "pointer": pointer})
    return found


def mean_metrics(
    metrics: Mapping[str, Mapping[str, float]],
    scores: Mapping[str, Mapping[str, Any]],
    *,
    samples_field: str,
) -> dict[str, float]:
    """Average each metric over the datasets that have it, by their numbers of samples.

    Args:
        metrics: Metrics of each dataset, as `metrics_by_dataset` gives them.
        scores: For each dataset its entry.
        samples_field: Member of an entry with its number of samples. When a dataset does not say, or they add
            up to zero or less, all datasets weigh the same.

    Returns:
        Mean of each metric, in the order they are met.

    Clause:
        endpoints_rules.md §4.3

    >>> metrics = {"a": {"exact_match": 80.0}, "b": {"exact_match": 90.0}}
    >>> mean_metrics(metrics, {"a": {"n": 3}, "b": {"n": 1}}, samples_field="n")
    {'exact_match': 82.5}
    """
    columns: dict[str, list[tuple[float, float | None]]] = {}
    for dataset, named in metrics.items():
        weight = plain_float(scores[dataset].get(samples_field))
        for name, value in named.items():
            columns.setdefault(name, []).append((value, weight))
    return {name: _weighted_mean(column) for name, column in columns.items()}


def is_unnamed_score(means: Mapping[str, float], target: Mapping[str, Any], *, score_field: str) -> bool:
    """Tell whether a result is one score without a name where the target asks for one metric.

    Args:
        means: Metrics of a point, as `mean_metrics` gives them.
        target: Accuracy target, with its `metrics` by name.
        score_field: Name that a score without a name goes by.

    Returns:
        True if it is so; the score is then taken for the target's metric.

    Clause:
        endpoints_rules.md §4.3

    >>> is_unnamed_score({"score": 81.0}, {"metrics": {"exact_match": {}}}, score_field="score")
    True
    """
    return list(means) == [score_field] and len(target["metrics"]) == 1


def gate_rows(
    means: Mapping[str, float], target: Mapping[str, Any], *, score_field: str
) -> list[dict[str, Any]]:
    """Hold the metrics of a point against the accuracy target of its model.

    A metric is found by its name in any letter case. A value between 0 and 1 of a metric whose floor is above
    1 is read as a fraction. A score without a name is taken for the only metric of a target.

    Args:
        means: Metrics of a point, as `mean_metrics` gives them.
        target: Accuracy target, with its `metrics` by name: each with a `reference`, the share of it that is
            the floor (`at_least`), and perhaps the multiple that is the ceiling (`at_most`) and the reference
            of the ceiling, where that is another one (`at_most_of`).
        score_field: Name that a score without a name goes by.

    Returns:
        For each metric of the target that the point has: `metric`, its `value` (scaled), the `lower` and the
        `upper` bound (None if there is none), whether it was `scaled`, and whether it is `low` or `high`,
        both bounds inclusive. NaN is neither.

    Clause:
        endpoints_rules.md §4.3, §9.1

    >>> target = {"metrics": {"exact_match": {"reference": 80.0, "at_least": 0.5}}}
    >>> row = gate_rows({"score": 0.4}, target, score_field="score")[0]
    >>> row["metric"], row["value"], row["lower"], row["low"]
    ('exact_match', 40.0, 40.0, False)
    """
    named = means
    if is_unnamed_score(means, target, score_field=score_field):
        named = {next(iter(target["metrics"])): means[score_field]}
    rows = []
    for metric, bounds in target["metrics"].items():
        value = next((mean for name, mean in named.items() if name.lower() == metric), None)
        if value is not None:
            rows.append(_gate_row(metric, value, bounds))
    return rows


def accuracy_bands(
    concurrency: int,
    region: str | None,
    *,
    ultra_low: str,
    ultra_low_highest: int,
    bands: Sequence[str],
) -> list[str]:
    """List the bands whose accuracy a point vouches for: its region, and the lowest band if it is in it.

    Args:
        concurrency: Concurrency of the point, in requests in flight.
        region: Region of the point, as `region_of` gives it.
        ultra_low: Name of the lowest band.
        ultra_low_highest: Highest concurrency of the lowest band, in requests in flight.
        bands: Names of the bands that need accuracy.

    Returns:
        Names of the bands, none to two.

    Clause:
        endpoints_rules.md §5.3

    >>> accuracy_bands(20, "low", ultra_low="ultra_low", ultra_low_highest=32, bands=["ultra_low", "low"])
    ['ultra_low', 'low']
    """
    found = [ultra_low] if concurrency <= ultra_low_highest else []
    return [*found, region] if region is not None and region in bands else found


def _escaped(key: Any) -> str:
    """Write a key as a part of a JSON pointer."""
    return str(key).replace("~", "~0").replace("/", "~1")


def _flaw(pointer: str, message: str) -> dict[str, Any]:
    return {"pointer": pointer, "message": message}


def _list_flaws(
    entries: Mapping[int, Mapping[str, Any]],
    base: str,
    name_field: str,
    score_field: str,
    aliases: Mapping[str, str],
) -> list[dict[str, Any]]:
    """List what is wrong with the entries of a list: names, scores, and two values for one member."""
    flaws, seen = [], set()
    for index, entry in entries.items():
        name, pointer = entry.get(name_field), f"{base}/{index}"
        if not isinstance(name, str) or not name.strip():
            flaws.append(
                _flaw(f"{pointer}/{name_field}", f"entry {index} does not name its dataset ({name_field})")
            )
        elif name in seen:
            flaws.append(_flaw(f"{pointer}/{name_field}", f"there are several entries of the dataset {name}"))
        else:
            seen.add(name)
        if score_field not in entry:
            flaws.append(_flaw(pointer, f"entry {index} has no {score_field}"))
        flaws += [
            _flaw(
                f"{pointer}/{alias}",
                f"entry {index} has {alias} {entry[alias]}, but {member} {entry[member]}",
            )
            for member, alias in aliases.items()
            if member in entry and alias in entry and entry[member] != entry[alias]
        ]
    return flaws


def _renamed(entry: Mapping[str, Any], aliases: Mapping[str, str]) -> dict[str, Any]:
    """Give the members of an entry that have other names in a list their own besides."""
    named = {member: entry[alias] for member, alias in aliases.items() if alias in entry}
    return {**entry, **named}


def _metric_members(
    entry: Mapping[str, Any], score_field: str, not_metrics: Sequence[str]
) -> dict[tuple[str, ...], Any]:
    """Give the metrics of an entry by the way to each, of which the last name is the metric's own."""
    score = entry.get(score_field)
    if isinstance(score, Mapping):
        return {(score_field, name): value for name, value in score.items()}
    if score is not None:
        return {(score_field,): score}
    return {(name,): value for name, value in entry.items() if name not in (score_field, *not_metrics)}


def _is_beyond_doubles(value: Any) -> bool:
    return isinstance(value, int) and plain_float(value) is None


def _is_infinite(value: Any) -> bool:
    return isinstance(value, float) and math.isinf(value)


def _weighted_mean(column: list[tuple[float, float | None]]) -> float:
    weights = [weight for _, weight in column if weight is not None]
    total = add_up(weights)
    if len(weights) < len(column) or total <= 0:
        return add_up(value for value, _ in column) / len(column)
    return add_up(value * weight for (value, _), weight in zip(column, weights, strict=True)) / total


def _gate_row(metric: str, value: float, bounds: Mapping[str, Any]) -> dict[str, Any]:
    lower = bounds["reference"] * bounds["at_least"]
    upper = None
    if bounds.get("at_most") is not None:
        upper = bounds.get("at_most_of", bounds["reference"]) * bounds["at_most"]
    scaled = 0 <= value <= 1 and lower > 1
    value = value * PERCENT if scaled else value
    return {
        "metric": metric,
        "value": value,
        "lower": lower,
        "upper": upper,
        "scaled": scaled,
        "low": value < lower,
        "high": upper is not None and value > upper,
    }
