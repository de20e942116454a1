"""What keeps a rule from being used at all; found while the ruleset is loaded."""

from __future__ import annotations

from submission_checker.bench.lint import UNUSED_PERMISSION, Lint

NOT_YAML = Lint(
    id="not-yaml",
    title="The file cannot be read as the plain YAML that rules are written in",
    chapter="loading",
    why="""\
Rules are one YAML document without anchors, tags or duplicate keys. A text that begins with one of
`` { [ & * ! | > % @ ` `` or a quote, or that has `: ` or ` #` in it, needs quotes around it.""",
    bad="""\
require: card == 1
require: card == 2
broken: x
""",
    good="""\
require: name == 'poetry'
broken: "{name} is not poetry"
""",
)

SHAPE = Lint(
    id="shape",
    title="The file has a key that means nothing, lacks one, or has a value of the wrong kind",
    chapter="loading",
    why="""\
Every file of a ruleset has a published JSON Schema, from which an editor completes and explains.
A key that means nothing would be read by nobody, so it is refused.""",
    bad="""\
requires: name == 'poetry'
broken: "{name} is not poetry"
""",
    good="""\
require: name == 'poetry'
broken: "{name} is not poetry"
""",
)

NOT_LINKED = Lint(
    id="not-linked",
    title="A name, a function, a scope, a document or a rule that does not exist",
    chapter="loading",
    why="""\
Names are looked up when the ruleset is loaded, not when a submission happens to reach them. An
expression sees what the rule binds, facts, tables and the subjects around it; it sees no document,
of which `extract` takes what is needed. Also found here: what is no expression, no path, no
message, or could take for ever.""",
    bad="""\
params: {limit: 3}
require: len(name) <= limt
broken: "{name} is longer than {limit}"
""",
    good="""\
params: {limit: 3}
require: len(name) <= limit
broken: "{name} is longer than {limit}"
""",
)

UNUSED_ALLOW = Lint(
    id=UNUSED_PERMISSION,
    title="The rule allows a lint that it does not have",
    chapter="loading",
    why="""\
`allow` says why a lint is right about the rule in general and wrong here. Once the rule does not
have the lint any more, the permission would only hide the next one.""",
    bad="""\
require: name == 'poetry'
broken: "{name} is not poetry"
allow: [{lint: float-equality, reason: names are no numbers}]
""",
    good="""\
require: name == 'poetry'
broken: "{name} is not poetry"
""",
)

LINTS = (NOT_YAML, SHAPE, NOT_LINKED, UNUSED_ALLOW)
