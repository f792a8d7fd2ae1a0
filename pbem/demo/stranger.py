"""Somebody who took no part verifies a game from its folder alone: `python -m pbem.demo.stranger FOLDER`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from pbem.home import Home
from pbem.verify import verify_folder


def main(folder: str) -> int:
    """Print the verdict as `pbem verify --json` does."""
    verdict = verify_folder(Path(folder), Home())
    print(json.dumps(verdict.table()))
    return 0 if verdict.ok else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
