"""Reads each format back with a tool that is not ours; raises when it is not what it says it is."""

from __future__ import annotations

import json
import re
import tempfile
from functools import cache
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
