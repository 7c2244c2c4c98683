"""Keydom's Dragons: the game (spec §4, §5).

The course of the game lies on the position's ``pending`` stack: questions to seats, and steps that the rules
carry out by themselves (`effects`).

Chance points (spec §9) and their labels: C1 ``start``; C2 ``stacks``; C3 ``deck.treasures``; C4
``deck.spells``; C5 ``guard``; for each ghost C6 ``light.deck``, C7 ``light.worker``, C8 ``light.artefact``,
C9 ``light.roundhouse``; C10 ``evict``; C11 ``stack.K``; C12 ``deck.spells.again``.
"""

from typing import ClassVar

from keylore_domain.engine.chance import Chance
from keylore_domain.engine.facts import Fact
from keylore_domain.engine.game import Game, Turn
from keylore_domain.engine.options import check_start_seat
from keylore_domain.engine.play import answer, run
from keylore_domain.engine.prompts import Prompt
from keylore_domain.engine.seats import Seat
from keylore_domain.errors import OptionError
from keylore_domain.games.keydoms_dragons import components, facts, scoring
from keylore_domain.games.keydoms_dragons.components import Parts
from keylore_domain.games.keydoms_dragons.effects.tables import ANSWERS, STEPS
from keylore_domain.games.keydoms_dragons.moves import DragonsMove
from keylore_domain.games.keydoms_dragons.play import Play
from keylore_domain.games.keydoms_dragons.prompts import asked
from keylore_domain.games.keydoms_dragons.setup import SPELLS, ghost_count, set_up
from keylore_domain.games.keydoms_dragons.state.position import DragonsOptions, State
from keylore_domain.games.keydoms_dragons.view import redaction
from keylore_domain.games.keydoms_dragons.view.alternative import alternative
from keylore_domain.games.keydoms_dragons.view.table import View, view_of


class KeydomsDragons(Game[DragonsOptions, State, DragonsMove]):
    """The game with the components of one data file."""

    id: ClassVar[str] = components.GAME
    title: ClassVar[str] = "Keydom's Dragons"
    rules: ClassVar[str] = "1"
    options_type = DragonsOptions
    view_type = View
    outcome_type = scoring.DragonsOutcome
    fact_types = facts.FACT_TYPES
    reveals = (facts.WorkersRevealed, facts.GuardRevealed)
    move_types = asked.MOVE_TYPES

    def __init__(self, data_text: str | None = None) -> None:
        """Read the components.

        Raises:
            DataFileError: the data file breaks a rule.
        """
        super().__init__(components.standard() if data_text is None else data_text)
        self.parts: Parts = components.parse(self.data_text)

    def check_options(self, options: DragonsOptions) -> None:
        """Ghosts and variants that do not go together (spec §1).

        Raises:
            OptionError: names the option and what is allowed.
        """
        allowed = self.parts.seats_and_ghosts.rows[options.seats]
        if options.ghosts != "default" and options.ghosts not in allowed:
            problem = f"{options.ghosts} ghosts do not go with {options.seats} seats"
            raise OptionError("ghosts", problem, " or ".join(map(str, allowed)))
        check_start_seat(options.start_seat, options.seats)
        if options.muggles and options.foreknown:
            raise OptionError("foreknown", "there are no spells with muggles", "false")
        if options.ghost_extra_spells and (options.muggles or not ghost_count(self.parts, options)):
            raise OptionError("ghost_extra_spells", "needs ghosts and magic", "0")
        if options.ghost_artefacts_per_round > 1 and (
            options.muggles or not ghost_count(self.parts, options)
        ):
            raise OptionError("ghost_artefacts_per_round", "needs ghosts and magic", "1")

    def setup(self, options: DragonsOptions, turn: Turn) -> State:
        """The position at ply 0: the first start treasures are to be chosen (spec §4)."""
        play = set_up(self.parts, options, turn)
        run(play, STEPS)
        return play.position

    def prompts(self, state: State) -> tuple[Prompt[DragonsMove], ...]:
        """The one open question; none when the game is over."""
        return asked.open_prompts(state)

    def apply(self, state: State, seat: Seat, move: DragonsMove, turn: Turn) -> State:
        """Answer the question on top of the stack, and go on to the next."""
        play = Play(self.parts, state, turn)
        answer(play, ANSWERS, move)
        run(play, STEPS)
        return play.position

    def view(self, state: State, viewer: Seat | None) -> View:
        """What *viewer* sees (spec §9)."""
        return view_of(state, viewer)

    def redact(self, fact: Fact, viewer: Seat | None) -> Fact | None:
        """What *viewer* may know of *fact* (spec §9)."""
        return redaction.redact(fact, viewer)

    def outcome(self, state: State) -> scoring.DragonsOutcome | None:
        """The ranking of all parties, once the game has ended (spec §7)."""
        return scoring.outcome(state) if state.ended_by else None

    def max_plies(self, options: DragonsOptions) -> int:
        """The bound of §11 I11: placements, questions in windows, and what actions and locations ask."""
        seats, spells = options.seats, len(SPELLS)
        actions = 2 * seats + spells
        windows = seats * (19 + actions)
        follow_ups = (actions + spells) * (2 + 2 * seats + 40 * seats)
        locations = seats * (3 + 6 + 5 * (2 + spells))
        return seats + options.round_cap * (8 * seats + windows + follow_ups + locations)

    def alternative(self, state: State, viewer: Seat | None, chance: Chance) -> State:
        """Another position that *viewer* cannot tell from *state* (spec §9)."""
        return alternative(self.parts, state, viewer, chance)
