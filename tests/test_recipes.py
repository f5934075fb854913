"""The recipes of the README do what they say, run as they are written: by act, by pre-commit, by a shell."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from acting import Act, Job, commit, need_act
from conftest import Run, index, urlset
from github_api import REPOSITORY, TOKEN, GitHub, Pull
from origins import Origin

from scripts.environment import ROOT, program
from sitemap_action import __version__

README = (ROOT / "README.md").read_text(encoding="utf-8")
RECIPES = dict(re.findall(r"<!-- recipe: ([a-z-]+) -->\n```yaml\n(.*?)```", README, re.DOTALL))
PRODUCTION = "https://www.acme.example"
RED = urlset(f"{PRODUCTION}/", "None/contact/")
GREEN = urlset(f"{PRODUCTION}/")
# What stands in for the actions of others: an artifact is a folder, an upload a copy. As those of GitHub do it: a folder
# is uploaded with what is in it, a file by itself; what a name is asked for lies in `path`, what a pattern, in folders.
UPLOAD = """
mkdir "$KEEP/../artifacts" 2> "$KEEP/../exists" || true
mkdir "$KEEP/../artifacts/$NAME"
if [ -d "$INPUT" ]; then INPUT="$INPUT/."; fi
cp -R "$INPUT" "$KEEP/../artifacts/$NAME"
"""
DOWNLOAD = """
mkdir -p "$INPUT"
folder="$KEEP/.."
if [ -n "$RUN" ]; then folder="$KEEP/../.."; fi
if [ -n "$PATTERN" ]; then cp -R "$folder"/artifacts/$PATTERN "$INPUT"; else cp -R "$folder/artifacts/$NAME/." "$INPUT"; fi
"""
STUBS = {
    "actions/upload-artifact@v4": ("action.yml", "path", UPLOAD),
    "actions/download-artifact@v4": ("action.yml", "path", DOWNLOAD),
    "github/codeql-action@v4": ("upload-sarif/action.yml", "sarif_file", 'cp "$INPUT" "$KEEP/uploaded.sarif"'),
}
_INPUTS = ("name", "path", "pattern", "run-id", "github-token", "sarif_file", "category")


def stub(name: str, script: str) -> dict[str, Any]:
    inputs = {key: {"description": key} for key in _INPUTS}
    given = {"INPUT": name, "NAME": "name", "PATTERN": "pattern", "RUN": "run-id"}
    variables = {variable: f"${{{{ inputs.{key} }}}}" for variable, key in given.items()}
    step = {"shell": "bash", "env": variables, "run": script}
    return {"name": "stub", "description": "stub", "inputs": inputs, "runs": {"using": "composite", "steps": [step]}}


@pytest.fixture(scope="module")
def act(tmp_path_factory: pytest.TempPathFactory) -> Act:
    need_act()
    made = Act.make(tmp_path_factory.mktemp("recipes"))
    for number, (file, name, script) in enumerate(STUBS.values()):
        path = made.folder / f"stub-{number}" / file
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(stub(name, script)), encoding="utf-8")
    return made


@pytest.fixture
def github() -> Iterator[GitHub]:
    with GitHub() as server:
        server.pulls = [Pull(5, sha="a" * 40, branch="topic", owner="mallory")]
        yield server


def follow(act: Act, recipe: str, event: str, payload: Any, *options: str, files: dict[str, str], **swap: str) -> Job:
    """A repository that has the recipe as its workflow; only hosts are others than in the README."""
    folder = act.folder / recipe / f"{len(list((act.folder / recipe).glob('*')))}"
    consumer = folder / "consumer"
    text = RECIPES[recipe]
    for old, new in swap.items():
        text = text.replace({"production": PRODUCTION}[old], new)
    everything = {".github/workflows/recipe.yml": text, "event.json": json.dumps(payload), **files}
    for path, content in everything.items():
        (consumer / path).parent.mkdir(parents=True, exist_ok=True)
        (consumer / path).write_text(content, encoding="utf-8", newline="\n")
        (consumer / path).chmod(0o755)
    commit(consumer)
    served = [f"sitemap-action/sitemap-action@v1={act.folder / 'action'}"]
    served += [f"{name}={act.folder / f'stub-{number}'}" for number, name in enumerate(STUBS)]
    locals_ = [part for pair in served for part in ("--local-repository", pair)]
    return act.job(consumer, *locals_, "-e", str(consumer / "event.json"), *options, event=event)


def api(github: GitHub) -> list[str]:
    variables = {"GITHUB_API_URL": github.url, "GITHUB_REPOSITORY": REPOSITORY}
    return ["-s", f"GITHUB_TOKEN={TOKEN}", *(p for n, v in variables.items() for p in ("--env", f"{n}={v}"))]


def site(text: str, folder: str = "public") -> dict[str, str]:
    """What is checked in, and a build that puts it into place."""
    return {f"content/{folder}/sitemap.xml": text, "build.sh": "#!/bin/sh\ncp -R content/. .\n"}


def summaries(job: Job) -> list[str]:
    found = [event["content"] for event in job.events if event.get("command") == "summary"]
    return list(dict.fromkeys(found))


def test_every_recipe_is_followed_here() -> None:
    tested = Path(__file__).read_text(encoding="utf-8")
    assert len(RECIPES) == 10
    assert [name for name in RECIPES if f'"{name}"' not in tested] == []


def test_a_pull_request_with_a_broken_sitemap_fails_and_is_told_so_once(act: Act, github: GitHub) -> None:
    payload = {"pull_request": {"number": 5, "head": {"ref": "topic"}, "base": {"ref": "main"}}}
    job = follow(act, "pull-request", "pull_request", payload, *api(github), files=site(RED))
    assert job.exit_code == 1
    assert [comment.body for comment in github.comments if "loc-not-absolute" in comment.body]
    job = follow(act, "pull-request", "pull_request", payload, *api(github), files=site(GREEN))
    assert job.exit_code == 0
    assert ["all good now" in comment.body for comment in github.comments] == [True]


@dataclass
class Issues:
    """What stands in for `gh`: it writes down what it is told, and says which issue is open."""

    folder: Path

    @classmethod
    def of(cls, act: Act) -> Issues:
        issues = cls(act.folder / "gh")
        issues.folder.mkdir()
        answer = '[ "$2" != list ] || cat open'
        script = f"#!/bin/sh\ncd {shlex.quote(str(issues.folder))}\necho $* >> log\n{answer}\n"
        (act.folder / "python" / "bin" / "gh").write_text(script, encoding="utf-8")
        (act.folder / "python" / "bin" / "gh").chmod(0o755)
        return issues

    def told(self, act: Act, origin: Origin, number: str) -> tuple[int, list[str]]:
        """The exit code of a run while this issue is open, and what was done about it."""
        (self.folder / "open").write_text(number, encoding="utf-8")
        (self.folder / "log").write_text("", encoding="utf-8")
        job = follow(act, "weekly", "workflow_dispatch", {}, files={"README.md": ""}, production=origin.url)
        lines = (self.folder / "log").read_text(encoding="utf-8").splitlines()
        listed, *done = [line for line in lines if line.startswith("issue")]  # act asks for a token as well
        assert listed.startswith("issue list --search in:title")
        return job.exit_code, done


def test_production_is_looked_at_and_one_issue_is_opened_commented_and_closed(act: Act) -> None:
    issues = Issues.of(act)
    verdict = "Verdict: fail, with 1 errors, 0 warnings. https://github.com/"
    with Origin() as origin:
        origin.put("/sitemap.xml", urlset(f"{origin.url}/", "None/contact/"))
        code, [created] = issues.told(act, origin, "")
        assert code == 1
        assert created.startswith(f"issue create --title The sitemaps of production need a look --body {verdict}")
        code, [commented] = issues.told(act, origin, "7\n")
        assert code == 1
        assert commented.startswith(f"issue comment 7 --body {verdict}")
        origin.put("/sitemap.xml", urlset(f"{origin.url}/"))
        code, [closed] = issues.told(act, origin, "7\n")
        assert code == 0
        assert closed.startswith("issue close 7 --comment All is well again. https://github.com/")
        assert issues.told(act, origin, "") == (0, [])


def test_a_protected_preview_is_checked_with_its_header(act: Act) -> None:
    with Origin() as origin:
        origin.put("/sitemap.xml", GREEN)
        status = {"state": "success", "environment_url": origin.url}
        secret = ["-s", "PREVIEW_TOKEN=s3cret"]
        files = {"README.md": ""}
        job = follow(act, "preview", "deployment_status", {"deployment_status": status}, *secret, files=files)
        assert {request.headers.get("authorization") for request in origin.requests} == {"Bearer s3cret"}
    assert job.exit_code == 0, job.events[-15:]
    assert "all is well" in summaries(job)[0].lower()
    assert "s3cret" not in json.dumps(job.events)


def test_a_deployment_without_a_url_is_passed_over(act: Act) -> None:
    status = {"deployment_status": {"state": "success", "environment_url": ""}}
    job = follow(act, "preview", "deployment_status", status, files={"README.md": ""})
    assert job.exit_code == 0
    assert summaries(job) == []


def test_a_fork_gets_its_comment_from_a_second_workflow(act: Act, github: GitHub) -> None:
    pull = {"pull_request": {"number": 5, "head": {"ref": "topic"}, "base": {"ref": "main"}}}
    built = follow(act, "fork-build", "pull_request", pull, files=site(RED))
    assert built.exit_code == 0, built.events[-15:]
    (act.folder / "fork-comment").mkdir()
    (act.folder / "fork-build" / "0" / "artifacts").rename(act.folder / "fork-comment" / "artifacts")
    run = {
        "id": 1,
        "event": "pull_request",
        "conclusion": "success",
        "pull_requests": [],
        "head_sha": "a" * 40,
        "head_branch": "topic",
        "head_repository": {"owner": {"login": "mallory"}},
    }
    job = follow(act, "fork-comment", "workflow_run", {"workflow_run": run}, *api(github), files={"README.md": ""})
    assert job.exit_code == 1
    assert [comment.on for comment in github.comments if "loc-not-absolute" in comment.body] == [5]


def test_findings_are_uploaded_also_when_the_check_fails(act: Act) -> None:
    broken = urlset(f"{PRODUCTION}/", *(f"None/{number}" for number in range(12)))
    job = follow(act, "sarif", "push", {}, files=site(broken))
    assert job.exit_code == 1
    sarif = json.loads((job.kept / "uploaded.sarif").read_text(encoding="utf-8"))
    assert [result["ruleId"] for result in sarif["runs"][0]["results"]] == ["loc-not-absolute"] * 12


def test_nothing_is_uploaded_if_nothing_was_judged(act: Act) -> None:
    job = follow(act, "sarif", "push", {}, files=site(GREEN, "elsewhere"))
    assert job.exit_code == 1
    assert not (job.kept / "uploaded.sarif").exists()


def test_several_sites_have_a_verdict_and_a_comment_each(act: Act, github: GitHub) -> None:
    payload = {"pull_request": {"number": 5, "head": {"ref": "topic"}, "base": {"ref": "main"}}}
    sites = {
        **site(urlset("https://shop.acme.example/", "None/x"), "sites/shop/public"),
        **site(urlset("https://blog.acme.example/", "None/x"), "sites/blog/public"),
    }
    job = follow(act, "several-sites", "pull_request", payload, *api(github), files=sites)
    assert job.exit_code == 1
    assert len(github.comments) == 2
    assert len({comment.body.partition("\n")[0].split()[1] for comment in github.comments}) == 2


def large_set() -> dict[str, str]:
    """Seven sitemaps that repeat each other's pages, with an error in one; and a page that is listed and not there."""
    names = [f"sitemap-{number}.xml" for number in range(7)]
    lists = {
        name: urlset(*(f"{PRODUCTION}/{page}" for page in range(number, number + 3)))
        for number, name in enumerate(names)
    }
    lists["sitemap-5.xml"] = urlset(f"{PRODUCTION}/5", "None/x")
    lists["sitemap.xml"] = index(*(f"{PRODUCTION}/{name}" for name in names))
    pages = {f"{page}.html": f"<title>{page}</title>" for page in range(8)}
    contents = {f"content/public/{name}": text for name, text in {**lists, **pages}.items()}
    return {**contents, "build.sh": "#!/bin/sh\ncp -R content/. .\n"}


def test_a_very_large_set_is_checked_by_three_jobs_and_judged_by_a_fourth(
    act: Act, github: GitHub, run: Run, tmp_path: Path
) -> None:
    payload = {"pull_request": {"number": 5, "head": {"ref": "topic"}, "base": {"ref": "main"}}}
    files = large_set()
    wide = ["--env", "COLUMNS=10000", "--env", "NO_COLOR=1"]
    job = follow(act, "large-set", "pull_request", payload, *api(github), *wide, files=files)
    assert job.exit_code == 1, job.events[-15:]
    artifacts = act.folder / "large-set" / "0" / "artifacts"
    parts = [artifacts / f"part-{number}" / "report.json" for number in (1, 2, 3)]
    assert [len(json.loads(part.read_bytes())["documents"]) for part in parts] == [3, 3, 2]
    for name, text in files.items():
        path = tmp_path / name.removeprefix("content/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    single = run("public")
    assert {"loc-repeated", "loc-not-absolute", "page-missing"} <= set(single.rules())
    assert run("--merge", *parts).stdout == single.stdout
    log = "".join(event["msg"] for event in job.events if event.get("raw_output") and event.get("jobID") == "sitemap")
    assert run("public", format="text").stdout in log
    [summary] = summaries(job)
    assert "8 documents" in summary
    assert [comment.on for comment in github.comments if "loc-not-absolute" in comment.body] == [5]


def test_a_very_large_set_without_one_of_its_parts_fails(act: Act) -> None:
    files = {**large_set(), "build.sh": "#!/bin/sh\nexit 1\n"}
    job = follow(act, "large-set", "pull_request", {"pull_request": {"number": 5}}, files=files)
    results = {event["jobID"]: event["jobResult"] for event in job.events if "jobResult" in event}
    assert results.get("sitemap") == "failure", results


def test_the_hooks_of_the_pre_commit_recipe_are_those_that_are_published(tmp_path: Path) -> None:
    (tmp_path / ".pre-commit-config.yaml").write_text(RECIPES["pre-commit"], encoding="utf-8")
    command = [sys.executable, "-m", "pre_commit", "validate-config", str(tmp_path / ".pre-commit-config.yaml")]
    assert subprocess.run(command, check=False).returncode == 0
    published = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    [repository] = yaml.safe_load(RECIPES["pre-commit"])["repos"]
    assert repository["rev"] == f"v{__version__}"
    hooks = repository["hooks"]
    assert {hook["id"] for hook in hooks} == {hook["id"] for hook in published}


def test_the_command_of_the_gitlab_recipe_leaves_its_reports(tmp_path: Path) -> None:
    install, command = yaml.safe_load(RECIPES["gitlab"])["sitemap"]["script"]
    assert install.startswith("pip install git+https://github.com/sitemap-action/sitemap-action")
    (tmp_path / "public").mkdir()
    (tmp_path / "public" / "sitemap.xml").write_text(GREEN, encoding="utf-8")
    words = shlex.split(command)
    ran = subprocess.run([str(program(words[0])), *words[1:]], cwd=tmp_path, check=False, capture_output=True)
    assert ran.returncode == 0
    for path in yaml.safe_load(RECIPES["gitlab"])["sitemap"]["artifacts"]["paths"]:
        assert (tmp_path / path).stat().st_size
