"""The Python of README and book is run as it stands there, in a folder with the example files."""

from __future__ import annotations

import contextlib
import io
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]
BLOCK = re.compile(
    r"^(?:<!-- (?P<remark>[^>]*) -->\n)?```python\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL
)
"""A block, with the remark before it."""
PRINTED = re.compile(r"^print\(.*\)  # (.*)$", re.MULTILINE)
"""A call of ``print`` with what it prints."""


def pages() -> list[Path]:
    """README, the book, and the READMEs of crates, as far as they have Python."""
    of_crates = sorted(ROOT.glob("crates/*/README.md"))
    found = [ROOT / "README.md", *sorted(ROOT.glob("docs/src/**/*.md")), *of_crates]
    return [page for page in found if "```python" in page.read_text(encoding="utf-8")]


def test_pages_are_found() -> None:
    names = [page.relative_to(ROOT).as_posix() for page in pages()]
    assert {"README.md", "docs/src/guide/python.md", "crates/python/README.md"} <= set(names)


def blocks_of(page: Path) -> list[re.Match[str]]:
    text = page.read_text(encoding="utf-8")
    blocks = list(BLOCK.finditer(text))
    assert len(blocks) == text.count("```python"), "each block begins a line and has an end"
    return blocks


def at_its_line(block: re.Match[str]) -> str:
    """The code of a block below as many lines as are above it on the page."""
    return "\n" * block.string.count("\n", 0, block.start("code")) + block["code"]


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}  # of one page: a block goes on from those before it
    for block in blocks_of(page):
        if (block["remark"] or "").startswith("not run: "):
            continue
        code = compile(at_its_line(block), str(page), "exec")
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(code, names)
        expected = PRINTED.findall(block["code"])
        if expected:
            assert out.getvalue().splitlines() == expected, block["code"]


def test_types(tmp_path: Path) -> None:
    """Also of blocks that are not run. Line numbers are those of the page."""
    pytest.importorskip("mypy", reason="mypy is missing: the types of the book's Python are not checked")
    files: list[str] = []
    for page in pages():
        lines: list[str] = []
        for block in blocks_of(page):
            lines.extend(at_its_line(block).splitlines()[len(lines) :])
        name = re.sub(r"\W", "_", page.relative_to(ROOT).as_posix())
        (tmp_path / f"{name}.py").write_text("\n".join(lines) + "\n", encoding="utf-8")
        files.append(f"{name}.py")
    mypy = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--cache-dir=cache", *files]
    done = subprocess.run(mypy, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
