"""The command: ``python -m bench [NAME ...] [--quick] [--json]``."""

import argparse
import importlib
import json
import pkgutil
from dataclasses import asdict
from types import ModuleType

import bench
from bench.harness import Row


def modules() -> dict[str, ModuleType]:
    """Every module of this package that can ``run``, by name."""
    names = sorted(found.name for found in pkgutil.iter_modules(bench.__path__) if found.name != "__main__")
    loaded = {name: importlib.import_module(f"bench.{name}") for name in names}
    return {name: module for name, module in loaded.items() if hasattr(module, "run")}


def table(rows: list[Row]) -> str:
    """The rows for a terminal."""
    lines = [("", "ours us", "floor us", "wall ratio", "cpu ratio", "bar", "")]
    for row in rows:
        verdict = {None: "", True: "met", False: "MISSED"}[row.met]
        bar = "" if row.bar is None else f"{row.judged} {row.bar}"
        figures = (f"{row.ours:.2f}", f"{row.floor:.2f}", f"{row.ratio:.2f}", f"{row.cpu:.2f}")
        lines.append((row.name, *figures, bar, verdict))
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(
            [
                line[0].ljust(widths[0]),
                *(cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True)),
            ]
        )
        for line in lines
    )


def main() -> None:
    found = modules()
    parser = argparse.ArgumentParser(prog="python -m bench", description=bench.__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which to run: {', '.join(found)}")
    parser.add_argument("--quick", action="store_true", help="fewer rounds: a smoke test, not a measurement")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    asked = parser.parse_args()
    if unknown := [name for name in asked.names if name not in found]:
        parser.error(f"there is no bench {', '.join(unknown)}; there are: {', '.join(found)}")
    rows: list[Row] = []
    for name in asked.names or found:
        rows += found[name].run(asked.quick)
    if asked.json:
        print(json.dumps([{**asdict(row), "met": row.met} for row in rows], indent=2))
    else:
        print(table(rows))


if __name__ == "__main__":
    main()
