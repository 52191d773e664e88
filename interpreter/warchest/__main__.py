"""The entry of `python -m warchest`: the same as `warchest`."""

import sys

from warchest.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
