"""What other programs start: the pre-commit hook, the GitHub action, a shell's completion."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from submission_checker.cli.completion import VARIABLE
from tests.cli.conftest import Run, environment

CHECKOUT = Path(__file__).resolve().parents[2]


def load(name: str) -> Any:
    return yaml.safe_load((CHECKOUT / name).read_text("utf-8"))


class TestHook:
    def test_it_checks_the_folder_it_runs_in(self, run: Run, broken: Path) -> None:
        [hook] = load(".pre-commit-hooks.yaml")
        program, *arguments = shlex.split(hook["entry"])
        assert (program, hook["language"], hook["pass_filenames"]) == ("submission-checker", "python", False)
        assert run(*arguments, *hook["args"], cwd=broken).returncode == 1

    @pytest.mark.parametrize(
        ("file", "fits"),
        [
            ("results/a/b/r8/point.yaml", True),
            ("my/docs/x.md", True),
            ("src/x/README.md", True),
            ("README.md", False),
            ("myresults/x", False),
        ],
    )
    def test_it_runs_for_the_files_of_a_submission(self, file: str, fits: bool) -> None:
        [hook] = load(".pre-commit-hooks.yaml")
        assert bool(re.search(hook["files"], file)) is fits


class TestAction:
    """The action's own script, run as the runner runs it, with the installed command."""

    @pytest.fixture
    def step(self, tmp_path: Path):
        bash = shutil.which("bash")
        if bash is None:
            pytest.skip("no bash")
        commands = tmp_path / "temp" / "submission-checker" / "bin"
        commands.mkdir(parents=True)
        command = commands / "submission-checker"
        command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m submission_checker "$@"\n')
        command.chmod(0o755)
        output = tmp_path / "output"

        def start(**inputs: str) -> tuple[int, str, str, str]:
            step = load("action.yml")["runs"]["steps"][1]
            names = {text: name for name, text in step["env"].items()}
            given = {
                names[f"${{{{ inputs.{name} }}}}"]: inputs.get(name, entry["default"])
                for name, entry in load("action.yml")["inputs"].items()
                if name != "python"
            }
            done = subprocess.run(
                [bash, "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
                cwd=tmp_path,
                env=environment(
                    {
                        **given,
                        "RUNNER_TEMP": str(tmp_path / "temp"),
                        "GITHUB_OUTPUT": str(output),
                        "GITHUB_ACTIONS": "true",
                        "GITHUB_WORKSPACE": str(tmp_path),
                    }
                ),
                capture_output=True,
                encoding="utf-8",
                timeout=120,
            )
            return done.returncode, done.stdout, done.stderr, output.read_text()

        return start

    def test_it_fails_with_the_checks_code(self, step, broken: Path, tmp_path: Path) -> None:
        code, printed, said, output = step(path="broken", sarif="out.sarif", html="page.html")
        assert (code, output) == (1, "exit-code=1\n")
        assert "FAILED" in printed and "::error file=broken/results/" in said
        assert (tmp_path / "out.sarif").exists() and (tmp_path / "page.html").exists()

    def test_several_paths_and_a_ruleset(self, step, sound: Path, broken: Path) -> None:
        code, printed, _, _ = step(path="sound\n\nbroken\n", ruleset="2026-10", strict="true")
        assert code == 1 and "1 of 2 submissions passed" in printed
        assert step(path="sound")[0] == 0

    def test_what_is_in_an_input_is_never_run(self, step, tmp_path: Path) -> None:
        for text in ("$(touch owned)", "`touch owned`", "x; touch owned", "--version", "'\"; touch owned #"):
            code = step(path=text, ruleset="", sarif="")[0]
            assert code == 1, text
            step(ruleset=text)
        assert not (tmp_path / "owned").exists()

    def test_every_input_is_documented(self) -> None:
        action, page = load("action.yml"), (CHECKOUT / "docs" / "integrations.md").read_text("utf-8")
        assert all(entry["description"] and "default" in entry for entry in action["inputs"].values())
        assert all(f"`{name}`" in page for name in action["inputs"])


class TestCompletion:
    @pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
    def test_the_script_asks_the_program(self, run: Run, shell: str) -> None:
        done = run("completion", shell)
        assert done.returncode == 0 and done.stderr == ""
        assert f"{VARIABLE}={shell}_complete" in done.stdout and "submission-checker" in done.stdout
        if shutil.which(shell):
            subprocess.run([str(shutil.which(shell)), "-n"], input=done.stdout, text=True, check=True)

    def test_another_shell_is_refused(self, run: Run) -> None:
        assert run("completion", "tcsh").returncode == 2

    @pytest.mark.parametrize(
        ("words", "expected"),
        [
            (["ch"], {"check"}),
            (["check", "--form"], {"--format"}),
            (["check", "--format", "s"], {"sarif"}),
            (["rules", "cor"], {"corpus"}),
            (["completion", ""], {"bash", "zsh", "fish"}),
        ],
    )
    def test_bash_completes(self, run: Run, tmp_path: Path, words: list[str], expected: set[str]) -> None:
        bash = shutil.which("bash")
        if bash is None:
            pytest.skip("no bash")
        command = tmp_path / "submission-checker"
        # As an installed command is: the program's name decides which variable is looked at.
        command.write_text(f"#!{sys.executable}\nfrom submission_checker.cli import main\nmain()\n")
        command.chmod(0o755)
        (tmp_path / "script").write_text(run("completion", "bash").stdout)
        typed = " ".join(shlex.quote(word) for word in ["submission-checker", *words])
        ask = (
            f"source script; COMP_WORDS=({typed}); COMP_CWORD={len(words)}; "
            '_submission_checker_completion submission-checker; printf "%s\\n" "${COMPREPLY[@]}"'
        )
        done = subprocess.run(
            [bash, "--norc", "-c", ask],
            cwd=tmp_path,
            env=environment({"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}),
            capture_output=True,
            encoding="utf-8",
            timeout=60,
        )
        assert set(done.stdout.split()) == expected, done.stderr


def test_the_module_is_the_command(run: Run) -> None:
    assert run("--version").stdout.startswith("submission-checker ")
