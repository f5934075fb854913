"""The action keeps its promises on a runner."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
import yaml
from acting import ANNOTATIONS, OFFLINE, USES, Act, Job, need_act, need_wheels
from conftest import urlset

from scripts import action_yml
from scripts.environment import ROOT, program
from sitemap_action.cli import main
from sitemap_action.command.config import NOT_INPUTS, public_name
from sitemap_action.rules import all_rules

ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
SITE = "https://www.acme.example"
EXAMPLE = {
    f"public/{path.relative_to(ROOT / 'example' / 'public').as_posix()}": path.read_text(encoding="utf-8")
    for path in (ROOT / "example" / "public").rglob("*")
    if path.is_file()
}


def use(id: str, **inputs: str) -> dict[str, Any]:
    """A step with the action, after whose failure the job goes on."""
    given = {name.replace("_", "-"): value for name, value in inputs.items()}
    return {"id": id, "uses": USES, "continue-on-error": True, "with": given}


def tool(folder: Path, name: str, *lines: str) -> Path:
    """A folder with one program in it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text("\n".join(["#!/bin/sh", *lines, ""]), encoding="utf-8", newline="\n")
    (folder / name).chmod(0o755)
    return folder


@pytest.fixture(scope="module")
def act(tmp_path_factory: pytest.TempPathFactory) -> Act:
    need_act()
    return Act.make(tmp_path_factory.mktemp("act"))


# --- A site with defects, checked twice in one job, with uv on the runner.


@pytest.fixture(scope="module")
def example(act: Act) -> Job:
    uv = tool(act.folder / "uv", "uv", 'echo "$*" >> "$KEEP/uv-calls"', f'exec "{program("uv")}" "$@"')
    steps = [use("first", target="public"), use("second", target="public", fail_on="never", pages="false")]
    return act.workflow("example", EXAMPLE, steps, tools=uv)


def test_a_check_that_fails_has_outputs_all_the_same(example: Job) -> None:
    assert example.outcome("first") == "failure"
    outputs = example.outputs("first")
    assert {name: outputs[name] for name in ("verdict", "score", "errors", "warnings", "urls")} == {
        "verdict": "fail",
        "score": "0.25",
        "errors": "5",
        "warnings": "7",
        "urls": "19",
    }
    report = json.loads(example.kept_file(outputs["report-json"]).read_text(encoding="utf-8"))
    assert len([finding for finding in report["findings"] if finding["severity"] == "error"]) == 5
    sarif = json.loads(example.kept_file(outputs["sarif-file"]).read_text(encoding="utf-8"))
    assert sarif["version"] == "2.1.0"
    assert set(outputs) == set(ACTION["outputs"])


def test_annotations_carry_file_line_column_and_title(example: Job) -> None:
    annotations = example.annotations("first")
    assert [a["level"] for a in annotations] == ["error"] * 5 + ["warning"] * 7
    broken = next(a for a in annotations if a["title"] == "xml-not-well-formed")
    assert (broken["file"], broken["line"], broken["col"]) == ("public/sitemap-shop.xml", "7", "56")
    assert "a raw `&`" in broken["text"]
    assert all(Path(example.kept, "workspace", a["file"]).is_file() for a in annotations)


def test_the_summary_arrives(example: Job) -> None:
    summaries = [event["content"] for event in example.commands("first") if event["command"] == "summary"]
    assert len(summaries) == 1
    assert "5 errors, 7 warnings" in summaries[0]


def test_inputs_change_what_is_checked_and_what_fails(example: Job) -> None:
    assert example.outcome("second") == "success"
    assert example.outputs("second")["errors"] == "4"  # but for the page that is missing
    assert example.exit_code == 0


def test_uv_installs_and_a_second_use_in_the_job_reuses_the_folder(example: Job) -> None:
    calls = (example.kept / "uv-calls").read_text(encoding="utf-8").splitlines()
    assert len(calls) == 1
    assert "--no-config pip install --require-hashes" in calls[0]
    assert installer(example) == "uv"
    assert example.lines("first", "install") == example.lines("second", "install") == []


def installer(job: Job) -> str:
    """Who installed click; there is one folder of dependencies."""
    (found,) = (job.kept / "temp").glob("sitemap-action-*/click-*.dist-info/INSTALLER")
    return found.read_text(encoding="utf-8").strip()


# --- Settings in variables of the job.


@pytest.fixture(scope="module")
def varied(act: Act) -> Job:
    variables = {"SITEMAP_ACTION_FAIL_ON": "never", "SITEMAP_ACTION_IGNORE": "loc-local-host\nloc-not-absolute"}
    own = {**use("own", target="public"), "env": {"SITEMAP_ACTION_FAIL_ON": "error"}}
    steps = [
        use("job", target="public"),
        own,
        use("input", target="public", fail_on="error", ignore="priority-invalid"),
    ]
    return act.workflow("varied", EXAMPLE, steps, variables=variables)


def test_variables_of_a_job_and_of_a_step_are_settings_as_everywhere(varied: Job, example: Job) -> None:
    assert varied.outcome("job") == "success"
    assert varied.outcome("own") == "failure"
    assert 0 < int(varied.outputs("job")["errors"]) < int(example.outputs("first")["errors"])
    assert varied.outputs("own")["errors"] == varied.outputs("job")["errors"]


def test_inputs_win_over_variables(varied: Job, example: Job) -> None:
    assert varied.outcome("input") == "failure"
    assert varied.outputs("input")["errors"] == example.outputs("first")["errors"]


# --- A workspace full of traps, and a config file; the uv of this runner is broken.

_TRAP = "import os, sys\nopen(os.path.join(os.environ['KEEP'], 'imported'), 'a').write(__name__ + '\\n')\nsys.exit(0)\n"
_TRAPS = (
    "click/__init__.py hashlib.py jinja2.py json/__init__.py lxml/__init__.py pip/__init__.py pip/__main__.py "
    "requests.py shutil.py sitecustomize.py sitemap_action/__init__.py sitemap_action/cli.py subprocess.py "
    "urllib3.py usercustomize.py xmlschema.py"
).split()
_SETTINGS = 'fail-on = "never"\nignore = ["loc-local-host"]\n'
_NOWHERE = "[global]\nindex-url = http://127.0.0.1:9/\n"


@pytest.fixture(scope="module")
def trapped(act: Act) -> Job:
    traps = {**dict.fromkeys(_TRAPS, _TRAP), "pip.conf": _NOWHERE, "uv.toml": "broken", "setup.cfg": _NOWHERE}
    files = {**EXAMPLE, **traps, ".sitemap-action.toml": _SETTINGS}
    return act.workflow(
        "trapped", files, [use("check", target="public")], tools=tool(act.folder / "bad", "uv", "exit 3")
    )


def test_nothing_of_the_workspace_is_imported(trapped: Job) -> None:
    assert (trapped.kept / "workspace" / "requests.py").is_file()
    assert not (trapped.kept / "imported").exists()
    assert "FAIL" in "\n".join(trapped.lines("check"))


def test_a_config_file_of_the_workspace_counts_because_inputs_have_no_defaults(trapped: Job) -> None:
    assert trapped.outcome("check") == "success"
    assert trapped.outputs("check")["errors"] == "4"


def test_pip_installs_where_uv_cannot(trapped: Job) -> None:
    assert installer(trapped) == "pip"


# --- Inputs and a sitemap made to harm; a runner without uv, like the hosted ones.

_SHELL = "$(touch pwned) `touch pwned` ; touch pwned #"
_LOCS = (
    f"{SITE}/##[set-output name=errors]0",
    f"{SITE}/a%0D::error::x",
    f"{SITE}/b\n::stop-commands::t",
    f"{SITE}/c\r::warning::x",
    "\n::add-mask::e\n",
    "\n::set-output name=verdict::pass\n",
    f"{SITE}/d#\n##[error]x",
    "::error file=a,line=1::x",
    "ftp://x/\u2028::error::x\u0085::error::x",
)
_BROKEN = "<urlset>\n::error::x\n##[error]x\n<url>&::error::x</url>\n"
_EVIL_NAME = "::error::sitemap,line=9.xml"


@pytest.fixture(scope="module")
def attacked(act: Act) -> Job:
    files = {
        "public/sitemap.xml": urlset(*(f"<url><loc>{loc}</loc><lastmod>{loc}</lastmod></url>" for loc in _LOCS)),
        "public/robots.txt": f"Sitemap: {SITE}/sitemap.xml\nSitemap: {SITE}/::error::gone.xml\n",
        f"odd/{_EVIL_NAME}": _BROKEN,
        _EVIL_NAME: _BROKEN,
    }
    steps = [
        use("target", target=_SHELL),
        use("option", target="public", fail_on=_SHELL),
        use("option-lines", target="public", ignore="%0A::error::x\n\r::add-mask::e"),
        use("contents", target="public"),
        use("name", target=_EVIL_NAME),
        use("folder", target="odd", site_url=SITE),
    ]
    return act.workflow("attacked", files, steps)


def test_a_runner_without_uv_is_served_by_pip(attacked: Job) -> None:
    if not shutil.which("uv", path="/usr/bin:/bin"):
        assert installer(attacked) == "pip"


@pytest.mark.parametrize("step", ["target", "option", "option-lines"])
def test_an_input_is_never_a_command_and_a_usage_error_is_annotated(attacked: Job, step: str) -> None:
    assert not list(attacked.kept.rglob("pwned"))
    assert attacked.outcome(step) == "failure"
    (annotation,) = attacked.annotations(step)
    assert annotation["level"] == "error"
    if step == "option":
        assert _SHELL in annotation["text"]


@pytest.mark.parametrize("step", ["contents", "name", "folder"])
def test_a_hostile_sitemap_changes_no_output_and_makes_no_annotation_but_ours(attacked: Job, step: str) -> None:
    outputs = attacked.outputs(step)
    report = json.loads(attacked.kept_file(outputs["report-json"]).read_text(encoding="utf-8"))
    severities = [finding["severity"] for finding in report["findings"]]
    assert severities.count("error") > 0
    assert outputs["errors"] == str(severities.count("error"))
    assert outputs["verdict"] == report["verdict"] == "fail"
    assert {event["command"] for event in attacked.commands(step)} <= {*ANNOTATIONS, "set-output", "summary"}
    known = set(all_rules())
    titles = {annotation.get("title") for annotation in attacked.annotations(step)}
    assert titles
    assert titles <= known


@pytest.mark.parametrize("step", ["target", "option", "option-lines", "contents", "name", "folder"])
def test_no_line_of_the_log_could_be_a_command_to_the_real_runner(attacked: Job, step: str) -> None:
    """It honours what act overlooks: blanks before `::`, `##[` anywhere, and a bare CR as the end of a line."""
    assert attacked.lines(step)
    for line in attacked.lines(step):
        assert "\r" not in line
        assert "##[" not in line
        assert not re.match(r"\s*::", line), line


def test_an_annotation_points_at_a_file_whatever_its_name(attacked: Job) -> None:
    assert {annotation["file"] for annotation in attacked.annotations("name")} == {_EVIL_NAME}


# --- Python is missing or too old.


@pytest.mark.skipif(sys.platform == "win32", reason="a PATH of links needs a POSIX system")
@pytest.mark.parametrize("found", ["3.8", "none"])
def test_without_a_python_that_is_new_enough_the_error_says_what_to_do(tmp_path: Path, found: str) -> None:
    for name in ("bash", "dirname"):
        (tmp_path / name).symlink_to(shutil.which(name) or pytest.skip(f"no {name}"))
    if found == "3.8":
        tool(tmp_path, "python3", f'case "$*" in *print*) echo {found} ;; *) exit 1 ;; esac')
    command = [str(tmp_path / "bash"), str(ROOT / "action" / "find_python.sh"), "install.py"]
    answer = subprocess.run(command, env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=False)
    assert answer.returncode == 2
    (line,) = answer.stdout.splitlines()
    assert line.startswith("::error title=sitemap-action::Python 3.10 or newer is needed")
    assert found in line
    assert "actions/setup-python" in line
    assert answer.stderr == ""


def test_dependencies_that_cannot_be_installed_are_said_so(tmp_path: Path) -> None:
    variables = {"RUNNER_TEMP": str(tmp_path), "GITHUB_OUTPUT": str(tmp_path / "output"), "PIP_NO_INDEX": "1"}
    command = [sys.executable, "-I", str(ROOT / "action" / "install.py")]
    without_uv = {**os.environ, **variables, "PATH": str(tmp_path)}
    answer = subprocess.run(command, env=without_uv, capture_output=True, text=True, check=False)
    assert answer.returncode == 2
    assert "::error title=sitemap-action::The dependencies could not be installed" in answer.stdout
    assert not (tmp_path / "output").exists()


@pytest.mark.parametrize("variable", ["GITHUB_OUTPUT", "RUNNER_TEMP"])
def test_a_place_that_cannot_be_written_is_said_by_the_first_step(tmp_path: Path, variable: str) -> None:
    need_wheels()
    (tmp_path / "file").touch()
    places = {"RUNNER_TEMP": str(tmp_path), "GITHUB_OUTPUT": str(tmp_path / "output"), "PATH": str(tmp_path)}
    variables = {**os.environ, **OFFLINE, **places, variable: str(tmp_path / "file" / "below")}
    command = [sys.executable, "-I", str(ROOT / "action" / "install.py")]
    answer = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    assert (answer.returncode, "Traceback" in answer.stderr) == (2, False)
    assert answer.stdout.splitlines()[-1].startswith("::error title=sitemap-action::The dependencies could not be ")


def test_settings_of_pip_for_other_places_do_not_lead_the_dependencies_there(tmp_path: Path) -> None:
    need_wheels()
    elsewhere = str(tmp_path / "elsewhere")
    switches = "USER REQUIRE_VIRTUALENV DRY_RUN NO_DEPS ONLY_BINARY NO_BINARY UPGRADE ISOLATED REQUIRE_HASHES".split()
    settings = {**dict.fromkeys(switches, "1"), "PREFIX": elsewhere, "ROOT": elsewhere, "PYTHON": elsewhere}
    settings |= {
        "REPORT": elsewhere,
        "LOG": elsewhere,
        "CONSTRAINT": elsewhere,
        "PLATFORM": "none",
        "TARGET": elsewhere,
    }
    variables = {f"PIP_{name}": value for name, value in settings.items()} | OFFLINE
    variables |= {"RUNNER_TEMP": str(tmp_path), "GITHUB_OUTPUT": str(tmp_path / "output"), "PATH": str(tmp_path)}
    command = [sys.executable, "-I", str(ROOT / "action" / "install.py")]
    answer = subprocess.run(command, env={**os.environ, **variables}, capture_output=True, text=True, check=False)
    assert (answer.returncode, answer.stdout) == (0, ""), answer.stdout + answer.stderr
    assert not Path(elsewhere).exists()
    (library,) = tmp_path.glob("sitemap-action-*")
    assert (library / "click" / "__init__.py").is_file()


# --- What action.yml says.


def test_action_yml_is_what_the_options_make_it() -> None:
    assert (ROOT / "action.yml").read_text(encoding="utf-8") == action_yml.text(), "run `python scripts/write_docs.py`"


def test_each_option_is_an_input_and_reaches_the_program_by_its_variable() -> None:
    options = [item.name or "" for item in main.params if isinstance(item, click.Option)]
    names = {public_name(name) for name in options if name not in NOT_INPUTS}
    assert set(ACTION["inputs"]) == {*names, "target", "token"}
    variables = ACTION["runs"]["steps"][-1]["env"]
    for name in ACTION["inputs"]:
        variable = "SITEMAP_ACTION_" + name.upper().replace("-", "_")
        assert variables[variable] == f"${{{{ inputs.{name} || env.{variable} }}}}"


def test_only_the_token_has_a_default_since_any_other_would_beat_the_config_file() -> None:
    assert [name for name, about in ACTION["inputs"].items() if "default" in about] == ["token"]


def test_no_expression_is_pasted_into_a_script_and_no_other_action_is_used() -> None:
    for step in ACTION["runs"]["steps"]:
        assert "${{" not in step["run"]
        assert "uses" not in step
