"""Check that the committed Python of the protocol is what the protos give (part of ``make check``)."""

import filecmp
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROTOS = ROOT / "protos"
BIN = Path(sys.executable).parent


def main() -> int:
    """Generate into a scratch folder and compare; the exit code says whether they are equal."""
    sources = sorted(PROTOS.glob("keylore/v1/*.proto"))
    with tempfile.TemporaryDirectory() as scratch:
        outputs = [f"--{kind}_out={scratch}" for kind in ("python", "grpc_python", "mypy", "mypy_grpc")]
        plugins = [
            f"--plugin=protoc-gen-{name}={BIN / f'protoc-gen-{name}'}" for name in ("mypy", "mypy_grpc")
        ]
        command = [sys.executable, "-m", "grpc_tools.protoc", f"-I{PROTOS}", *plugins, *outputs]
        subprocess.run([*command, *map(str, sources)], check=True, stderr=subprocess.DEVNULL)
        made = sorted(path for path in Path(scratch).rglob("*_pb2*"))
        stale = [
            path.relative_to(scratch)
            for path in made
            if not (PROTOS / path.relative_to(scratch)).exists()
            or not filecmp.cmp(path, PROTOS / path.relative_to(scratch), shallow=False)
        ]
    for path in stale:
        print(f"protos/{path} is not what the protos give; run `make protos`", file=sys.stderr)
    return 1 if stale or not made else 0


if __name__ == "__main__":
    sys.exit(main())
