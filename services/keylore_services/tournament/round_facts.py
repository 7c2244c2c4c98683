"""What sentences about a round are made of."""

from collections.abc import Mapping

from keylore_domain.swiss.certificates import Certificate, Criterion, CriterionName
from keylore_domain.swiss.checks import TableReasons
from keylore_domain.swiss.history import History, Record
from keylore_domain.swiss.pairing import Pairing
from keylore_services.tournament.words import exact


class RoundFacts:
    """A round with the names of its entrants.

    Attributes:
        inputs: of its pairing.
        pairing: the round itself.
        criteria: how good it is by each of them.
    """

    def __init__(
        self, inputs: History, pairing: Pairing, certificate: Certificate, names: Mapping[str, str]
    ) -> None:
        self.inputs = inputs
        self.pairing = pairing
        self.criteria: Mapping[CriterionName, Criterion] = {one.name: one for one in certificate.criteria}
        self._names = names
        self._records = {one.bot: one for one in inputs.entrants}

    def name(self, bot: str) -> str:
        """How *bot* is called."""
        return self._names[bot]

    def record(self, bot: str) -> Record:
        """What *bot*, which is to be paired, brings into the round."""
        return self._records[bot]

    def points(self, record: Record) -> str:
        """Its points, and by what else it is paired, if that is something else."""
        points = exact(f"{record.half_points}/2")
        if record.level is None or self.inputs.format == "round_robin":
            return points
        if self.inputs.format == "ladder":
            return f"{points}, rated {record.level}"
        return f"{points}, paired as {exact(f'{record.level}/2')}"

    def who(self, bot: str) -> str:
        """An entrant with its points."""
        return f"{self.name(bot)} ({self.points(self.record(bot))})"

    def others(self, table: TableReasons, bot: str) -> str:
        """The others at a table, with their points."""
        return " and ".join(self.who(other) for other in table.seats if other != bot)

    def field_text(self) -> str:
        """How many there are for tables of which size."""
        inputs = self.inputs
        smallest, largest = inputs.smallest, inputs.most_seats
        size = f"{smallest}" if smallest == largest else f"{smallest} to {largest}, best {inputs.table_size}"
        return f"{len(inputs.entrants)} entrants at tables of {size}"
