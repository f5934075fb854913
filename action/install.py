"""First step of the action: puts the locked dependencies into a folder of the runner, and tells the next step where."""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
LOCK = HERE / "requirements.txt"
# What a runner says of indexes, proxies, certificates, caches and patience; other settings of pip are about
# installing somewhere else, or not at all.
KEPT = {
    *("INDEX_URL", "PYPI_URL", "EXTRA_INDEX_URL", "NO_INDEX", "FIND_LINKS", "TRUSTED_HOST", "KEYRING_PROVIDER"),
    *("CONFIG_FILE", "PROXY", "CERT", "CLIENT_CERT", "CACHE_DIR", "NO_CACHE_DIR"),
    *("TIMEOUT", "DEFAULT_TIMEOUT", "RETRIES", "RESUME_RETRIES"),
}
OPTIONS = ["--require-hashes", "--only-binary", ":all:", "--no-deps", "--quiet"]


def main() -> int:
    """What an earlier step of the job has installed, for the same Python, is used again."""
    digest = hashlib.sha256(LOCK.read_bytes() + sys.version.encode() + sys.executable.encode()).hexdigest()[:16]
    folder = Path(os.environ["RUNNER_TEMP"], f"sitemap-action-{digest}")
    done = folder / "complete"
    if not done.exists():
        folder.mkdir(parents=True, exist_ok=True)
        if not install(folder):
            print("::error title=sitemap-action::The dependencies could not be installed; the log above says why.")
            return 2
        done.touch()
    with open(os.environ["GITHUB_OUTPUT"], "a", encoding="utf-8", newline="\n") as outputs:
        outputs.write(f"python={sys.executable}\nlibrary={folder}\n")
    return 0


def install(folder: Path) -> bool:
    """With uv, which takes half a second, or else with pip; neither reads a config file of the workspace."""
    target = ["--target", str(folder), "--requirement", str(LOCK)]
    uv = shutil.which("uv")
    if uv and run(uv, "--no-config", "pip", "install", *OPTIONS, "--python", sys.executable, *target):
        return True
    pip = [
        "-I",
        "-m",
        "pip",
        "install",
        "--no-input",
        "--disable-pip-version-check",
        "--no-compile",
        "--root-user-action",
        "ignore",
    ]
    return run(sys.executable, *pip, *OPTIONS, *target)


def run(*command: str) -> bool:
    """In the folder of the action: a workspace may hold anything."""
    kept = {f"PIP_{name}" for name in KEPT}
    variables = {name: value for name, value in os.environ.items() if not name.startswith("PIP_") or name in kept}
    plain = {**variables, "NO_COLOR": "1", "PIP_NO_COLOR": "1"}
    return subprocess.run(command, cwd=HERE, env=plain, check=False).returncode == 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except OSError as error:  # a full disk, say
        print(f"::error title=sitemap-action::The dependencies could not be handed on: {error.strerror}.")
        sys.exit(2)
