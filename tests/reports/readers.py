"""Reads each format back with a tool that is not ours; raises when it is not what it says it is."""

from __future__ import annotations

import json
import re
import tempfile
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import jsonschema
from junitparser import JUnitXml
from markdown_it import MarkdownIt
from markdown_it.token import Token
from sarif import loader
from sarif.sarif_file import SarifFile

DATA = Path(__file__).parent / "data"


@cache
def sarif_validator() -> Any:
    schema = json.loads((DATA / "sarif-2.1.0.schema.json").read_text("utf-8"))
    return jsonschema.Draft4Validator(schema, format_checker=jsonschema.FormatChecker())


def read_sarif(text: str) -> SarifFile:
    """The log as sarif-tools sees it, after the schema has agreed."""
    sarif_validator().validate(json.loads(text))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.sarif"
        path.write_text(text, "utf-8")
        return loader.load_sarif_file(str(path))


def read_junit(text: str) -> JUnitXml:
    """The suites as junitparser sees them."""
    return JUnitXml.fromstring(text.encode("utf-8"))


COMMAND = re.compile(r"^::(error|warning)(?: ([^:]*))?::(.*)$")


def read_github(text: str) -> list[tuple[str, dict[str, str], str]]:
    """The commands as the runner of a workflow understands them: name, properties, message."""
    commands = []
    *lines, verdict = text.splitlines()
    for line in lines:
        match = COMMAND.match(line)
        assert match, line
        pairs = (pair.split("=", 1) for pair in (match[2] or "").split(",") if pair)
        commands.append((match[1], {name: _unescaped(value) for name, value in pairs}, _unescaped(match[3])))
    assert re.match(r"(PASSED|FAILED|NOT COMPLETED): ", verdict)
    return commands


def _unescaped(text: str) -> str:
    for code, character in (("%3A", ":"), ("%2C", ","), ("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
        text = text.replace(code, character)
    return text


def read_markdown(text: str) -> list[Token]:
    """The tokens of the page; no link, image or markup of anybody's may be among them."""
    tokens = MarkdownIt("commonmark", {"linkify": True}).enable("table").parse(text)
    everything = [*tokens, *(child for token in tokens for child in token.children or [])]
    forbidden = {
        "link_open",
        "image",
        "html_inline",
        "html_block",
        "fence",
        "code_block",
        "hr",
        "blockquote_open",
    }
    assert not forbidden & {token.type for token in everything}
    for token in everything:
        if token.type == "text":
            assert not re.search(r"evil\.example|alert|@all|#1\b", token.content), token.content
    return everything


VOID = {"meta", "link", "input", "br", "hr", "img"}


class Element:
    """An element of a page, as much of one as these tests ask for."""

    def __init__(self, tag: str, attributes: dict[str, str | None]) -> None:
        self.tag = tag
        self.attributes = attributes
        self.children: list[Element | str] = []

    @property
    def classes(self) -> list[str]:
        return (self.attributes.get("class") or "").split()

    def all(self, tag: str, name: str = "") -> list[Element]:
        found = [self] if self.tag == tag and (not name or name in self.classes) else []
        for child in self.children:
            if isinstance(child, Element):
                found += child.all(tag, name)
        return found

    def first(self, tag: str, name: str = "") -> Element:
        return self.all(tag, name)[0]

    def text(self) -> str:
        parts = (child if isinstance(child, str) else child.text() for child in self.children)
        return " ".join("".join(parts).split()) if self.tag != "pre" else "".join(parts)

    def every(self) -> list[Element]:
        return [self, *(e for child in self.children if isinstance(child, Element) for e in child.every())]


class _Tree(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open = [Element("", {})]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, dict(attrs))
        self.open[-1].children.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].children.append(Element(tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].tag == tag, f"</{tag}> closes <{self.open[-1].tag}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


ELEMENTS = {
    *("html", "head", "meta", "title", "link", "style", "script", "body", "header", "main", "nav", "section"),
    *("article", "p", "h1", "h2", "h3", "h4", "a", "span", "div", "code", "pre", "mark", "ol", "ul", "li"),
    *("dl", "dt", "dd", "table", "thead", "tbody", "tr", "th", "td", "details", "summary", "figure"),
    *("figcaption", "label", "input", "select", "option", "output", "svg", "g", "rect", "line", "path"),
    *("circle", "polygon", "text"),
}
FORBIDDEN = {"style", "src", "srcset", "action", "formaction"}


def read_html(text: str, *, scripts: int = 1) -> Element:
    """The page's tree, after a look for anything that runs, loads or leads elsewhere."""
    tree = _Tree()
    tree.feed(text)
    tree.close()
    [page] = tree.open
    everything = page.every()[1:]
    assert {element.tag for element in everything} <= ELEMENTS
    assert sum(element.tag == "script" for element in everything) == scripts
    for element in everything:
        for name, value in element.attributes.items():
            assert not name.startswith("on") and name not in FORBIDDEN, name
            if name in ("href", "xlink:href"):
                assert value is not None and (value == "data:," or re.fullmatch(r"#[a-z0-9-]+", value)), value
    identities = [element.attributes["id"] for element in everything if "id" in element.attributes]
    assert len(set(identities)) == len(identities)
    return page
