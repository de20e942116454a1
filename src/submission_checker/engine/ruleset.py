"""A ruleset: load its folder (and those it extends), lay overlays over it, link names to what they mean."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from submission_checker.documents import DocumentSchema
from submission_checker.engine import layout as layouts
from submission_checker.engine import rules as parts
from submission_checker.engine import shapes, source, tailoring, waivers
from submission_checker.engine.errors import (
    EvaluationError,
    ExpressionError,
    Mistake,
    RulesetError,
    did_you_mean,
)
from submission_checker.engine.language import LANGUAGE
from submission_checker.engine.model import RulesetInfo
from submission_checker.engine.patterns import safe_pattern
from submission_checker.engine.tailoring import Tailoring, TailoringError

_SKIPPED_WHEN_CHECKING = ("examples",)
_FACT_DEPTH = 2
"""Levels of `facts.yaml` that are merged: the scope and the name."""
_FILES = ("ruleset", "layout", "facts", "clauses", "views")


@dataclass(slots=True)
class Ruleset:
    """The rules of one policy version, loaded and linked."""

    info: RulesetInfo
    folder: Path
    chain: tuple[Path, ...]
    """The ruleset's folder, then the folders it extends."""
    settings: dict[str, Any]
    """`ruleset.yaml`, overlays applied."""
    layout: layouts.Layout
    facts: dict[str, dict[str, parts.Fact]]
    """Scope to name to fact."""
    tables: dict[str, Any]
    rules: dict[str, parts.Rule]
    """Id to rule, in the order of reports."""
    gates: list[parts.Gate]
    clauses: dict[str, Any]
    views: dict[str, Any]
    functions: parts.Functions
    schemas_folder: Path | None = None
    tailoring: Tailoring | None = None
    waivers: tuple[waivers.Entry, ...] = ()
    """Waivers that hold."""
    _schemas: dict[str, DocumentSchema] = field(default_factory=dict)

    def schema(self, name: str) -> DocumentSchema:
        """Return the schema of a kind of document, built once.

        Raises:
            RulesetError: where there is none of that name.
        """
        if name not in self._schemas:
            self._schemas[name] = DocumentSchema(self.raw_schema(name), name=name)
        return self._schemas[name]

    def raw_schema(self, name: str) -> dict[str, Any]:
        """Return a document's JSON Schema, laid over the one below where it says `x-extends`."""
        if self.schema_file(name) is None:
            raise RulesetError([Mistake(f"{name}.schema.json", None, None, "no such schema")])
        return _schema_content(name, self.chain, self.schemas_folder)

    def schema_file(self, name: str) -> Path | None:
        """Return where a document's JSON Schema is: in the ruleset, in what it extends, or beside."""
        return _schema_file(name, self.chain, self.schemas_folder)

    def by_scope(self) -> dict[str, list[parts.Rule]]:
        """Return the rules of each scope, in order."""
        found: dict[str, list[parts.Rule]] = {name: [] for name in self.layout.scopes}
        for rule in self.rules.values():
            found[rule.info.scope].append(rule)
        return found

    def find(self, name: str) -> parts.Rule | None:
        """Return the rule of that id or alias."""
        if name in self.rules:
            return self.rules[name]
        return next((rule for rule in self.rules.values() if name in rule.aliases), None)


def _schema_folders(chain: tuple[Path, ...], schemas: Path | None) -> list[Path]:
    beside = [] if schemas is None else [schemas]
    return [folder for layer in chain for folder in (layer / "schemas", *(s / layer.name for s in beside))]


def _schema_file(name: str, chain: tuple[Path, ...], schemas: Path | None) -> Path | None:
    candidates = (folder / f"{name}.schema.json" for folder in _schema_folders(chain, schemas))
    return next((candidate for candidate in candidates if candidate.is_file()), None)


def _schema_content(name: str, chain: tuple[Path, ...], schemas: Path | None) -> dict[str, Any]:
    """Read a schema; one that says `x-extends: true` is a difference to the next one of its name."""
    content: dict[str, Any] = {}
    differences: list[dict[str, Any]] = []
    for folder in _schema_folders(chain, schemas):
        file = folder / f"{name}.schema.json"
        if file.is_file():
            content = json.loads(file.read_text(encoding="utf-8"))
            if not content.pop("x-extends", False):
                break
            differences.append(content)
            content = {}
    for difference in reversed(differences):
        content = _merge(content, difference)
    return content


def _schema_names(chain: tuple[Path, ...], schemas: Path | None) -> list[str]:
    files = (file for folder in _schema_folders(chain, schemas) for file in folder.glob("*.schema.json"))
    return sorted({file.name.removesuffix(".schema.json") for file in files})


@dataclass(slots=True)
class _Files:
    """The content of a ruleset's folders, overlays applied, before it is linked."""

    settings: dict[str, Any] = field(default_factory=dict)
    layout: dict[str, Any] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)
    clauses: dict[str, Any] = field(default_factory=dict)
    views: dict[str, Any] = field(default_factory=dict)
    tables: dict[str, Any] = field(default_factory=dict)
    rules: dict[str, dict[str, Any]] = field(default_factory=dict)
    families: dict[str, str] = field(default_factory=dict)
    """Rule to family."""
    sources: dict[str, str] = field(default_factory=dict)
    """Rule to its file's name below the rulesets' folder."""
    marks: dict[str, source.Marks] = field(default_factory=dict)
    """`facts`, `layout` …, or a rule's id, to the marks of its file."""
    unusable: set[str] = field(default_factory=set)
    """Keys of `marks` whose file was left out for a mistake in it: what names them is not to blame."""
    retired: set[str] = field(default_factory=set)
    """Rules taken away since the gates were written: a gate may still name them."""
    told: list[str] = field(default_factory=list)
    """What a tailoring changed, a sentence each."""
    examples: bool = False
    """Whether the rules' examples are kept."""
    shapes: Path | None = None
    """Folder with the schemas of a ruleset's own files; None: do not look at shapes."""

    def check_shape(self, kind: str, content: Any, marks: source.Marks, mistakes: list[Mistake]) -> bool:
        """Say what is wrong with the shape of a file; tell whether it can be used."""
        schema = None if self.shapes is None else self.shapes / f"{kind}.schema.json"
        if schema is None or not schema.is_file():
            return True
        found = shapes.mistakes(schema, content, marks)
        mistakes.extend(found)
        return not found


def load(
    folder: Path,
    *,
    functions: Mapping[str, Callable[..., Any]],
    schemas: Path | None = None,
    rulesets: Path | None = None,
    tailored: Tailoring | None = None,
    examples: bool = False,
    validate: bool = True,
) -> Ruleset:
    """Load and link the ruleset in *folder*.

    Args:
        folder: The ruleset.
        functions: Name to named function, besides the language's own.
        schemas: Folder with the schemas of documents, by ruleset, for those not in the ruleset itself.
        rulesets: Folder in which `extends` looks for others; the one around *folder* by default.
        tailored: A user's changes on top.
        examples: Keep the rules' examples (a check needs none).
        validate: Check names, expressions, paths and messages now (a shipped ruleset is checked when built).

    Raises:
        RulesetError: with every mistake found.
    """
    found = survey(
        folder, functions=functions, schemas=schemas, rulesets=rulesets, tailored=tailored, examples=examples,
        validate=validate,
    )  # fmt: skip
    if found.mistakes or found.ruleset is None:
        to_blame = tailored is not None and all(m.file == tailored.marks.file for m in found.mistakes)
        raise (TailoringError if to_blame else RulesetError)(found.mistakes)
    return found.ruleset


@dataclass(frozen=True, slots=True)
class Survey:
    """What could be made of a ruleset's folder, and everything that is wrong with the rest."""

    ruleset: Ruleset | None
    """The ruleset without the rules that cannot be used; None where the layout itself cannot be."""
    mistakes: list[Mistake]
    marks: dict[str, source.Marks]
    """A rule's id, `ruleset`, `layout`, `facts`, `table:<name>` … to where the parts of its file stand."""


def survey(
    folder: Path,
    *,
    functions: Mapping[str, Callable[..., Any]],
    schemas: Path | None = None,
    rulesets: Path | None = None,
    tailored: Tailoring | None = None,
    examples: bool = False,
    validate: bool = True,
) -> Survey:
    """Load as much of the ruleset in *folder* as can be used, and collect what is wrong with the rest.

    The arguments are those of `load`.

    Raises:
        RulesetError: where there is no ruleset to look at: no folder, or one that it extends is missing.
    """
    chain = _chain(folder, rulesets)
    files = _Files(shapes=schemas if validate else None, examples=examples)
    mistakes: list[Mistake] = []
    for layer in reversed(chain):
        _lay(files, layer, mistakes)
    layers = chain
    if tailored is not None:
        layers = (*reversed(tailored.folders), *chain)
        _tailor(files, tailored, mistakes)
    if mistakes and (not validate or files.unusable & {"ruleset", "layout"}):
        return Survey(None, mistakes, files.marks)
    before = len(mistakes)
    if validate:
        _link_layout(files, schemas, layers, mistakes)
    if len(mistakes) > before:
        return Survey(None, mistakes, files.marks)
    ruleset = _build(files, folder, layers, {**LANGUAGE, **functions}, schemas, mistakes)
    if validate:
        _link(ruleset, files, mistakes)
    if tailored is not None:
        _link_tailoring(ruleset, files, tailored, mistakes)
    if validate:
        _leave_out(ruleset, files, mistakes)
    return Survey(ruleset, mistakes, files.marks)


def _leave_out(ruleset: Ruleset, files: _Files, mistakes: list[Mistake]) -> None:
    """Take the rules with mistakes out of a ruleset, so that what is left can be used."""
    blamed = {mistake.file for mistake in mistakes}
    for name in [name for name in ruleset.rules if files.sources[name] in blamed or name in files.unusable]:
        del ruleset.rules[name]


def _link_layout(
    files: _Files, schemas: Path | None, chain: tuple[Path, ...], mistakes: list[Mistake]
) -> None:
    """See that the scopes, patterns and schemas that the layout names are there."""
    marks = files.marks.get("layout") or source.Marks("layout.yaml")
    scopes = files.layout.get("scopes") or {}
    if sum(1 for entry in scopes.values() if not (entry or {}).get("in")) != 1:
        mistakes.append(marks.mistake(("scopes",), "there must be exactly one scope that is in no other"))
    for name, entry in scopes.items():
        parent = (entry or {}).get("in")
        if parent is not None and parent not in scopes:
            hint = did_you_mean(parent, scopes)
            mistakes.append(marks.mistake(("scopes", name, "in"), f"no scope named {parent}{hint}"))
        elif _is_around_itself(name, scopes):
            mistakes.append(marks.mistake(("scopes", name, "in"), f"the scope {name} is around itself"))
        _link_pattern(name, entry or {}, marks, mistakes)
    for section in ("documents", "places"):
        for name, entry in (files.layout.get(section) or {}).items():
            if entry["scope"] not in scopes:
                hint = did_you_mean(entry["scope"], scopes)
                message = f"no scope named {entry['scope']}{hint}"
                mistakes.append(marks.mistake((section, name, "scope"), message))
            schema = entry.get("schema")
            if schema is not None and _schema_file(schema, chain, schemas) is None:
                known = _schema_names(chain, schemas)
                message = f"no schema named {schema}{did_you_mean(schema, known)}"
                mistakes.append(marks.mistake((section, name, "schema"), message))


def _is_around_itself(name: str, scopes: Mapping[str, Any]) -> bool:
    seen: list[str] = []
    current: str | None = name
    while current is not None and current not in seen:
        seen.append(current)
        current = (scopes.get(current) or {}).get("in")
    return current == name


def _link_pattern(name: str, entry: Mapping[str, Any], marks: source.Marks, mistakes: list[Mistake]) -> None:
    if "match" not in entry:
        return
    try:
        groups = safe_pattern(entry["match"]).compiled.groupindex
    except EvaluationError as error:
        mistakes.append(marks.mistake(("scopes", name, "match"), error.message))
        return
    if entry.get("order") is not None and entry["order"] not in groups:
        hint = did_you_mean(entry["order"], groups)
        message = f"the pattern has no group {entry['order']}{hint}"
        mistakes.append(marks.mistake(("scopes", name, "order"), message))


def _chain(folder: Path, rulesets: Path | None) -> tuple[Path, ...]:
    """Return the folder and those it extends, one after the other."""
    found: list[Path] = []
    current: Path | None = folder
    while current is not None:
        file = current / "ruleset.yaml"
        if not file.is_file():
            raise RulesetError([Mistake(str(file), None, None, "not a ruleset: no such file")])
        if current.resolve() in [known.resolve() for known in found]:
            raise RulesetError([Mistake(str(file), None, None, "extends itself")])
        found.append(current)
        settings, marks = source.load(file)
        parent = settings.get("extends") if isinstance(settings, dict) else None
        if parent is None:
            return tuple(found)
        if not isinstance(parent, str):
            raise RulesetError([marks.mistake(("extends",), f"extends: must be a text, not {parent!r:.60}")])
        candidates = [current.parent / parent, *([rulesets / parent] if rulesets else [])]
        current = next((path for path in candidates if (path / "ruleset.yaml").is_file()), None)
        if current is None:
            known = [path.name for base in candidates for path in base.parent.glob("*/") if path.is_dir()]
            raise RulesetError(
                [marks.mistake(("extends",), f"no ruleset named {parent}{did_you_mean(parent, known)}")]
            )
    return tuple(found)


def _lay(files: _Files, layer: Path, mistakes: list[Mistake]) -> None:
    """Lay one ruleset's folder over what is there."""
    for key in _FILES:
        path = layer / f"{key}.yaml"
        content = _read(path, f"{layer.name}/{key}.yaml", key, files, mistakes) if path.is_file() else {}
        if key == "ruleset":
            _settings(files, content, mistakes)
        else:
            # A definition replaces another as a whole; half of each would mean neither.
            depth = _FACT_DEPTH if key == "facts" else None
            setattr(files, key, _merge(getattr(files, key), content, depth))
    for path in sorted((layer / "tables").glob("*.yaml")):
        name = path.stem
        # What is laid over another table has the shape of one only when it lies there.
        below = files.tables.get(name) if name in (files.settings.get("merge_tables") or ()) else None
        files.tables[name] = _read(
            path, f"{layer.name}/tables/{path.name}", f"table:{name}", files, mistakes, below=below
        )
    for path in sorted(layer.glob("*/*.yaml")):
        if path.parent.name != "tables":
            _add_rule(files, path, layer, mistakes)


def _settings(files: _Files, content: dict[str, Any], mistakes: list[Mistake]) -> None:
    """Lay `ruleset.yaml` over what is there: `remove` and `override` first, then its own settings."""
    marks = files.marks.get("ruleset", source.Marks("ruleset.yaml"))
    for index, name in enumerate(content.get("remove") or ()):
        _remove(files, name, marks, ("remove", index), mistakes)
    for name, change in (content.get("override") or {}).items():
        _override(files, name, change, marks, ("override", name), mistakes)
    own = {key: value for key, value in content.items() if key not in ("override", "remove", "gates")}
    files.settings = {**_merge(files.settings, own)}
    if "gates" in content:
        files.settings["gates"] = content["gates"]
        files.retired.clear()


def _id_of(files: _Files, name: str) -> str | None:
    """Return the id of the rule of that id or alias."""
    if name in files.rules:
        return name
    return next((id_ for id_, raw in files.rules.items() if name in raw.get("aliases", ())), None)


def _names(files: _Files) -> list[str]:
    """Return the ids and aliases of all rules."""
    return [*files.rules, *(alias for raw in files.rules.values() for alias in raw.get("aliases", ()))]


def _known_rule(
    files: _Files, name: str, marks: source.Marks, place: tuple[str | int, ...], mistakes: list[Mistake]
) -> str | None:
    """Return the id of a rule that a change names; a name of none is a mistake."""
    found = _id_of(files, name)
    if found is None and name not in files.unusable:
        mistakes.append(marks.mistake(place, f"no rule named {name}{did_you_mean(name, _names(files))}"))
    return found


def _remove(
    files: _Files, name: str, marks: source.Marks, place: tuple[str | int, ...], mistakes: list[Mistake]
) -> str | None:
    """Take a rule away and return its id."""
    found = _known_rule(files, name, marks, place, mistakes)
    if found is not None:
        del files.rules[found]
        files.retired.add(found)
    return found


def _override(
    files: _Files,
    name: str,
    change: dict[str, Any],
    marks: source.Marks,
    place: tuple[str | int, ...],
    mistakes: list[Mistake],
) -> str | None:
    """Change single keys of a rule and return its id."""
    found = _known_rule(files, name, marks, place, mistakes)
    if found is None:
        return None
    before = files.rules[found]
    params = before.get("params", {})
    unknown = sorted(set(change.get("params") or {}) - set(params))
    mistakes.extend(
        marks.mistake(
            (*place, "params", param), f"{name} has no parameter {param}{did_you_mean(param, params)}"
        )
        for param in unknown
    )
    if "id" in change:
        mistakes.append(marks.mistake((*place, "id"), "a rule keeps its id; add another rule instead"))
    if unknown or "id" in change:
        return None
    # Examples are neither read nor needed for a check.
    asked = change if files.examples else {key: value for key, value in change.items() if key != "examples"}
    merged = _merge(before, asked)
    for part in (merged, merged.get("examples") or {}):
        for key in [key for key, value in part.items() if value is None]:
            del part[key]
    overlaid = source.Overlaid(files.marks[found], marks, place)
    if files.check_shape("rule", merged, overlaid, mistakes):
        files.rules[found] = merged
        files.marks[found] = overlaid
    else:
        files.unusable.add(found)
    return found


def _tailor(files: _Files, tailored: Tailoring, mistakes: list[Mistake]) -> None:
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
        found = _remove(files, entry["rule"], marks, ("off", index, "rule"), mistakes)
        if found is not None:
            files.told.append(f"{found} is switched off: {entry['reason']}")


def _add_folder(files: _Files, layer: Path, marks: source.Marks, index: int, mistakes: list[Mistake]) -> None:
    place = ("folders", index)
    if not layer.is_dir():
        mistakes.append(marks.mistake(place, f"no folder {layer}"))
        return
    if (layer / "ruleset.yaml").exists():
        mistakes.append(marks.mistake(place, f"{layer} is a ruleset of its own; ask for it with --rules"))
        return
    before, count = dict(files.rules), len(mistakes)
    _lay(files, layer, mistakes)
    changed = [name for name, raw in files.rules.items() if before.get(name) is not raw]
    if not changed and len(mistakes) == count:
        mistakes.append(marks.mistake(place, f"{layer} holds no rule: one is <family>/<rule>.yaml"))
    for name in changed:
        what = "replaced" if name in before else "added"
        files.told.append(f"{name} is {what}: {files.rules[name].get('title', '')}")


def _add_inline(
    files: _Files, name: str, raw: dict[str, Any], marks: source.Marks, mistakes: list[Mistake]
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
    files: _Files, name: str, change: dict[str, Any], marks: source.Marks, mistakes: list[Mistake]
) -> None:
    before = files.tables.get(name)
    merged = _merge(before or {}, change)
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
    files: _Files,
    name: str,
    change: dict[str, Any],
    marks: source.Marks,
    place: tuple[str | int, ...],
    mistakes: list[Mistake],
) -> None:
    before = files.rules.get(_id_of(files, name) or "", {})
    found = _override(files, name, change, marks, place, mistakes)
    if found is None:
        return
    old, new = ({**raw, "examples": None} for raw in (before, files.rules[found]))
    changes = list(tailoring.differences(old, new))
    if changes:
        files.told.append(f"{found}: {tailoring.listed(iter(changes))}")


def _tailor_severity(
    files: _Files, name: str, severity: str, marks: source.Marks, mistakes: list[Mistake]
) -> None:
    """Give a rule a severity, and take away what its checks say of it."""
    change: dict[str, Any] = {"severity": severity}
    before = files.rules.get(_id_of(files, name) or "", {})
    if "checks" in before:
        change["checks"] = [
            {key: value for key, value in check.items() if key != "severity"} for check in before["checks"]
        ]
    found = _override(files, name, change, marks, ("severities", name), mistakes)
    if found is not None:
        old = {before.get("severity"), *(check.get("severity") for check in before.get("checks", ()))} - {
            None,
            severity,
        }
        if old:
            files.told.append(
                f"{found}: severity is {severity} instead of {' and '.join(sorted(map(str, old)))}"
            )


def _link_tailoring(ruleset: Ruleset, files: _Files, tailored: Tailoring, mistakes: list[Mistake]) -> None:
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
            refused = waivers.refusal(entry.waiver, ruleset.find, _names(files), tailored.as_of)
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


def _merge(below: Any, above: Any, depth: int | None = None) -> Any:
    """Lay one value over another: mappings key by key (null takes a key away), all else replaces.

    Args:
        below: What is there.
        above: What is laid over it.
        depth: How many levels of mappings are merged; all by default.
    """
    if depth == 0 or not (isinstance(below, dict) and isinstance(above, dict)):
        return above
    deeper = None if depth is None else depth - 1
    merged = dict(below)
    for key, value in above.items():
        if value is None and key in merged:
            del merged[key]
        else:
            merged[key] = _merge(merged[key], value, deeper) if key in merged else value
    return merged


def _read(
    path: Path, name: str, key: str, files: _Files, mistakes: list[Mistake], *, below: Any = None
) -> dict[str, Any]:
    """Read a file of a ruleset, laid over what is *below*; nothing where it cannot be used."""
    try:
        content, marks = source.load(path, name=name)
    except RulesetError as error:
        mistakes.extend(error.mistakes)
        files.unusable.add(key)
        return {}
    files.marks[key] = marks
    if content is None:
        return {}
    if not isinstance(content, dict):
        mistakes.append(marks.mistake((), "must be a mapping"))
    else:
        merged: dict[str, Any] = content if below is None else _merge(below, content)
        if files.check_shape(key.replace("table:", "tables/"), merged, marks, mistakes):
            return merged
    files.unusable.add(key)
    return {}


def _add_rule(files: _Files, path: Path, layer: Path, mistakes: list[Mistake]) -> None:
    name = f"{layer.name}/{path.parent.name}/{path.name}"
    marks = source.Marks(name)
    if path.stem not in _FILES:
        files.unusable.add(path.stem)
    try:
        text = source.read(path, name)
        content = source.loads(
            text if files.examples else _without_blocks(text, _SKIPPED_WHEN_CHECKING), marks
        )
    except RulesetError as error:
        mistakes.extend(error.mistakes)
        return
    if not isinstance(content, dict) or "id" not in content:
        mistakes.append(marks.mistake((), "not a rule: no id"))
        return
    if path.stem in _FILES:
        mistakes.append(marks.mistake(("id",), f"no rule can be called {path.stem}"))
        return
    if content["id"] != path.stem:
        mistakes.append(marks.mistake(("id",), f"the id {content['id']} is not the file's name"))
        return
    if not files.check_shape("rule", content, marks, mistakes):
        return
    # A rule that a later ruleset rewrites keeps the place that it had in the order.
    files.rules[path.stem] = content
    files.families[path.stem] = path.parent.name
    files.sources[path.stem] = name
    files.marks[path.stem] = marks
    files.unusable.discard(path.stem)


def _without_blocks(text: str, keys: Iterable[str]) -> str:
    """Cut top-level blocks out of a rule file's text before it is parsed: examples are half of it."""
    for key in keys:
        start = text.find(f"\n{key}:")
        if start < 0:
            continue
        end = start + 1
        while True:
            end = text.find("\n", end)
            if end < 0 or end + 1 >= len(text):
                return text[: start + 1]
            if text[end + 1] not in " #\n\r\t-":
                break
            end += 1
        text = text[: start + 1] + text[end + 1 :]
    return text


def _build(
    files: _Files,
    folder: Path,
    chain: tuple[Path, ...],
    functions: parts.Functions,
    schemas: Path | None,
    mistakes: list[Mistake],
) -> Ruleset:
    """Make the parts of a ruleset; a part that is no rule is a mistake with its place."""
    settings = files.settings
    layout = layouts.build(files.layout)
    rules: dict[str, parts.Rule] = {}
    order = [*(settings.get("families") or ()), *sorted(set(files.families.values()))]
    for name in sorted(files.rules, key=lambda name: (order.index(files.families[name]), name)):
        raw = files.rules[name]
        try:
            made = parts.rule(
                raw, family=files.families[name], source=files.sources[name], functions=functions
            )
        except (ExpressionError, KeyError, ValueError, TypeError, AttributeError) as error:
            mistakes.append(files.marks[name].mistake((), f"not a rule: {type(error).__name__} {error}"))
            continue
        if made.info.scope not in layout.scopes:
            hint = did_you_mean(made.info.scope, layout.scopes)
            mistakes.append(files.marks[name].mistake(("scope",), f"no scope named {made.info.scope}{hint}"))
            continue
        rules[name] = made
    facts: dict[str, dict[str, parts.Fact]] = {name: {} for name in layout.scopes}
    for scope, entries in files.facts.items():
        if scope not in facts:
            hint = did_you_mean(scope, layout.scopes)
            mistakes.append(files.marks["facts"].mistake((scope,), f"no scope named {scope}{hint}"))
            continue
        for name, raw in (entries or {}).items():
            doc = raw.get("doc", "") if isinstance(raw, dict) else ""
            facts[scope][name] = parts.Fact(
                name=name, scope=scope, definition=parts.definition(raw, functions), doc=doc
            )
    gates = [_gate(raw, index, rules, layout, files, functions, mistakes)
             for index, raw in enumerate(settings.get("gates") or ())]  # fmt: skip
    info = RulesetInfo(
        id=str(settings.get("id", folder.name)),
        title=settings.get("title", ""),
        policy=settings.get("policy", ""),
        rules=len(rules),
        families={name: str(title) for name, title in (settings.get("families") or {}).items()},
        actions={name: entry["label"] for name, entry in (settings.get("actions") or {}).items()},
        clauses={number: entry["title"] for number, entry in (files.clauses.get("sections") or {}).items()},
    )
    return Ruleset(
        info=info, folder=folder, chain=chain, settings=settings, layout=layout, facts=facts,
        tables=files.tables, rules=rules, gates=gates, clauses=files.clauses, views=files.views,
        functions=functions,
        schemas_folder=schemas,
    )  # fmt: skip


def _gate(
    raw: Mapping[str, Any],
    index: int,
    rules: Mapping[str, parts.Rule],
    layout: layouts.Layout,
    files: _Files,
    functions: parts.Functions,
    mistakes: list[Mistake],
) -> parts.Gate:
    """Make a gate: which rules it holds back is worked out here, once."""
    marks = files.marks["ruleset"]
    after = raw["after"] if isinstance(raw["after"], list) else [raw["after"]]
    stops = raw["stops"]
    if stops not in layout.scopes:
        mistakes.append(marks.mistake(("gates", index, "stops"), f"no scope named {stops}"))
        return parts.Gate(after=(), stops=stops, when=None, rules=frozenset())
    inside = {name for name in layout.scopes if stops in layout.chain(name)}
    named = {key: list(raw.get(key) or ()) for key in ("except", "only")}
    families = {*files.families.values(), *(files.settings.get("families") or ())}
    for key, entries in {"after": after, **named}.items():
        for entry in entries:
            known = entry in rules or (key != "after" and entry.removeprefix("family:") in families)
            known = known or entry in files.unusable or entry in files.retired
            if not known:
                hint = did_you_mean(entry, rules)
                mistakes.append(marks.mistake(("gates", index, key), f"a gate names no rule {entry}{hint}"))

    def listed(rule: parts.Rule, key: str) -> bool:
        return rule.id in named[key] or f"family:{rule.info.family}" in named[key]

    held = frozenset(
        rule.id
        for rule in rules.values()
        if rule.info.scope in inside
        and rule.id not in after
        and not listed(rule, "except")
        and (not named["only"] or listed(rule, "only"))
    )
    when = raw.get("when")
    return parts.Gate(
        after=tuple(name for name in after if name in rules), stops=stops,
        when=parts.Compute(when, functions) if when else None, rules=held,
        on_warning=raw.get("severity") == "warning", because=raw.get("because", ""),
    )  # fmt: skip


def names_in_scope(ruleset: Ruleset, scope: str) -> set[str]:
    """Return every name that an expression of a scope may use without binding it first."""
    layout = ruleset.layout
    chain = layout.chain(scope)
    names = {"files", "name", "path", *ruleset.tables}
    for name in chain:
        kind = layout.scopes[name]
        names |= {name, *ruleset.facts[name], *(child.many for child in layout.children(name))}
        if kind.pattern is not None:
            names |= set(kind.pattern.groupindex)
    return names


def paths_in_scope(ruleset: Ruleset, scope: str) -> set[str]:
    """Return every name that a JMESPath of a scope may begin with."""
    documents = {source.name for name in ruleset.layout.chain(scope)
                 for source in ruleset.layout.by_scope[name].values() if source.form}  # fmt: skip
    return names_in_scope(ruleset, scope) | documents | {"raw"}


def _link(ruleset: Ruleset, files: _Files, mistakes: list[Mistake]) -> None:
    """Compile everything and see that every name means something."""
    for scope, facts in ruleset.facts.items():
        known = names_in_scope(ruleset, scope)
        roots = paths_in_scope(ruleset, scope)
        for fact in facts.values():
            _link_definition(
                fact.definition, known, roots, files.marks["facts"], (scope, fact.name), mistakes
            )
    for rule in ruleset.rules.values():
        _link_rule(ruleset, rule, files.marks[rule.id], mistakes)
    for index, gate in enumerate(ruleset.gates):
        if gate.when is not None:
            _names_known(
                gate.when,
                names_in_scope(ruleset, gate.stops),
                files.marks["ruleset"],
                ("gates", index),
                mistakes,
            )


def _link_rule(ruleset: Ruleset, rule: parts.Rule, marks: source.Marks, mistakes: list[Mistake]) -> None:
    outer = names_in_scope(ruleset, rule.info.scope)
    roots = paths_in_scope(ruleset, rule.info.scope)
    each = {rule.for_each.name} if rule.for_each else set()
    known = outer | each
    for name, entry in rule.definitions.items():
        key = next((key for key in ("params", "extract", "let") if name in rule.raw.get(key, {})), "let")
        _link_definition(entry, known, roots, marks, (key, name), mistakes)
        known = known | {name}
    for place, expression in rule.expressions():
        if place[0] != "let":
            _names_known(expression, known, marks, place, mistakes)
    for place, message in rule.messages():
        try:
            for name in message.template.names:
                if name not in known:
                    mistakes.append(
                        marks.mistake(place, f"the message has no name {name}{did_you_mean(name, known)}")
                    )
        except ExpressionError as error:
            mistakes.append(marks.mistake(place, error.message))
    sources = {
        name for scope in ruleset.layout.chain(rule.info.scope) for name in ruleset.layout.by_scope[scope]
    }
    places = [(("at",), rule.at), *((("checks", i, "at"), check.at) for i, check in enumerate(rule.checks))]
    for place, where in places:
        if where is not None and where.document is not None and where.document not in sources:
            hint = did_you_mean(where.document, sources)
            mistakes.append(marks.mistake(place, f"no document or place named {where.document}{hint}"))


def _link_definition(
    entry: parts.Definition,
    known: set[str],
    roots: set[str],
    marks: source.Marks,
    place: tuple[str | int, ...],
    mistakes: list[Mistake],
) -> None:
    if isinstance(entry, parts.Extract):
        try:
            first = entry.path.first_keys
        except ExpressionError as error:
            mistakes.append(marks.mistake(place, error.message))
            return
        if entry.of is None:
            unknown = [name for name in first if name not in roots]
            mistakes.extend(
                marks.mistake(place, f"nothing named {name} here{did_you_mean(name, roots)}")
                for name in unknown
            )
        elif entry.of not in known:
            mistakes.append(marks.mistake(place, f"no name {entry.of}{did_you_mean(entry.of, known)}"))
    elif isinstance(entry, parts.Locate):
        _names_known(entry.text, known, marks, place, mistakes)
    elif isinstance(entry, parts.Compute):
        _names_known(entry, known, marks, place, mistakes)


def _names_known(
    expression: parts.Compute,
    known: set[str],
    marks: source.Marks,
    place: tuple[str | int, ...],
    mistakes: list[Mistake],
) -> None:
    try:
        names = expression.names()
    except ExpressionError as error:
        mistakes.append(marks.mistake(place, f"{error.message} in `{expression.source}`"))
        return
    for name in names:
        if name not in known:
            hint = did_you_mean(name, known)
            mistakes.append(marks.mistake(place, f"no name {name}{hint} in `{expression.source}`"))
