"""A machine that lacks something: full disks, closed streams, readers that have gone, limits. A clear word, a right code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

import pytest
from conftest import Run, Write, urlset
from front_door import knock, limit, shell, surroundings
from origins import Origin

from sitemap_action.parse import causes

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="such streams and limits are those of POSIX")
needs_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device")
needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="the limit holds on Linux alone")

HOME = "https://www.acme.example"
GOOD = urlset(f"{HOME}/")
BROKEN = urlset("/about")
FORMATS = [f"--format {name}" for name in ("text", "json", "sarif", "markdown", "github")]
PAGES = ["--help", "--version", "--list-rules", "--explain loc-missing"]


@pytest.fixture
def site(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write("good.xml", GOOD)
    write("broken.xml", BROKEN)
    return tmp_path


# Streams


@needs_full
@pytest.mark.parametrize("options", ["", "--urls", *FORMATS, *PAGES])
def test_a_full_disk_behind_standard_output_is_said(site: Path, options: str) -> None:
    full = shell(f"$CHECK {options} good.xml > /dev/full")
    assert full.returncode == 2
    assert full.stderr.splitlines()[-1] == "Error: Cannot write to standard output: no space left on device."


@needs_full
@pytest.mark.parametrize(
    ("line", "code"), [("good.xml", 0), ("broken.xml", 1), ("missing.xml", 2), ("good.xml > /dev/full", 2)]
)
def test_a_full_disk_behind_standard_error_changes_no_exit_code(site: Path, line: str, code: int) -> None:
    variables = {"GITHUB_ACTIONS": "true", "GITHUB_OUTPUT": "/dev/full", "GITHUB_STEP_SUMMARY": "/dev/full"}
    assert shell(f"$CHECK {line} 2> /dev/full", variables=variables).returncode == code


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", ">&- 2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize(("name", "code"), [("good.xml", 0), ("broken.xml", 1), ("missing.xml", 2)])
def test_a_stream_that_is_closed_changes_no_exit_code_and_no_other_stream(
    site: Path, closed: str, name: str, code: int
) -> None:
    usual, ran = shell(f"$CHECK {name}"), shell(f"$CHECK --output json=report.json {name} {closed}")
    assert ran.returncode == usual.returncode == code
    assert ran.stdout == ("" if ">&-" in closed.replace("2>&-", "") else usual.stdout)
    assert ran.stderr == ("" if "2>&-" in closed else usual.stderr)
    assert code == 2 or json.loads((site / "report.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["good.xml"], 0),
        (["broken.xml"], 1),
        (["--format", "json", "good.xml"], 0),
        (["--urls", "good.xml"], 141),
        (["--list-rules"], 141),
        (["--help"], 141),
    ],
)
def test_a_reader_that_has_gone_does_not_turn_a_pass_into_a_failure(site: Path, options: list[str], code: int) -> None:
    """What was judged has its code; what was only printed ends as any program in a pipe does: 128 and SIGPIPE."""
    variables = {"GITHUB_ACTIONS": "true", "GITHUB_OUTPUT": str(site / "outputs"), "RUNNER_TEMP": str(site)}
    reading, writing = os.pipe()
    os.close(reading)
    try:
        ran = knock(*options, stdout=writing, env=surroundings(**variables))
    finally:
        os.close(writing)
    assert (ran.returncode, ran.stderr) == (code, "")
    assert (code == 141) is not (site / "outputs").exists()


# Disks


LIMIT = limit("RLIMIT_FSIZE", "2000")


@pytest.mark.parametrize("room", [0, 5, 40])
def test_the_outputs_of_a_step_are_written_whole_or_not_at_all(site: Path, room: int) -> None:
    for name in ("outputs", "summary.md"):
        (site / name).write_text("x" * (1999 - room) + "\n", encoding="utf-8")
    named = {"GITHUB_OUTPUT": str(site / "outputs"), "GITHUB_STEP_SUMMARY": str(site / "summary.md")}
    ran = knock("broken.xml", before=LIMIT, env=surroundings(GITHUB_ACTIONS="true", **named))
    assert ran.returncode == 1
    assert [line.partition(":")[0] for line in ran.stderr.splitlines()] == [
        "Cannot write the job summary",
        "Cannot write the outputs of the step",
    ]
    for name in ("outputs", "summary.md"):
        assert (site / name).stat().st_size == 2000 - room


def test_the_outputs_name_no_report_that_could_not_be_written(site: Path) -> None:
    variables = {"GITHUB_ACTIONS": "true", "GITHUB_OUTPUT": str(site / "outputs"), "RUNNER_TEMP": str(site)}
    ran = knock("--output", "sarif=own.sarif", "broken.xml", before=LIMIT, env=surroundings(**variables))
    assert ran.returncode == 2
    assert "Cannot write own.sarif: file too large." in ran.stderr
    names = [line.partition("=")[0] for line in (site / "outputs").read_text(encoding="utf-8").splitlines()]
    there = [path.name for path in site.rglob("report.*")]
    assert names == ["verdict", "score", "errors", "warnings", "urls", *["report-json"] * ("report.json" in there)]
    assert not list(site.rglob("*.part"))
    assert not list(site.rglob("*.sarif"))


def test_every_file_that_cannot_be_written_is_named(site: Path) -> None:
    ran = knock("--output", "json=good.xml/a", "--output", "text=good.xml/b", "good.xml")
    assert ran.returncode == 2
    last = ran.stderr.splitlines()[-1]
    assert "Cannot write good.xml/a: " in last
    assert "Cannot write good.xml/b: " in last


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root, to become another user")
def test_a_workspace_that_a_user_without_name_and_home_may_only_read_is_judged() -> None:
    env = {name: value for name, value in surroundings().items() if name != "HOME"}
    with tempfile.TemporaryDirectory() as folder:  # pytest's own may be entered by nobody else
        Path(folder).chmod(0o755)
        Path(folder, "good.xml").write_text(GOOD, encoding="utf-8")
        stranger: dict[str, Any] = {"user": 12345, "group": 12345, "extra_groups": [], "env": env, "cwd": folder}
        try:
            if knock("--version", **stranger).returncode:
                pytest.skip("that user cannot read this package")
        except PermissionError:
            pytest.skip("that user cannot run this Python")
        ran = knock("--output", "json=report.json", "good.xml", **stranger)
        assert ran.returncode == 2
        assert ran.stderr.splitlines()[-1] == "Error: Cannot write report.json: permission denied."
        assert ran.stdout == knock("good.xml", cwd=folder).stdout


# Limits


@needs_linux
def test_too_little_memory_is_said_and_is_no_fault_of_the_sitemap(site: Path) -> None:
    with (site / "large.xml").open("wb") as file:
        file.truncate(100_000_000)
    size = "int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize() + 50_000_000"
    ran = knock("large.xml", before=limit("RLIMIT_AS", size))
    assert (ran.returncode, ran.stdout) == (3, "")
    (line,) = ran.stderr.splitlines()
    assert line.startswith("Error: Could not judge: this machine, or a limit set on it, has not enough memory.")


def test_a_parser_without_memory_accuses_nobody() -> None:
    with pytest.raises(MemoryError):
        causes.explain(GOOD.encode(), 1, 0)


@needs_linux
@pytest.mark.parametrize("files", [4, 5, 6, 7, 8, 10, 12])
def test_too_few_open_files_are_no_fault_of_the_site(site: Path, origin: Origin, files: int) -> None:
    origin.put("/sitemap.xml", urlset("{origin}/"))
    origin.put("/robots.txt", "Sitemap: {origin}/sitemap.xml\n", type="text/plain")
    ran = knock(origin.url, "--retries", "0", before=limit("RLIMIT_NOFILE", str(files)))
    assert "Traceback" not in ran.stderr
    assert ran.returncode in (0, 3)
    assert ran.returncode == 0 or "Not judged: " in ran.stdout or "Could not judge: " in ran.stderr


def test_too_few_threads_are_said(
    run: Run, origin: Origin, monkeypatch: pytest.MonkeyPatch, write: Write, tmp_path: Path
) -> None:
    def start(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", start)
        outcome = run(origin.url)
    assert outcome.exit_code == 3
    annotation, line = outcome.stderr.splitlines()
    assert annotation.startswith("::error title=sitemap-action::Could not judge: ")
    assert "not enough threads" in line


def test_other_troubles_are_not_mistaken_for_a_lack_of_something(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("a defect of ours")

    monkeypatch.setattr("sitemap_action.cli.check", fail)
    with pytest.raises(RuntimeError, match="a defect of ours"):
        run(".")


@pytest.mark.parametrize("kept", ["pipe", "file"])
def test_standard_output_is_a_place_for_a_report(site: Path, kept: str) -> None:
    """`/dev/stdout` leads to a pipe without a name, or to a file that everything else is written to as well."""
    command = [sys.executable, "-m", "sitemap_action", str(site), "--quiet", "--output", "json=/dev/stdout"]
    path = site.parent / "log.txt"
    with path.open("wb") as log:
        stream = subprocess.PIPE if kept == "pipe" else log
        done = subprocess.run([*command, "--format", "text"], stdout=stream, env=surroundings(), check=False)
    text = (done.stdout if kept == "pipe" else path.read_bytes()).decode()
    assert done.returncode == 1
    assert '"schema_version": 1' in text
    assert "FAIL  score" in text
