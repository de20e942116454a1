"""A rule in one sentence, made of its parts: for whom, when, what must hold, and which side the limit is on.

The sentence is made from what the engine runs, not from what the title says, so that a reader who
compares the two sees a `not` that went missing.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from submission_checker.bench import trees
from submission_checker.engine import kinds
from submission_checker.engine.rules import Compute, Extract, Rule
from submission_checker.engine.ruleset import Ruleset

SHORT = 40
"""Characters of a definition that is shown in the place of its name."""

_IS: Mapping[type[ast.cmpop], str] = {
    ast.Gt: "is more than", ast.GtE: "is at least", ast.Lt: "is less than", ast.LtE: "is at most",
    ast.Eq: "is", ast.NotEq: "is not", ast.In: "is one of", ast.NotIn: "is none of",
}  # fmt: skip
_MUST: Mapping[type[ast.cmpop], str] = {
    ast.Gt: "must be more than", ast.GtE: "must be at least", ast.Lt: "must be less than",
    ast.LtE: "must be at most", ast.Eq: "must be", ast.NotEq: "must not be", ast.In: "must be one of",
    ast.NotIn: "must be none of",
}  # fmt: skip
_STRICT: Mapping[type[ast.cmpop], str] = {ast.Gt: "not enough", ast.Lt: "too much"}
_OPPOSITE: Mapping[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Gt: ast.LtE, ast.GtE: ast.Lt, ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
_KINDS = {
    "finite": "a finite number", "is_number": "a number", "is_text": "a text", "is_list": "a list",
    "is_mapping": "a mapping", "is_boolean": "true or false",
}  # fmt: skip
_NOUNS = {
    "len": "the number of", "min": "the lowest of", "max": "the highest of", "sum": "the sum of",
    "mean": "the mean of", "abs": "the size of", "distinct": "the distinct items of",
}  # fmt: skip


def sentence(ruleset: Ruleset, rule: Rule) -> str:
    """Return one English sentence that says what a rule asks.

    Args:
        ruleset: The rule's ruleset, for the meaning of facts and scopes.
        rule: The rule.

    Raises:
        ExpressionError: where an expression of the rule is none.
    """
    return _Writer(ruleset, rule).sentence()


class _Writer:
    """Puts the parts of one rule into words."""

    def __init__(self, ruleset: Ruleset, rule: Rule):
        self.ruleset = ruleset
        self.rule = rule
        self._busy: list[str] = []
        self.facts = {
            name: fact
            for scope in reversed(ruleset.layout.chain(rule.info.scope))
            for name, fact in ruleset.facts[scope].items()
        }

    def sentence(self) -> str:
        rule = self.rule
        parts = [self._for_whom()]
        if rule.where is not None:
            parts[0] += f" for which {self._says(rule.where)}"
        if rule.for_each is not None:
            each = "each distinct" if rule.for_each.distinct else "each"
            parts.append(f"for {each} `{rule.for_each.name}` of {self.noun(_tree(rule.for_each.items))}")
        if rule.when is not None:
            parts.append(f"when {self._says(rule.when)}")
        return ", ".join([*parts, self._obligation()]) + "."

    def _for_whom(self) -> str:
        scope = self.rule.info.scope
        name = scope.replace("_", " ")
        return f"For the {name}" if self.ruleset.layout.top.name == scope else f"For every {name}"

    def _obligation(self) -> str:
        checks = [self._check(check) for check in self.rule.checks]
        if len(checks) == 1:
            return checks[0]
        numbered = "; ".join(f"({number}) {check}" for number, check in enumerate(checks, 1))
        if self.rule.report_all:
            return f"each of these is checked: {numbered}"
        return f"these are checked in order, and the first that fails is reported: {numbered}"

    def _check(self, check: Any) -> str:
        said = [] if check.when is None else [f"when {self._says(check.when)}"]
        if check.require is None or check.require.source in ("False", "false"):
            said.append("there is a finding")
        else:
            said.append(self._must(check.require))
        own = "" if check.severity.value == self.rule.info.severity else f" ({check.severity.value} only)"
        end = ", and nothing more is checked" if check.last else ""
        return ", ".join(said) + own + end

    def _says(self, compute: Compute) -> str:
        return self.clause(_tree(compute), _IS)

    def _must(self, compute: Compute) -> str:
        return self.clause(_tree(compute), _MUST)

    def clause(self, node: ast.expr, verbs: Mapping[type[ast.cmpop], str], holds: bool = True) -> str:
        """Say that a condition holds (or not), or with the verbs of obligation that it must."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return self.clause(node.operand, verbs, not holds)
        if isinstance(node, ast.BoolOp):
            return self._connected(node, verbs, holds)
        if isinstance(node, ast.Compare):
            return self._compared(node, verbs, holds)
        if isinstance(node, ast.Call):
            return self._called(node, verbs, holds)
        return self._plain(node, verbs, holds)

    def _connected(self, node: ast.BoolOp, verbs: Mapping[type[ast.cmpop], str], holds: bool) -> str:
        if isinstance(node.op, ast.And) is holds:
            return " and ".join(self._part(part, verbs, holds) for part in node.values)
        exceptions = [part for part in node.values if holds and _is_exception(part)]
        wanted = [part for part in node.values if part not in exceptions]
        if verbs is _MUST and exceptions and wanted:
            condition = " and ".join(self._part(part, _IS, False) for part in exceptions)
            return f"if {condition}, {self._alternatives(wanted, verbs, holds)}"
        return self._alternatives(node.values, verbs, holds)

    def _alternatives(
        self, parts: Sequence[ast.expr], verbs: Mapping[type[ast.cmpop], str], holds: bool
    ) -> str:
        return " or ".join(self._part(part, verbs, holds) for part in parts)

    def _part(self, node: ast.expr, verbs: Mapping[type[ast.cmpop], str], holds: bool) -> str:
        said = self.clause(node, verbs, holds)
        return f"({said})" if isinstance(node, ast.BoolOp) else said

    def _compared(self, node: ast.Compare, verbs: Mapping[type[ast.cmpop], str], holds: bool) -> str:
        links = []
        left = node.left
        for op, right in zip(node.ops, node.comparators, strict=True):
            links.append(self._link(left, op if holds else _OPPOSITE[type(op)](), right, verbs))
            left = right
        return (" and " if holds else " or ").join(links)

    def _link(
        self, left: ast.expr, op: ast.cmpop, right: ast.expr, verbs: Mapping[type[ast.cmpop], str]
    ) -> str:
        be = "must be" if verbs is _MUST else "is"
        if isinstance(op, ast.Is | ast.IsNot):
            return f"{self.noun(left)} {be} {'absent' if isinstance(op, ast.Is) else 'given'}"
        counted = _counted(left)
        if counted is not None and _is_zero(right):
            if isinstance(op, ast.Eq | ast.LtE):
                return f"there {be} no {self.noun(counted)}"
            if isinstance(op, ast.Gt | ast.NotEq):
                return f"there {be} at least one of {self.noun(counted)}"
        limit = self.noun(right)
        edge = _STRICT.get(type(op)) if verbs is _MUST else None
        said = f"{self.noun(left)} {verbs[type(op)]} {limit}"
        return f"{said} (exactly {limit} is {edge})" if edge else said

    def _called(self, node: ast.Call, verbs: Mapping[type[ast.cmpop], str], holds: bool) -> str:
        name = getattr(node.func, "id", "")
        be = ("must be" if holds else "must not be") if verbs is _MUST else ("is" if holds else "is not")
        if name in _KINDS and node.args:
            return f"{self.noun(node.args[0])} {be} {_KINDS[name]}"
        if name == "within" and len(node.args) == 2:
            tolerance = " or ".join(self._tolerance(keyword) for keyword in node.keywords) or "0"
            return f"{self.noun(node.args[0])} {be} within {tolerance} of {self.noun(node.args[1])}"
        if name in ("all", "any") and node.args and isinstance(node.args[0], ast.ListComp | ast.GeneratorExp):
            return self._quantified(name, node.args[0], verbs, holds)
        verb = _VERBS.get(name)
        if verb is not None and len(node.args) == 2:
            return verb(self, node, "must " if verbs is _MUST else "", holds)
        return self._plain(node, verbs, holds)

    def _quantified(
        self,
        name: str,
        items: ast.ListComp | ast.GeneratorExp,
        verbs: Mapping[type[ast.cmpop], str],
        holds: bool,
    ) -> str:
        every = (name == "all") is holds
        walked = []
        for generator in items.generators:
            chosen = "".join(f" for which {self.clause(part, _IS)}" for part in generator.ifs)
            item = trees.write(generator.target)
            walked.append(f"{'every' if every else 'some'} `{item}` of {self.noun(generator.iter)}{chosen}")
        return f"for {' and '.join(walked)}, {self.clause(items.elt, verbs, holds)}"

    def _tolerance(self, keyword: ast.keyword) -> str:
        value = self._number(keyword.value)
        if keyword.arg == "rel" and value is not None:
            return f"{value * 100:g} %" + (
                f" (`{keyword.value.id}`)" if isinstance(keyword.value, ast.Name) else ""
            )
        return self.noun(keyword.value)

    def _number(self, node: ast.expr) -> float | None:
        value = node.value if isinstance(node, ast.Constant) else self.rule.raw.get("params", {}).get(
            getattr(node, "id", None)
        )  # fmt: skip
        return value if isinstance(value, int | float) and not isinstance(value, bool) else None

    def _plain(self, node: ast.expr, verbs: Mapping[type[ast.cmpop], str], holds: bool) -> str:
        """Say a condition that is a name or a call: by the doc of the fact where it tells whether …."""
        if isinstance(node, ast.Constant):
            return "always" if node.value is holds else "never"
        doc = self.facts[node.id].doc if isinstance(node, ast.Name) and node.id in self.facts else ""
        if doc.startswith("Whether "):
            told = _first_part(doc.removeprefix("Whether "))
            if verbs is _MUST:
                return f"it must {'' if holds else 'not '}be so that {told}"
            return told if holds else f"it is not so that {told}"
        verb = ("must hold" if holds else "must not hold") if verbs is _MUST else (
            "holds" if holds else "does not hold"
        )  # fmt: skip
        return f"{self.noun(node)} {verb}"

    def noun(self, node: ast.expr) -> str:
        """Name a value."""
        if isinstance(node, ast.Constant):
            if isinstance(node.value, str):
                return f"'{node.value}'"
            return kinds.show(node.value)
        value = self._constant(node)
        if value is not _UNKNOWN:
            return f"`{trees.write(node)}`{_in_brackets(value)}"
        if isinstance(node, ast.Name):
            return self._named(node.id)
        if isinstance(node, ast.List | ast.Tuple) and all(isinstance(e, ast.Constant) for e in node.elts):
            return ", ".join(self.noun(element) for element in node.elts)
        if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
            noun = _NOUNS.get(getattr(node.func, "id", ""))
            if noun is not None and not isinstance(node.args[0], ast.ListComp | ast.GeneratorExp):
                return f"{noun} {self.noun(node.args[0])}"
        return f"`{trees.write(node)}`"

    def _named(self, name: str) -> str:
        """Name what stands behind a name where that is short, else the name itself."""
        entry = self.rule.definitions.get(name)
        if isinstance(entry, Extract) and entry.of is None and entry.path.keys is not None:
            return f"`{entry.source}`"
        if isinstance(entry, Compute) and len(entry.source) <= SHORT and name not in self._busy:
            tree = _tree(entry)
            if isinstance(tree, ast.Attribute | ast.Call | ast.Subscript):
                self._busy.append(name)
                said = self.noun(tree)
                self._busy.pop()
                return said
        return f"`{name}`"

    def _constant(self, node: ast.expr) -> Any:
        """Return what a name or an entry is where the ruleset alone decides it: a parameter, a table."""
        if isinstance(node, ast.Name):
            if node.id in self.rule.raw.get("params", {}):
                return self.rule.raw["params"][node.id]
            if node.id in self.rule.definitions:
                entry = self.rule.definitions[node.id]
                return self._constant(_tree(entry)) if isinstance(entry, Compute) else _UNKNOWN
            is_table = node.id in self.ruleset.tables and node.id not in self.facts
            return self.ruleset.tables[node.id] if is_table else _UNKNOWN
        if isinstance(node, ast.Attribute):
            value = self._constant(node.value)
            return value.get(node.attr) if isinstance(value, Mapping) else _UNKNOWN
        return _UNKNOWN


_UNKNOWN: Any = object()


def _in_brackets(value: Any) -> str:
    """Show a value that is short, in brackets."""
    if isinstance(value, int | float | str) or value is None:
        return f" ({kinds.show(value) if not isinstance(value, str) else value})"
    if isinstance(value, list) and len(value) <= 5 and all(isinstance(v, int | float | str) for v in value):
        return f" ({', '.join(str(item) for item in value)})"
    return ""


def _verb(positive: str, negative: str, swapped: bool = False) -> Callable[..., str]:
    def say(writer: _Writer, node: ast.Call, must: str, holds: bool) -> str:
        first, second = (writer.noun(argument) for argument in node.args)
        if swapped:
            first, second = second, first
        indicative, infinitive = (positive.split("|")) if holds else (negative.split("|"))
        return f"{first} {must}{infinitive if must else indicative} {second}"

    return say


_VERBS: Mapping[str, Callable[..., str]] = {
    "starts_with": _verb("begins with|begin with", "does not begin with|not begin with"),
    "ends_with": _verb("ends with|end with", "does not end with|not end with"),
    "matches": _verb("matches|match", "does not match|not match", swapped=True),
    "equal": _verb("is|be", "is not|not be"),
}


def _tree(compute: Compute) -> ast.expr:
    return trees.parse(compute.source)


def _is_zero(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 0 and node.value is not False


def _counted(node: ast.expr) -> ast.expr | None:
    """Return what `len(…)` counts."""
    is_count = isinstance(node, ast.Call) and getattr(node.func, "id", "") == "len" and len(node.args) == 1
    return node.args[0] if is_count and isinstance(node, ast.Call) else None


def _is_exception(node: ast.expr) -> bool:
    """Tell whether a part of an `or` reads as an exception: something absent, or other than."""
    if isinstance(node, ast.Compare):
        return len(node.ops) == 1 and isinstance(node.ops[0], ast.Is | ast.NotEq | ast.NotIn)
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)


def _first_part(text: str) -> str:
    """Return a doc's first part, without its explanations.

    >>> _first_part("the folder is a branch: one of ours (or rented).")
    'the folder is a branch'
    """
    for end in (": ", "; ", " (", ". "):
        text = text.split(end)[0]
    return text.rstrip(".")
