"""Reading a ruleset's folders and laying them over each other, before anything is linked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from submission_checker.engine import shapes, source
from submission_checker.engine.errors import Mistake, RulesetError, did_you_mean

_SKIPPED_WHEN_CHECKING = ("examples",)
_FACT_DEPTH = 2
"""Levels of `facts.yaml` that are merged: the scope and the name."""
_FILES = ("ruleset", "layout", "facts", "clauses", "views")


@dataclass(slots=True)
class Files:
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


def chain_of(folder: Path, rulesets: Path | None) -> tuple[Path, ...]:
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


def lay(files: Files, layer: Path, mistakes: list[Mistake]) -> None:
    """Lay one ruleset's folder over what is there."""
    for key in _FILES:
        path = layer / f"{key}.yaml"
        content = _read(path, f"{layer.name}/{key}.yaml", key, files, mistakes) if path.is_file() else {}
        if key == "ruleset":
            _settings(files, content, mistakes)
        else:
            # A definition replaces another as a whole; half of each would mean neither.
            depth = _FACT_DEPTH if key == "facts" else None
            setattr(files, key, merge(getattr(files, key), content, depth))
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


def _settings(files: Files, content: dict[str, Any], mistakes: list[Mistake]) -> None:
    """Lay `ruleset.yaml` over what is there: `remove` and `override` first, then its own settings."""
    marks = files.marks.get("ruleset", source.Marks("ruleset.yaml"))
    for index, name in enumerate(content.get("remove") or ()):
        remove(files, name, marks, ("remove", index), mistakes)
    for name, change in (content.get("override") or {}).items():
        override(files, name, change, marks, ("override", name), mistakes)
    own = {key: value for key, value in content.items() if key not in ("override", "remove", "gates")}
    files.settings = {**merge(files.settings, own)}
    if "gates" in content:
        files.settings["gates"] = content["gates"]
        files.retired.clear()


def id_of(files: Files, name: str) -> str | None:
    """Return the id of the rule of that id or alias."""
    if name in files.rules:
        return name
    return next((id_ for id_, raw in files.rules.items() if name in raw.get("aliases", ())), None)


def rule_names(files: Files) -> list[str]:
    """Return the ids and aliases of all rules."""
    return [*files.rules, *(alias for raw in files.rules.values() for alias in raw.get("aliases", ()))]


def _known_rule(
    files: Files, name: str, marks: source.Marks, place: tuple[str | int, ...], mistakes: list[Mistake]
) -> str | None:
    """Return the id of a rule that a change names; a name of none is a mistake."""
    found = id_of(files, name)
    if found is None and name not in files.unusable:
        mistakes.append(marks.mistake(place, f"no rule named {name}{did_you_mean(name, rule_names(files))}"))
    return found


def remove(
    files: Files, name: str, marks: source.Marks, place: tuple[str | int, ...], mistakes: list[Mistake]
) -> str | None:
    """Take a rule away and return its id."""
    found = _known_rule(files, name, marks, place, mistakes)
    if found is not None:
        del files.rules[found]
        files.retired.add(found)
    return found


def override(
    files: Files,
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
    wanted = change.get("params")
    unknown = sorted(set(wanted) - set(params)) if isinstance(wanted, Mapping) else []
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
    merged = merge(before, asked)
    if isinstance(merged.get("examples"), dict):
        merged["examples"] = _without_nulls(merged["examples"])
    merged = _without_nulls(merged)
    overlaid = source.Overlaid(files.marks[found], marks, place)
    if files.check_shape("rule", merged, overlaid, mistakes):
        files.rules[found] = merged
        files.marks[found] = overlaid
    else:
        files.unusable.add(found)
    return found


def _without_nulls(mapping: dict[str, Any]) -> dict[str, Any]:
    """Leave out the keys that were to be taken away and were not there."""
    return {key: value for key, value in mapping.items() if value is not None}


def merge(below: Any, above: Any, depth: int | None = None) -> Any:
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
            merged[key] = merge(merged[key], value, deeper) if key in merged else value
    return merged


def _read(
    path: Path, name: str, key: str, files: Files, mistakes: list[Mistake], *, below: Any = None
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
        merged: dict[str, Any] = content if below is None else merge(below, content)
        if files.check_shape(key.replace("table:", "tables/"), merged, marks, mistakes):
            return merged
    files.unusable.add(key)
    return {}


def _add_rule(files: Files, path: Path, layer: Path, mistakes: list[Mistake]) -> None:
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
