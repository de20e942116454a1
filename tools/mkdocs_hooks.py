"""What the site has besides docs/: navigation from the generated list, and files from around docs/.

Pages in docs/ link to files beside it as GitHub shows them (`../CHANGELOG.md`, `../../rules/…`).
In the site such a Markdown file becomes a page in `project/`, any other file a copy in `source/`, and
a link to a folder is plain text.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import yaml
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

# The same bytes each time: nothing in the site says when it was made.
os.environ.setdefault("SOURCE_DATE_EPOCH", "0")

ROOT = Path(__file__).resolve().parents[1]
DOCS = "docs"
NAVIGATION = "reference/navigation.yml"
PROJECT = {"README.md": "Getting started", "CONTRIBUTING.md": "Contributing", "CHANGELOG.md": "Changelog"}
"""Pages beside docs/ that the site has in any case, with their titles."""
RULESET = re.compile(r"reference/(?!functions/)[^/]+/README\.md$")
WIDE = re.compile(r"^reference/.*/(documents/\w+|tables/\w+|rules/README|coverage|facts|changes)\.md$")
"""Pages that are one wide table: they have no list of headings beside them."""
LINK = re.compile(r"(?P<image>!?)\[(?P<label>(?:[^\[\]\\]|\\.)*)\]\((?P<target>[^()\s]+)\)")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Take the navigation from the generated list."""
    tree = yaml.safe_load((Path(config.docs_dir) / NAVIGATION).read_text(encoding="utf-8"))
    project = [{title: page_of(name)} for name, title in PROJECT.items()]
    guides = next((entry["Guides"] for entry in tree if isinstance(entry, dict) and "Guides" in entry), None)
    if guides is None:
        tree.append({"Guides": project})
    else:
        guides[:0], guides[len(guides) :] = project[:1], project[1:]
    config.nav = tree
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the files beside docs/ that pages link to."""
    wanted = dict.fromkeys(PROJECT)
    for file in files.documentation_pages():
        folder = posixpath.join(DOCS, posixpath.dirname(file.src_uri))
        wanted.update(dict.fromkeys(linked_from(file.content_string, folder)))
    for name in list(wanted):
        if name.endswith(".md"):
            text = (ROOT / name).read_text(encoding="utf-8")
            wanted.update(dict.fromkeys(linked_from(text, posixpath.dirname(name))))
    for name in wanted:
        if name.endswith(".md"):
            text = (ROOT / name).read_text(encoding="utf-8")
            files.append(File.generated(config, page_of(name), content=text))
        else:
            files.append(File.generated(config, copy_of(name), abs_src_path=str(ROOT / name)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Lead links out of docs/ to what the site has in their place; let the newest rules be found first."""
    uri = page.file.src_uri
    origin = next((name for name in PROJECT if page_of(name) == uri), None)
    folder = posixpath.join(DOCS, posixpath.dirname(uri)) if origin is None else posixpath.dirname(origin)
    page.meta.setdefault("search", importance(uri, config.nav, files))
    if WIDE.search(uri):
        page.meta.setdefault("hide", ["toc"])

    def lead(link: re.Match[str]) -> str:
        path, mark, anchor = link["target"].partition("#")
        if not path or "://" in path or path.startswith("mailto:"):
            return link[0]
        place = posixpath.normpath(posixpath.join(folder, path))
        if (ROOT / place).is_dir():
            index = f"{place}/README.md"
            if not (place.startswith(f"{DOCS}/") or place == DOCS) or not (ROOT / index).is_file():
                return link["label"]
            place = index
        target = in_site(place)
        if target is None:
            return link[0]
        relative = posixpath.relpath(target, posixpath.dirname(uri) or ".")
        return f"{link['image']}[{link['label']}]({relative}{mark}{anchor})"

    return outside_code(markdown, lambda text: LINK.sub(lead, text))


def importance(uri: str, nav: Any, files: Files) -> dict[str, Any]:
    """Say how much a page counts in a search: rules and clauses of the first ruleset most.

    Of another ruleset only that is found which the first one has not: two hits for each rule help nobody.
    """
    first_pages = [pages[0] for entry in nav for pages in entry.values() if isinstance(pages, list)]
    roots = [posixpath.dirname(page) for page in first_pages if isinstance(page, str) and RULESET.match(page)]
    main, others = roots[0], roots[1:]
    for other in others:
        if uri.startswith(f"{other}/"):
            twin = files.get_file_from_path(main + uri.removeprefix(other))
            return {"boost": 1} if twin is None or uri.count("/") == 2 else {"exclude": True}
    chosen = uri.startswith((f"{main}/rules/", f"{main}/clauses/")) and not uri.endswith("README.md")
    return {"boost": 4 if chosen else 1}


def linked_from(markdown: str, folder: str) -> Iterator[str]:
    """Yield the files beside docs/ that a page links to."""
    found: list[str] = []

    def note(text: str) -> str:
        for link in LINK.finditer(text):
            path = link["target"].partition("#")[0]
            place = posixpath.normpath(posixpath.join(folder, path)) if path and "://" not in path else ""
            if place and not place.startswith(("..", f"{DOCS}/")) and (ROOT / place).is_file():
                found.append(place)
        return text

    outside_code(markdown, note)
    yield from found


def outside_code(markdown: str, change: Callable[[str], str]) -> str:
    """Change a page, but leave alone what is code in it."""
    # A label may be code, so a span of code is kept from the change only where no link is around it.
    parts, end = [], 0
    for block in re.finditer(r"^(`{3,})[^\n]*\n.*?^\1`*[ \t]*$", markdown, re.MULTILINE | re.DOTALL):
        parts += [change(markdown[end : block.start()]), block[0]]
        end = block.end()
    return "".join([*parts, change(markdown[end:])])


def in_site(place: str) -> str | None:
    """Return where the site has a file of the checkout."""
    if place.startswith(f"{DOCS}/"):
        return place.removeprefix(f"{DOCS}/")
    if place.startswith("..") or not (ROOT / place).is_file():
        return None
    return page_of(place) if place.endswith(".md") else copy_of(place)


def page_of(name: str) -> str:
    """Return the page of a Markdown file beside docs/."""
    return f"project/{name}".replace("README.md", "start.md").lower()


def copy_of(name: str) -> str:
    """Return the copy of any other file: as text, which every browser shows."""
    return f"source/{name}.txt"
