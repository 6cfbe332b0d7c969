"""The Python of README and book is run as it stands there, in a folder with the example files."""

from __future__ import annotations

import contextlib
import io
import re
import shutil
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


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    text = page.read_text(encoding="utf-8")
    blocks = list(BLOCK.finditer(text))
    assert len(blocks) == text.count("```python"), "each block begins a line and has an end"
    names: dict[str, Any] = {}  # of one page: a block goes on from those before it
    for block in blocks:
        if (block["remark"] or "").startswith("not run: "):
            continue
        line = text.count("\n", 0, block.start("code"))
        code = compile("\n" * line + block["code"], str(page), "exec")
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(code, names)
        expected = PRINTED.findall(block["code"])
        if expected:
            assert out.getvalue().splitlines() == expected, f"{page}, line {line}"
