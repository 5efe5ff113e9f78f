"""The README tells only what is true: its blocks are run, and what they print is what it shows."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).parents[2]
README = (TOP / "README.md").read_text(encoding="utf-8")
_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")
_MINUTE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\dZ \[obs-[0-9a-f]{8}\]")
_MARK = re.compile(r'mark="[0-9a-f]{12}"')


def _steps() -> list[tuple[str, str]]:
    """Each command of the console blocks with the output that is shown below it."""
    steps: list[tuple[str, str]] = []
    for block in re.findall(r"```console\n(.*?)```", README, re.DOTALL):
        for line in block.splitlines(keepends=True):
            if line.startswith("$ "):
                steps.append((line[2:].rstrip("\n"), ""))
            else:
                steps[-1] = (steps[-1][0], steps[-1][1] + line)
    return steps


def _settled(text: str) -> str:
    """What differs from run to run made equal."""
    return _MARK.sub('mark="…"', _MINUTE.sub("<minute>", _INSTANT.sub("<instant>", text)))


def _environment(folder: Path) -> dict[str, str]:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return {"PATH": path, "HOME": str(folder), "TRINHO_MEMORY_ROOT": str(folder / "memory"), "LANG": "C.UTF-8"}


def test_every_command_prints_what_is_shown(tmp_path: Path) -> None:
    """The tour, from the first command to the last, in one root."""
    for command, shown in _steps():
        done = subprocess.run(
            ["sh", "-c", command], cwd=TOP, env=_environment(tmp_path), capture_output=True, text=True, check=False
        )
        assert _settled(done.stdout + done.stderr) == _settled(shown), command


def test_the_library_example_runs(tmp_path: Path) -> None:
    """The Python block, beside an entry that it finds."""
    environment = _environment(tmp_path)
    code = re.findall(r"```python\n(.*?)```", README, re.DOTALL)[0]
    create = ["trinho", "create", "shared:team:indentation", "--body", "Indent with four spaces."]
    subprocess.run(create, env=environment, check=True, capture_output=True)
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "shared:team:indentation 1 Indent with four spaces.\n"


# The headings of both, in their order: a new one in one of them needs its like in the other
_HEADINGS = {
    "Trinho": "Trinho",
    "Two commands": "Hai lệnh",
    "Three minutes": "Ba phút",
    "An agent that remembers": "Một tác tử biết nhớ",
    "How to undo anything": "Hoàn tác mọi thứ",
    "Where things lie": "Mọi thứ nằm ở đâu",
    "As a library": "Dùng như thư viện",
    "More": "Đọc thêm",
}


def _shape(text: str) -> tuple[list[tuple[str, str]], list[str], set[str]]:
    """Headings with their levels, the blocks of code without what is said beside them, and the links."""
    blocks = [_without_words(block) for block in re.findall(r"^```.*?^```$", text, re.MULTILINE | re.DOTALL)]
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    links = {link for link in re.findall(r"\]\(([^)]+)\)", prose) if link[0] != "#"} - {"README.md", "README.vi.md"}
    return re.findall(r"^(#+) (.+)$", prose, re.MULTILINE), blocks, links


def _without_words(block: str) -> str:
    """The block without comments, and of a table the first column."""
    if block.startswith("```text"):
        return re.sub(r" {2,}.*$", "", block, flags=re.MULTILINE)
    return re.sub(r" +# .*$", "", block, flags=re.MULTILINE) if block.startswith("```sh") else block


def test_both_languages_say_the_same() -> None:
    """Same headings, same commands with the same output, same links, and the same names in backticks."""
    vietnamese = (TOP / "README.vi.md").read_text(encoding="utf-8")
    ours, theirs = _shape(README), _shape(vietnamese)
    assert [(level, _HEADINGS[name]) for level, name in ours[0]] == theirs[0]
    assert ours[1:] == theirs[1:]
    assert sorted(re.findall(r"`[^`\n]+`", README)) == sorted(re.findall(r"`[^`\n]+`", vietnamese))
