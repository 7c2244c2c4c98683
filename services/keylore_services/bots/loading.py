"""Bots by name or file, and the file to begin with."""

import importlib.util
import keyword
import re
import sys
from inspect import isabstract
from pathlib import Path
from types import ModuleType
from typing import Final

from keylore_domain.errors import NotFoundError, OptionError
from keylore_services.bots import builtin
from keylore_services.bots.kit import Bot, loading

_ALLOWED: Final = "a built-in bot (" + ", ".join(builtin.names()) + "), FILE.py or FILE.py:CLASS"

_STARTER: Final = '''\
"""{name}: a bot for keylore. Play with it:  KEYLORE_TOKEN=... python {file} 127.0.0.1:4711"""

import sys

from keylore_services.bots import Bot, Prompt, run


class {title}(Bot):
    """Say here what it is good at."""

    def choose(self, prompt: Prompt) -> int:
        # prompt.view: what you see; prompt.kind and prompt.context: what is asked; prompt.legal: your moves;
        # prompt.remaining(): seconds left. Give the index of a move, or the move itself.
        print(f"{{prompt.match}}: {{prompt.kind}}, {{len(prompt.legal)}} moves", file=sys.stderr)
        return prompt.default


if __name__ == "__main__":
    print(run({title}(), server=sys.argv[1]))  # the token comes from KEYLORE_TOKEN
'''


def bot(spec: str, seed: int | str = 0) -> Bot:
    """The bot that *spec* means: the name of a built-in one, or ``FILE.py``, or ``FILE.py:CLASS``.

    Raises:
        NotFoundError: there is no such built-in bot, file or class.
        OptionError: the file is not a bot.
    """
    if not _is_file(spec):
        if spec not in builtin.names():
            msg = f"there is no bot {spec!r}; give {_ALLOWED}"
            raise NotFoundError(msg)
        return builtin.make(spec, seed)
    kind = load(spec)
    try:
        return kind()
    except Exception as error:  # the author's code
        raise OptionError("bot", f"{kind.__name__}() fails: {_told(error)}", "no arguments") from error


def load(spec: str) -> type[Bot]:
    """The bot class in ``FILE.py``, if it has exactly one, or the one named in ``FILE.py:CLASS``.

    Raises:
        NotFoundError: there is no such file or class.
        OptionError: the file cannot be imported, or it is not clear which class is meant.
    """
    path, name = _split(spec)
    if not path.is_file():
        msg = f"there is no file {str(path)!r}; give {_ALLOWED}"
        raise NotFoundError(msg)
    found = _bots_in(_imported(path))
    if name:
        return _named(path, name, found)
    if len(found) == 1:
        return next(iter(found.values()))
    if not found:
        raise OptionError("bot", f"{path} has no class derived from Bot", "a file with `class MyBot(Bot):`")
    raise OptionError("bot", f"{path} has {len(found)} bots", " or ".join(f"{path}:{one}" for one in found))


def starter(name: str) -> str:
    """The text of a file with a bot that works, to begin with."""
    words = re.findall(r"[a-z0-9]+", name.lower())
    title = "".join(word.capitalize() for word in words)
    if not title.isidentifier() or keyword.iskeyword(title) or title in ("Bot", "Prompt"):
        title = f"My{title}"
    return _STARTER.format(name=name, file=f"{'_'.join(words) or 'bot'}.py", title=title)


def _is_file(spec: str) -> bool:
    return ".py" in spec or "/" in spec


def _split(spec: str) -> tuple[Path, str]:
    path, _, name = spec.rpartition(":")
    return (Path(path), name) if path and name.isidentifier() else (Path(spec), "")


def _named(path: Path, name: str, found: dict[str, type[Bot]]) -> type[Bot]:
    if name not in found:
        have = ", ".join(found) or "none"
        msg = f"{path} has no bot class {name!r}; bot classes in it: {have}"
        raise NotFoundError(msg)
    return found[name]


def _bots_in(module: ModuleType) -> dict[str, type[Bot]]:
    """The classes that *module* defines itself, not those it imports."""
    return {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, type)
        and issubclass(value, Bot)
        and (value.__module__, value.__name__) == (module.__name__, name)
        and not isabstract(value)
    }


def _imported(path: Path) -> ModuleType:
    """The module in file *path*; modules beside it can be imported by it."""
    name = f"keylore_bot_{re.sub(r'[^a-zA-Z0-9_]', '_', path.stem)}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise OptionError("bot", f"{path} is not a Python file", _ALLOWED)
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.append(folder)
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        with loading():
            spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # the author's code
        del sys.modules[name]
        raise OptionError("bot", f"{path} cannot be imported: {_told(error, path)}", _ALLOWED) from error
    return module


def _told(error: BaseException, path: Path | None = None) -> str:
    """An error of the author's code in one line, with the line in *path* where it happened."""
    line = error.lineno if isinstance(error, SyntaxError) else None
    trace = error.__traceback__
    while trace is not None:
        if path is not None and trace.tb_frame.f_code.co_filename == str(path):
            line = trace.tb_lineno
        trace = trace.tb_next
    what = error.msg if isinstance(error, SyntaxError) else error
    return f"{type(error).__name__}: {what}" + (f" (line {line})" if line else "")
