"""Second step of the action: the program, from the action's own folder, with nothing of the workspace imported."""

import os
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent.parent), os.environ["LIBRARY"]]

from sitemap_action.__main__ import main

if __name__ == "__main__":
    main()
