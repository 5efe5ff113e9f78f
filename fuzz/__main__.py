"""Search for bytes that break a law: `python -m fuzz`, each target in a process and a corpus of its own."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import atheris

SECONDS = 150
_MAX_BYTES = 2048
_HANG_SECONDS = 10
_MEGABYTES = 2048
_PROGRESS = ("#", "INFO:", "stat::")


def main() -> int:
    """Run every target, or the one named; 1 if a law was broken."""
    options = argparse.ArgumentParser(prog="python -m fuzz", description="search for bytes that break a law")
    options.add_argument("--seconds", type=int, default=SECONDS, help="for each target")
    options.add_argument("--target", help="this one alone")
    options.add_argument("--in", dest="folder", type=Path, help=argparse.SUPPRESS)
    chosen = options.parse_args()
    target: str | None = chosen.target
    folder: Path | None = chosen.folder
    seconds: int = chosen.seconds
    if target is not None and folder is not None:
        return _search(target, folder, seconds)
    from fuzz.targets import TARGETS

    held = [_held(name, seconds) for name in TARGETS if target in (None, name)]
    return 0 if held and all(held) else 1


def _held(target: str, seconds: int) -> bool:
    """Search in a process of its own, since libFuzzer ends the process it runs in; tells what it found."""
    with TemporaryDirectory(prefix="trinho-fuzz-") as temporary:
        folder = Path(temporary)
        _sow(target, folder)
        command = [sys.executable, "-m", "fuzz", "--target", target, "--in", temporary, "--seconds", str(seconds)]
        ran = subprocess.run(command, check=False, capture_output=True, text=True, errors="replace")
        found = [path.read_bytes() for path in sorted((folder / "found").iterdir())]
    lines = ran.stderr.splitlines()
    done = next((line for line in reversed(lines) if line.startswith("Done")), f"ended with status {ran.returncode}")
    print(f"{target}: {done}", flush=True)
    if ran.returncode or found:
        print(*(line for line in (*ran.stdout.splitlines(), *lines) if not line.startswith(_PROGRESS)), sep="\n")
    for raw in found:
        print(f"{target} breaks on {raw!r}", flush=True)
    return not ran.returncode and not found


def _sow(target: str, folder: Path) -> None:
    from fuzz.inputs import FINDINGS, SEEDS, WORDS

    for name in ("corpus", "found"):
        (folder / name).mkdir()
    for number, raw in enumerate((*SEEDS[target], *FINDINGS[target])):
        (folder / "corpus" / f"seed-{number}").write_bytes(raw)

    quoted = ("".join(f"\\x{byte:02x}" for byte in word) for word in WORDS)
    (folder / "words").write_text("".join(f'"{word}"\n' for word in quoted), encoding="ascii")


def _search(target: str, folder: Path, seconds: int) -> int:
    with atheris.instrument_imports(include=["trinho"]):
        from fuzz.targets import TARGETS
    atheris.Setup(
        [
            "fuzz",
            str(folder / "corpus"),
            f"-artifact_prefix={folder / 'found'}/",
            f"-dict={folder / 'words'}",
            f"-max_total_time={seconds}",
            f"-max_len={_MAX_BYTES}",
            f"-timeout={_HANG_SECONDS}",
            f"-rss_limit_mb={_MEGABYTES}",
            "-print_final_stats=1",
        ],
        TARGETS[target],
    )
    atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main())
