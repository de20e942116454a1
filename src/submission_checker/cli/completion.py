"""`submission-checker completion`."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

PROGRAM = "submission-checker"
VARIABLE = "_SUBMISSION_CHECKER_COMPLETE"
"""Environment variable through which a shell asks; click derives it from the program's name."""


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the script that makes SHELL complete commands, options and their values.

    \b
      bash  submission-checker completion bash > ~/.local/share/bash-completion/completions/submission-checker
      zsh   submission-checker completion zsh > "${fpath[1]}/_submission-checker"
      fish  submission-checker completion fish > ~/.config/fish/completions/submission-checker.fish

    A new shell knows it. Bash must be 4.4 or newer.
    """
    found = get_completion_class(shell)
    assert found is not None
    script = found(ctx.find_root().command, {}, PROGRAM, VARIABLE)
    # Not `source()`: for bash that starts a bash, here, to ask for its version.
    click.echo(script.source_template % script.source_vars())
