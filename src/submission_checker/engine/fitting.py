"""Laying a user's tailoring over a ruleset: every change is checked, and told in the report."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from submission_checker.engine import rules as parts
from submission_checker.engine import source, tailoring, waivers
from submission_checker.engine.errors import ExpressionError, Mistake, did_you_mean
from submission_checker.engine.layers import Files, id_of, lay, merge, override, remove, rule_names
from submission_checker.engine.tailoring import Tailoring

if TYPE_CHECKING:
    from submission_checker.engine.ruleset import Ruleset


def tailor(files: Files, tailored: Tailoring, mistakes: list[Mistake]) -> None:
    """Lay a tailoring over the ruleset: what it adds first, then what it changes, then what it takes away."""
    content, marks = tailored.content, tailored.marks
    own = str(files.settings.get("id", ""))
    if content.get("ruleset", own) != own:
        mistakes.append(
            marks.mistake(("ruleset",), f"written for the ruleset {content['ruleset']}, not {own}")
        )
    for index, layer in enumerate(tailored.folders):
        _add_folder(files, layer, marks, index, mistakes)
    for name, raw in content.get("rules", {}).items():
        _add_inline(files, name, raw, marks, mistakes)
    for name, change in content.get("tables", {}).items():
        _tailor_table(files, name, change, marks, mistakes)
    for name, change in content.get("override", {}).items():
        _tailor_rule(files, name, change, marks, ("override", name), mistakes)
    for name, severity in content.get("severities", {}).items():
        _tailor_severity(files, name, severity, marks, mistakes)
    for index, entry in enumerate(content.get("off", ())):
        found = remove(files, entry["rule"], marks, ("off", index, "rule"), mistakes)
        if found is not None:
            files.told.append(f"{found} is switched off: {entry['reason']}")


def _add_folder(files: Files, layer: Path, marks: source.Marks, index: int, mistakes: list[Mistake]) -> None:
    place = ("folders", index)
    if not layer.is_dir():
        mistakes.append(marks.mistake(place, f"no folder {layer}"))
        return
    if (layer / "ruleset.yaml").exists():
        mistakes.append(marks.mistake(place, f"{layer} is a ruleset of its own; ask for it with --rules"))
        return
    before, count = dict(files.rules), len(mistakes)
    lay(files, layer, mistakes)
    changed = [name for name, raw in files.rules.items() if before.get(name) is not raw]
    if not changed and len(mistakes) == count:
        mistakes.append(marks.mistake(place, f"{layer} holds no rule: one is <family>/<rule>.yaml"))
    for name in changed:
        what = "replaced" if name in before else "added"
        files.told.append(f"{name} is {what}: {files.rules[name].get('title', '')}")


def _add_inline(
    files: Files, name: str, raw: dict[str, Any], marks: source.Marks, mistakes: list[Mistake]
) -> None:
    place = ("rules", name)
    if name in files.rules:
        mistakes.append(marks.mistake(place, f"there is a rule {name} already; change it with `override`"))
        return
    written = {key: value for key, value in raw.items() if key not in ("id", "family")}
    if not files.examples:
        written.pop("examples", None)
    rule = {"id": name, **written}
    # A user's own rule need not serve a clause of the policy.
    whole = {"clauses": ["own"], **rule}
    inside = source.Overlaid(source.Marks(marks.file), marks, place)
    if "id" in raw:
        mistakes.append(marks.mistake((*place, "id"), "an added rule is called by its key; no id here"))
    elif files.check_shape("rule", whole, inside, mistakes):
        files.rules[name] = rule
        files.families[name] = raw.get("family", tailoring.ADDED)
        files.sources[name] = marks.file
        files.marks[name] = inside
        files.told.append(f"{name} is added: {rule.get('title', '')}")
        return
    files.unusable.add(name)


def _tailor_table(
    files: Files, name: str, change: dict[str, Any], marks: source.Marks, mistakes: list[Mistake]
) -> None:
    before = files.tables.get(name)
    merged = merge(before or {}, change)
    inside = source.Overlaid(
        files.marks.get(f"table:{name}", source.Marks(marks.file)), marks, ("tables", name)
    )
    if not files.check_shape(f"tables/{name}", merged, inside, mistakes):
        return
    files.tables[name] = merged
    files.marks[f"table:{name}"] = inside
    if before is None:
        files.told.append(f"the table {name} is added")
    else:
        changes = list(tailoring.differences(before, merged))
        if changes:
            files.told.append(f"table {name}: {tailoring.listed(iter(changes))}")


def _tailor_rule(
    files: Files,
    name: str,
    change: dict[str, Any],
    marks: source.Marks,
    place: tuple[str | int, ...],
    mistakes: list[Mistake],
) -> None:
    before = files.rules.get(id_of(files, name) or "", {})
    found = override(files, name, change, marks, place, mistakes)
    if found is None:
        return
    old, new = ({**raw, "examples": None} for raw in (before, files.rules[found]))
    changes = list(tailoring.differences(old, new))
    if changes:
        files.told.append(f"{found}: {tailoring.listed(iter(changes))}")


def _tailor_severity(
    files: Files, name: str, severity: str, marks: source.Marks, mistakes: list[Mistake]
) -> None:
    """Give a rule a severity, and take away what its checks say of it."""
    change: dict[str, Any] = {"severity": severity}
    before = files.rules.get(id_of(files, name) or "", {})
    if "checks" in before:
        change["checks"] = [
            {key: value for key, value in check.items() if key != "severity"} for check in before["checks"]
        ]
    found = override(files, name, change, marks, ("severities", name), mistakes)
    if found is not None:
        old = {before.get("severity"), *(check.get("severity") for check in before.get("checks", ()))} - {
            None,
            severity,
        }
        if old:
            files.told.append(
                f"{found}: severity is {severity} instead of {' and '.join(sorted(map(str, old)))}"
            )


def link_tailoring(ruleset: Ruleset, files: Files, tailored: Tailoring, mistakes: list[Mistake]) -> None:
    """See that every waiver holds, and that every table is one that something looks up."""
    marks = tailored.marks
    used = _tables_used(ruleset)
    for name in tailored.content.get("tables", {}):
        if name not in used:
            hint = did_you_mean(name, used)
            mistakes.append(marks.mistake(("tables", name), f"no rule looks up a table {name}{hint}"))
    entries = list(tailored.waivers())
    files.told += [tailoring.about_waiver(entry, tailored.with_waivers) for entry in entries]
    if tailored.with_waivers:
        for entry in entries:
            refused = waivers.refusal(entry.waiver, ruleset.find, rule_names(files), tailored.as_of)
            if refused:
                mistakes.append(entry.mistake(refused))
        ruleset.waivers = tuple(entries)
    ruleset.tailoring = tailored
    ruleset.info = replace(ruleset.info, tailoring=tuple(files.told))


def _tables_used(ruleset: Ruleset) -> set[str]:
    """Return the tables that a rule, a fact or a gate looks up."""
    named: set[str] = set()
    for rule in ruleset.rules.values():
        computed = [part for _, part in rule.expressions()]
        named |= _named([*computed, *rule.definitions.values()]) - set(rule.definitions)
    named |= _named(fact.definition for facts in ruleset.facts.values() for fact in facts.values())
    named |= _named(gate.when for gate in ruleset.gates if gate.when is not None)
    return named & set(ruleset.tables)


def _named(entries: Iterable[parts.Definition]) -> set[str]:
    """Return the names that definitions begin with; one that cannot be compiled names nothing."""
    named: set[str] = set()
    for entry in entries:
        try:
            named.update(entry.path.first_keys if isinstance(entry, parts.Extract) else entry.names())
        except ExpressionError:
            continue
    return named
