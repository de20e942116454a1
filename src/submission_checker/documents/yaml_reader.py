"""YAML text to values: those of PyYAML's safe loader, in less than half its time and within limits.

A plain document (no tag, anchor, merge key or key that is itself a collection) is built straight from the
parser's events. Anything else goes through PyYAML's own composer and constructor, watched by our limits.
Both work with libyaml's parser and with the pure Python one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import yaml
from yaml.composer import Composer
from yaml.constructor import SafeConstructor
from yaml.events import (
    AliasEvent,
    DocumentEndEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)
from yaml.nodes import MappingNode, ScalarNode, SequenceNode
from yaml.parser import Parser
from yaml.reader import Reader, ReaderError
from yaml.resolver import Resolver
from yaml.scanner import Scanner

from submission_checker.documents.files import decode, line_and_column
from submission_checker.documents.problems import MOST_REMARKS, Limits, Problem, Refused, escape

EventParser = Callable[[bytes], Any]
"""Makes a parser (something with `get_event`) from UTF-8 bytes."""


class _PythonParser(Reader, Scanner, Parser):
    """The parts of PyYAML's loader that make events."""

    def __init__(self, text: str) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Parser.__init__(self)


def python_parser(data: bytes) -> Any:
    """PyYAML's parser in pure Python."""
    return _PythonParser(data.decode("utf-8"))


def _best_parser() -> EventParser:
    """Choose libyaml's parser where PyYAML was built with it."""
    try:
        from yaml.cyaml import CParser  # type: ignore[attr-defined]
    except ImportError:
        return python_parser
    parser: EventParser = CParser
    return parser


EVENT_PARSER: Final = _best_parser()

_MISSING: Final = object()
_UNUSUAL: Final = object()
"""Stands for a plain scalar that is no value of its own, such as the merge key `<<`."""

_MAX_NUMBER_LENGTH: Final = 4400
"""Python converts integers of up to 4300 digits; beyond that, base-60 notation takes quadratic time."""
_NUMBERS: Final = frozenset({"tag:yaml.org,2002:int", "tag:yaml.org,2002:float"})
_SPECIAL: Final = frozenset({"tag:yaml.org,2002:merge", "tag:yaml.org,2002:value", "tag:yaml.org,2002:yaml"})
_STRING: Final = "tag:yaml.org,2002:str"
_UNBUILDABLE: Final = (ValueError, TypeError, AttributeError, KeyError, IndexError, OverflowError)
"""What PyYAML's constructor lets escape for a scalar that does not fit its tag."""

_resolver: Final[Any] = Resolver()
_constructor: Final = SafeConstructor()
_KNOWN_LIMIT: Final = 4096
_known: Final[dict[str, Any]] = {}
"""Plain scalars that were resolved before; all their values are immutable."""
_SMALL: Final = 64 * 1024
"""Up to this size, in bytes, the pure Python parser is asked where the two parsers differ."""
_COMMENT_AFTER_HEADER: Final = re.compile(rb"[|>][-+0-9]*#")


def parse_yaml(
    data: bytes, limits: Limits, parser: EventParser = EVENT_PARSER
) -> tuple[Any, tuple[Problem, ...]]:
    """Parse *data*, the first and only document in it.

    libyaml and PyYAML's own parser differ in corners: libyaml lets pass a tab after a colon, and refuses
    escaped surrogates. In a file of usual size PyYAML's own parser has the last word, so that the result does
    not depend on how PyYAML was built.

    Args:
        data: The file's bytes, with or without a byte order mark.
        limits: Nesting, number of values and aliases.
        parser: Where the events come from.

    Returns:
        The value (None for an empty file), and a remark for each key that is given twice.

    Raises:
        Refused: It is not YAML in UTF-8, a value in it cannot be built, or it exceeds a limit.
    """
    text = decode(data)
    if parser is python_parser or len(data) > _SMALL:
        return _parse(data, text, limits, parser, parser)
    if _parsers_may_differ(data, text):
        return _parse(data, text, limits, python_parser, python_parser)
    try:
        return _parse(data, text, limits, parser, python_parser)
    except Refused as refused:
        if refused.problem.kind == "syntax":
            return _parse(data, text, limits, python_parser, python_parser)
        raise


def _parsers_may_differ(data: bytes, text: str) -> bool:
    """Whether the text holds something that libyaml is known to take more easily.

    That is a tab between tokens, a byte order mark in the middle, a question mark in a flow collection and
    a comment that touches the header of a block of text. (Tags differ too; see `_parse`.)
    """
    return (
        b"\t" in data
        or (b"?" in data and (b"{" in data or b"[" in data))
        or (b"#" in data and _COMMENT_AFTER_HEADER.search(data) is not None)
        or "\ufeff" in text[1:]
    )


def _parse(
    data: bytes, text: str, limits: Limits, plain: EventParser, unusual: EventParser
) -> tuple[Any, tuple[Problem, ...]]:
    """Parse with one parser if the document is plain, with another if it is not."""
    remarks: list[Problem] = []
    try:
        try:
            value = _build(plain(data).get_event, limits, remarks)
        except _Unusual:
            remarks.clear()
            value = _Composition(unusual(data), limits, remarks).value()
    except yaml.YAMLError as error:
        raise Refused(_syntax_problem(error, data, text)) from None
    except RecursionError:
        raise Refused(_too_deep(limits)) from None
    return value, tuple(remarks)


class _Unusual(Exception):
    """The document uses a feature that `_build` leaves to PyYAML."""


def _build(get_event: Callable[[], Any], limits: Limits, remarks: list[Problem]) -> Any:
    """Build the value of a plain document from its events.

    One loop with its own stack: this is the hottest code of a check.
    """
    get_event()  # the start of the stream
    if type(get_event()) is StreamEndEvent:
        return None
    known = _known
    max_nodes, max_depth = limits.max_nodes, limits.max_depth
    nodes = 0
    stack: list[tuple[Any, Any]] = []
    container: Any = None
    key: Any = _MISSING
    root: Any = None
    while True:
        event = get_event()
        kind = type(event)
        if kind is ScalarEvent:
            if event.tag is not None or event.anchor is not None:
                raise _Unusual
            value = event.value
            if event.implicit[0]:
                text = value
                value = known.get(text, _MISSING)
                if value is _MISSING:
                    value = _plain(text, event.start_mark)
                if value is _UNUSUAL:
                    raise _Unusual
        elif kind is MappingEndEvent or kind is SequenceEndEvent:
            container = stack.pop()[0]
            key = _MISSING
            continue
        elif kind is MappingStartEvent or kind is SequenceStartEvent:
            if event.tag is not None or event.anchor is not None:
                raise _Unusual
            value = {} if kind is MappingStartEvent else []
        elif kind is DocumentEndEvent:
            break
        else:
            raise _Unusual
        nodes += 1
        if nodes > max_nodes:
            raise Refused(_too_many(limits))
        if container is None:
            root = value
        elif type(container) is list:
            container.append(value)
        elif key is _MISSING:
            if kind is not ScalarEvent:
                raise _Unusual
            if value in container and len(remarks) < MOST_REMARKS:
                remarks.append(_duplicate(value, stack, event.start_mark))
            key = value
            continue
        else:
            container[key] = value
        if kind is not ScalarEvent:
            stack.append((container, key))
            if len(stack) > max_depth:
                raise Refused(_too_deep(limits, event.start_mark))
            container = value
        key = _MISSING
    _expect_end(get_event())
    return root


def _expect_end(event: Any) -> None:
    if type(event) is not StreamEndEvent:
        mark = event.start_mark
        message = "holds several YAML documents, where one is expected"
        raise Refused(Problem("syntax", message, "", mark.line + 1, mark.column + 1))


def _plain(text: str, mark: Any) -> Any:
    """Build the value of an unquoted scalar, by the implicit types of YAML 1.1."""
    tag = _resolver.resolve(ScalarNode, text, (True, False))
    if tag == _STRING:
        value: Any = text
    elif tag in _SPECIAL:
        value = _UNUSUAL
    else:
        value = _construct_scalar(tag, text, mark)
    if len(text) <= 80:
        if len(_known) >= _KNOWN_LIMIT:
            _known.clear()
        _known[text] = value
    return value


def _construct_scalar(tag: str, text: str, mark: Any) -> Any:
    """Build a number, date, boolean or null.

    Raises:
        Refused: The text has the shape of such a value but there is none, as `2026-13-45`.
    """
    where = (mark.line + 1, mark.column + 1)
    if tag in _NUMBERS and len(text) > _MAX_NUMBER_LENGTH:
        raise Refused(Problem("too_large", "holds a number with too many digits", "", *where))
    try:
        return SafeConstructor.yaml_constructors[tag](_constructor, ScalarNode(tag, text))
    except _UNBUILDABLE as error:
        kind = tag.rpartition(":")[2]
        if tag in _NUMBERS and len(text) > 4000:
            raise Refused(Problem("too_large", "holds a number with too many digits", "", *where)) from None
        message = f"{text[:60]!r} looks like a {kind} but is none ({error}); quote it if text is meant"
        raise Refused(Problem("syntax", message, "", *where)) from None


class _Composition(Composer, SafeConstructor, Resolver):
    """PyYAML's composer and constructor over any event parser, with limits."""

    def __init__(self, parser: Any, limits: Limits, remarks: list[Problem]) -> None:
        Composer.__init__(self)
        SafeConstructor.__init__(self)
        Resolver.__init__(self)
        self._next_event = parser.get_event
        self._event: Any = None
        self._limits = limits
        self._remarks = remarks
        self._depth = self._nodes = self._aliases = 0
        self._sizes: dict[str, int] = {}
        """How many values each finished anchor stands for."""

    # What PyYAML's composer asks of a parser.

    def check_event(self, *choices: type) -> bool:
        return isinstance(self.peek_event(), choices)

    def peek_event(self) -> Any:
        if self._event is None:
            self._event = self._next_event()
        return self._event

    def get_event(self) -> Any:
        event = self.peek_event()
        self._event = None
        return event

    def value(self) -> Any:
        """Compose and construct the one document."""
        node = self.root()
        try:
            return self.construct_document(node)
        except _UNBUILDABLE as error:
            raise Refused(Problem("syntax", f"holds a value that does not fit its tag ({error})")) from None

    def root(self) -> Any:
        """Compose the one document, None if there is none."""
        self.get_event()
        if self.check_event(StreamEndEvent):
            return None
        node = self.compose_document()
        _expect_end(self.get_event())
        return node

    def compose_node(self, parent: Any, index: Any) -> Any:
        """Compose one node and count it."""
        event = self.peek_event()
        if isinstance(event, AliasEvent):
            self._count_alias(event)
            return super().compose_node(parent, index)
        before = self._nodes
        self._count(1)
        self._depth += not isinstance(event, ScalarEvent)
        if self._depth > self._limits.max_depth:
            raise Refused(_too_deep(self._limits, event.start_mark))
        node = super().compose_node(parent, index)
        self._depth -= not isinstance(event, ScalarEvent)
        if event.anchor is not None:
            self._sizes[event.anchor] = self._nodes - before
        if isinstance(node, MappingNode):
            self._remark_duplicates(node)
        return node

    def _count(self, nodes: int) -> None:
        self._nodes += nodes
        if self._nodes > self._limits.max_nodes:
            raise Refused(_too_many(self._limits))

    def _count_alias(self, event: Any) -> None:
        self._aliases += 1
        mark = event.start_mark
        if self._aliases > self._limits.max_aliases:
            message = f"uses more than {self._limits.max_aliases} aliases"
            raise Refused(Problem("too_many", message, "", mark.line + 1, mark.column + 1))
        if event.anchor in self.anchors and event.anchor not in self._sizes:
            message = f"alias *{event.anchor} stands for a value that contains itself"
            raise Refused(Problem("too_deep", message, "", mark.line + 1, mark.column + 1))
        self._count(self._sizes.get(event.anchor, 1))

    def _remark_duplicates(self, node: MappingNode) -> None:
        seen = set()
        for key, _ in node.value:
            if not isinstance(key, ScalarNode) or key.tag in _SPECIAL:
                continue
            name = (key.tag, key.value)
            if name in seen and len(self._remarks) < MOST_REMARKS:
                self._remarks.append(_duplicate(key.value, [], key.start_mark))
            seen.add(name)

    def construct_object(self, node: Any, deep: bool = False) -> Any:
        """Construct one node; numbers are bounded as in the plain path."""
        if isinstance(node, ScalarNode) and node.tag in _NUMBERS and len(node.value) > _MAX_NUMBER_LENGTH:
            mark = node.start_mark
            message = "holds a number with too many digits"
            raise Refused(Problem("too_large", message, "", mark.line + 1, mark.column + 1))
        return super().construct_object(node, deep)


def compose_yaml(data: bytes, limits: Limits, parser: EventParser = EVENT_PARSER) -> Any:
    """Parse *data* to PyYAML's nodes, which know their places.

    Args:
        data: The file's bytes.
        limits: Nesting, number of values and aliases.
        parser: Where the events come from.

    Returns:
        The root node, None for an empty file.

    Raises:
        Refused: As `parse_yaml`.
    """
    text = decode(data)
    try:
        return _Composition(parser(data), limits, []).root()
    except yaml.YAMLError as error:
        raise Refused(_syntax_problem(error, data, text)) from None
    except RecursionError:
        raise Refused(_too_deep(limits)) from None


def child_node(node: Any, token: str) -> Any:
    """Find the node that *token* of a JSON pointer names below *node*, None if there is none.

    Of equal keys the last one counts. A key that is no text answers to its text, as `1:` to `1`.
    """
    if isinstance(node, SequenceNode):
        return node.value[int(token)] if token.isdecimal() and int(token) < len(node.value) else None
    if isinstance(node, MappingNode):
        for key, value in reversed(node.value):
            if isinstance(key, ScalarNode) and token in (key.value, _key_text(key)):
                return value
    return None


def _key_text(key: ScalarNode) -> str | None:
    """How a pointer names *key*: by its value, so `020` is `16`."""
    if key.tag == _STRING or key.tag in _SPECIAL:
        return None
    try:
        return str(_construct_scalar(key.tag, key.value, key.start_mark))
    except (Refused, KeyError):
        return None


def _syntax_problem(error: yaml.YAMLError, data: bytes, text: str) -> Problem:
    """Say in one line what the parser said in several."""
    if isinstance(error, yaml.MarkedYAMLError):
        mark = error.problem_mark or error.context_mark
        parts = [part for part in (error.context, error.problem) if part]
        line, column = (None, None) if mark is None else (mark.line + 1, mark.column + 1)
        return Problem("syntax", "is not YAML: " + ", ".join(parts), "", line, column)
    message = "is not YAML"
    if isinstance(error, ReaderError):
        message = f"is not YAML: {error.reason}"
        found = Reader.NON_PRINTABLE.search(text)
        if found:
            code = ord(found.group())
            line, column = line_and_column(text, found.start())
            return Problem("syntax", f"{message} (U+{code:04X})", "", line, column)
    return Problem("syntax", message)


def _duplicate(key: Any, stack: list[tuple[Any, Any]], mark: Any) -> Problem:
    """Make the remark about a key that is given twice; *stack* leads to the mapping."""
    tokens = [len(holder) - 1 if type(holder) is list else at for holder, at in stack[1:]]
    pointer = "".join(f"/{escape(token)}" for token in [*tokens, key])
    return Problem(
        "duplicate",
        f"key {str(key)!r} is given more than once; the last one counts",
        pointer,
        mark.line + 1,
        mark.column + 1,
    )


def _too_many(limits: Limits) -> Problem:
    return Problem("too_many", f"holds more than {limits.max_nodes} values")


def _too_deep(limits: Limits, mark: Any = None) -> Problem:
    line, column = (None, None) if mark is None else (mark.line + 1, mark.column + 1)
    return Problem("too_deep", f"nests deeper than {limits.max_depth} levels", "", line, column)
