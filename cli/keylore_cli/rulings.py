"""Other rules than the stored games name: versions of the catalog, and rulings that are only planned."""

import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import cast

from keylore_cli.context import Context
from keylore_domain import catalog
from keylore_domain.engine.game import AnyGame
from keylore_domain.engine.records import Catalog
from keylore_domain.errors import DataFileError, NotFoundError
from keylore_services.replay.impact import Impact, archive_impact


def impacts(settings: Context, game_id: str, rules: str) -> Sequence[Impact]:
    """What *rules* (a version, or ``FILE.py:CLASS``) would have meant for each stored match of a game.

    Raises:
        NotFoundError: there is no league, version or file.
        DataFileError: the file holds no such rules.
        ReplayMismatchError: a stored match does not follow from its own rules.
    """
    ledger = settings.existing_ledger()
    try:
        return list(archive_impact(ledger, with_planned(game_id, rules), game_id, rules))
    finally:
        ledger.close()


def with_planned(game_id: str, rules: str) -> Catalog:
    """The catalog; with the planned rules besides if *rules* names a file.

    Raises:
        NotFoundError: the file does not exist.
        DataFileError: it cannot be run, or holds no such rules of the game.
    """
    path, _, name = rules.rpartition(":")
    if not path.endswith(".py"):
        return catalog.game
    planned = _loaded(Path(path), name, game_id)

    def known(game: str, version: str | None, data: str | None) -> AnyGame:
        return planned(data) if (game, version) == (game_id, rules) else catalog.game(game, version, data)

    return known


class _Maker:
    """Makes a game of a class that takes the component data, or nothing for the shipped ones."""

    def __init__(self, kind: type[AnyGame]) -> None:
        self._kind = kind

    def __call__(self, data: str | None) -> AnyGame:
        make = cast("type", self._kind)
        game: AnyGame = make(data)
        return game


def _loaded(path: Path, name: str, game_id: str) -> _Maker:
    if not path.is_file():
        msg = f"there is no file {str(path)!r} with planned rules"
        raise NotFoundError(msg)
    spec = importlib.util.spec_from_file_location(f"keylore_ruling_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module.__name__] = module  # structs look their annotations up there
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise DataFileError(str(path), f"cannot be run: {type(error).__name__}: {error}") from error
    kind = getattr(module, name, None)
    if not isinstance(kind, type) or getattr(kind, "id", None) != game_id:
        raise DataFileError(f"{path}:{name}", f"is not a class with rules of {game_id}")
    return _Maker(kind)
