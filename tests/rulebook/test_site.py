"""The built site: crawled without a browser, then looked at with one that has no network."""

from __future__ import annotations

import filecmp
import functools
import posixpath
import threading
from collections.abc import Iterator
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import quote, unquote

import pytest

from submission_checker.functions import BUILTINS
from submission_checker.rulebook.site import make
from tests.support.browser import CHROMIUM, Browser, browser

from .conftest import ROOT
from .test_shipped import BOOKS
from .test_shipped import LATEST as MAIN

pytestmark = pytest.mark.slow
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")


class Page(HTMLParser):
    """What a page links to, what it loads, and the marks in it."""

    def __init__(self, text: str):
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.marks: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attributes}
        self.marks |= {found[name] for name in ("id", "name") if name in found}
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        elif tag == "link" and "href" in found:
            self.loads.append(found["href"])
        elif "src" in found:
            self.loads.append(found["src"])


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, Page]:
    """The pages of the site by path; the page for what is not there belongs to no folder."""
    files = [file for file in site.rglob("*.html") if file.name != "404.html"]
    return {file.relative_to(site).as_posix(): Page(file.read_text(encoding="utf-8")) for file in files}


def goal(page: str, target: str) -> tuple[str, str]:
    """The path below the site and the mark that a link leads to."""
    path, _, mark = target.partition("#")
    path = path.partition("?")[0]
    where = posixpath.normpath(posixpath.join(posixpath.dirname(page), unquote(path))) if path else page
    return where, unquote(mark)


def is_outside(target: str) -> bool:
    return "://" in target or target.startswith(("mailto:", "data:", "javascript:"))


def test_no_link_and_no_mark_is_broken(site: Path, pages: dict[str, Page]) -> None:
    broken = []
    for name, page in pages.items():
        for target in [*page.links, *page.loads]:
            if is_outside(target):
                continue
            where, mark = goal(name, target)
            if not (site / where).is_file() or (mark and where in pages and mark not in pages[where].marks):
                broken.append(f"{name}: {target}")

    assert broken == []
    assert len(pages) > 250


def test_no_page_loads_anything_from_elsewhere(pages: dict[str, Page]) -> None:
    assert {target for page in pages.values() for target in page.loads if is_outside(target)} == set()


def test_everything_is_reached_from_the_home_page(pages: dict[str, Page]) -> None:
    reached, waiting = {"index.html"}, ["index.html"]
    while waiting:
        here = waiting.pop()
        for target in pages[here].links:
            where = here if is_outside(target) else goal(here, target)[0]
            if where in pages and where not in reached:
                reached.add(where)
                waiting.append(where)

    assert set(pages) - reached == set()
    for book in BOOKS.values():
        wanted = [
            *map(book.page_of_rule, book.rules),
            *map(book.page_of_clause, book.sections),
            *map(book.page_of_table, book.ruleset.tables),
            *(f"{book.root}/documents/{name}.md" for name in book.described),
            *(f"reference/functions/{name}.md" for name in BUILTINS),
        ]
        assert {page.replace(".md", ".html") for page in wanted} <= reached
        for document, fields in book.fields.items():
            marks = pages[f"{book.root}/documents/{document}.html"].marks
            assert {field.anchor for field in fields.values()} <= marks


def test_the_same_pages_give_the_same_bytes(site: Path, tmp_path: Path) -> None:
    make(ROOT / "docs", tmp_path / "again")

    first = {file.relative_to(site).as_posix() for file in site.rglob("*") if file.is_file()}
    second = {
        file.relative_to(tmp_path / "again").as_posix()
        for file in (tmp_path / "again").rglob("*")
        if file.is_file()
    }
    _, different, errors = filecmp.cmpfiles(site, tmp_path / "again", sorted(first), shallow=False)
    assert (first, different, errors) == (second, [], [])


# -- in a browser


class _Silent(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Silent, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


LOOKED_AT = [
    "index.html",
    f"reference/{MAIN}/rules/index.html",
    f"reference/{MAIN}/rules/point-duration.html",
    f"reference/{MAIN}/clauses/5.4.html",
    f"reference/{MAIN}/clauses/5.7.2.html",
    f"reference/{MAIN}/coverage.html",
    f"reference/{MAIN}/documents/disclosure.html",
    f"reference/{MAIN}/tables/regions.html",
    "reference/functions/region_bounds.html",
    "reference/commands.html",
    "project/changelog.html",
    "rule-language.html",
]


@needs_chromium
@pytest.mark.parametrize(
    ("width", "height", "dark"), [(1280, 900, False), (1280, 900, True), (390, 844, False)],
    ids=["light", "dark", "phone"],
)  # fmt: skip
def test_pages_open_without_network_and_complaint(
    tab: Browser, address: str, width: int, height: int, dark: bool
) -> None:
    tab.requests.clear()
    tab.complaints.clear()
    tab.look(width=width, height=height, dark=dark)
    for page in LOOKED_AT:
        tab.open(f"{address}/{page}")
        tab.evaluate("localStorage.clear()")
        tab.open(f"{address}/{page}")

        assert tab.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), (
            f"{page} is too wide"
        )
        scheme = "slate" if dark else "default"
        assert tab.wait("document.body.getAttribute('data-md-color-scheme')") == scheme

    assert tab.complaints == []
    assert [url for url in tab.requests if not url.startswith((f"{address}/", "data:"))] == []


SEARCHES = {
    "offline-ordering": f"reference/{MAIN}/rules/offline-ordering.html",
    "tps-utilization": f"reference/{MAIN}/rules/tps-utilization.html",
    "5.7.2": f"reference/{MAIN}/clauses/5.7.2.html",
    "§5.7.2": f"reference/{MAIN}/clauses/5.7.2.html",
    "9.1": f"reference/{MAIN}/clauses/9.1.html",
}
WORDS = {
    "queries completed": f"reference/{MAIN}/rules/min-query-count.html",
    "beyond the margin": f"reference/{MAIN}/rules/concurrency-in-range.html",
    "which is High Concurrency": f"reference/{MAIN}/rules/high-concurrency-coverage.html",
}


def results(tab: Browser, base: str, query: str) -> list[str]:
    tab.open(f"{base}/index.html?q={quote(query)}")
    tab.wait("document.querySelectorAll('.md-search-result__item').length > 0")
    links = tab.evaluate("[...document.querySelectorAll('.md-search-result__item a')].map(a => a.href)")
    found = [link.removeprefix(f"{base}/").partition("?")[0].partition("#")[0] for link in links]
    return list(dict.fromkeys(found))


@needs_chromium
@pytest.mark.parametrize("query", SEARCHES)
def test_the_first_hit_for_an_id_or_a_clause_is_its_page(tab: Browser, address: str, query: str) -> None:
    assert results(tab, address, query)[0] == SEARCHES[query]


@needs_chromium
@pytest.mark.parametrize("words", WORDS)
def test_words_of_a_message_find_the_rule(tab: Browser, address: str, words: str) -> None:
    assert WORDS[words] in results(tab, address, words)[:5]


@needs_chromium
def test_the_search_works_from_a_disk(tab: Browser, site: Path) -> None:
    tab.complaints.clear()

    assert results(tab, site.as_uri(), "5.7.2")[0] == SEARCHES["5.7.2"]
    assert tab.complaints == []
