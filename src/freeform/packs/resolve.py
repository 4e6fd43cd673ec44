"""Which packs a campaign plays with: dependencies, version ranges, the lock, and the order of
layers."""

from collections.abc import Iterable, Sequence
from typing import Literal

from freeform.core.errors import NotFound, UserError
from freeform.core.record import Record
from freeform.packs.lock import Lock
from freeform.packs.model import LAYERS, ContentPackManifest, Dependency
from freeform.packs.versions import parse_range, parse_version

MAX_STEPS = 20_000


class Shelved(Record):
    """A version of a pack that is at hand."""

    manifest: ContentPackManifest
    path: str
    origin: Literal["bundled", "installed"]


class PackWish(Record):
    """Someone wants a pack."""

    by: str
    id: str
    version: str

    def __str__(self) -> str:
        return f"{self.by} needs {self.id} {self.version}"


def resolve(
    wanted: Sequence[Dependency],
    at_hand: Iterable[Shelved],
    lock: Lock | None = None,
    by: str = "the campaign",
) -> list[Shelved]:
    """The packs to play with, lowest layer first: newest versions that suit everyone, locked ones
    kept.

    UserError names the pack that is missing, the wishes that conflict, or the packs that form a
    cycle.
    """
    offers: dict[str, list[Shelved]] = {}
    for shelved in at_hand:
        offers.setdefault(shelved.manifest.id, []).append(shelved)
    for pack_id, choices in offers.items():
        choices.sort(key=lambda shelved: _preference(shelved, pack_id, lock))
    search = _Search(offers)
    chosen = search.choose(
        [PackWish(by=by, id=need.id, version=need.version) for need in wanted], {}, []
    )
    if chosen is None:
        raise search.failure or UserError(
            "the packs cannot be put together; loosen a version range"
        )
    return in_order(chosen.values())


def _preference(
    shelved: Shelved, pack_id: str, lock: Lock | None
) -> tuple[bool, bool, tuple[int, ...], bool]:
    """The locked version first, then finished versions, newest first; the bundled copy before its
    equals."""
    locked = lock.packs.get(pack_id) if lock else None
    version = parse_version(shelved.manifest.version)
    kept = locked is not None and parse_version(locked.version) == version
    numbers = tuple(-number for number in version.numbers)
    return not kept, bool(version.pre), numbers, shelved.origin != "bundled"


class _Search:
    """Tries versions newest first and goes back when a later wish does not fit. Remembers the first
    failure."""

    def __init__(self, offers: dict[str, list[Shelved]]) -> None:
        self.offers, self.steps = offers, 0
        self.failure: UserError | None = None

    def choose(
        self, open_: list[PackWish], chosen: dict[str, Shelved], met: list[PackWish]
    ) -> dict[str, Shelved] | None:
        self.steps += 1
        if self.steps > MAX_STEPS:
            self.failure = UserError(
                "the packs' version ranges are too tangled; name exact versions in depends_on"
            )
            return None
        if not open_:
            return chosen
        wish, rest = open_[0], open_[1:]
        met = [*met, wish]
        if wish.id in chosen:
            if _suits(wish, chosen[wish.id]):
                return self.choose(rest, chosen, met)
            self._conflict(wish.id, met)
            return None
        if wish.id not in self.offers:
            self._fail(
                NotFound(f"{wish}, which is not installed; get it and run: pack install PATH")
            )
            return None
        wishes = [other for other in (*met, *rest) if other.id == wish.id]
        suitable = [
            offer for offer in self.offers[wish.id] if all(_suits(each, offer) for each in wishes)
        ]
        if not suitable:
            self._conflict(wish.id, wishes)
        for offer in suitable:
            own = offer.manifest
            more = [
                PackWish(by=f"{own.id} {own.version}", id=d.id, version=d.version)
                for d in own.depends_on
            ]
            if (found := self.choose([*rest, *more], {**chosen, wish.id: offer}, met)) is not None:
                return found
        return None

    def _conflict(self, pack_id: str, wishes: Sequence[PackWish]) -> None:
        said = list(dict.fromkeys(str(wish) for wish in wishes if wish.id == pack_id))
        have = ", ".join(offer.manifest.version for offer in self.offers[pack_id])
        fix = "install a version that suits, or change a range"
        if len(said) == 1:
            self._fail(NotFound(f"{said[0]}, but at hand is only {have}; {fix}"))
        else:
            self._fail(
                UserError(
                    f"no version of {pack_id} suits all: {'; '.join(said)}; at hand: {have}; {fix}"
                )
            )

    def _fail(self, failure: UserError) -> None:
        self.failure = self.failure or failure


def _suits(wish: PackWish, offer: Shelved) -> bool:
    return parse_range(wish.version).admits(parse_version(offer.manifest.version))


def in_order(packs: Iterable[Shelved]) -> list[Shelved]:
    """Lowest layer first; within a layer what others depend on first, then by id. UserError on a
    cycle."""
    chosen = {shelved.manifest.id: shelved for shelved in packs}
    order = layer_order([shelved.manifest for shelved in chosen.values()])
    return [chosen[pack_id] for pack_id in order]


def layer_order(manifests: Sequence[ContentPackManifest]) -> list[str]:
    """The ids of packs in the order in which they are laid over one another."""
    table = {manifest.id: manifest for manifest in manifests}
    depth: dict[str, int] = {}
    for start in sorted(table):
        _measure(start, table, depth)
    return sorted(table, key=lambda i: (LAYERS.index(table[i].layer), depth[i], i))


def _measure(start: str, table: dict[str, ContentPackManifest], depth: dict[str, int]) -> None:
    """The longest chain of dependencies below a pack, without recursion; a cycle is named."""
    trail: list[str] = []
    stack: list[tuple[str, bool]] = [(start, False)]
    while stack:
        pack_id, done = stack.pop()
        below = [need.id for need in table[pack_id].depends_on if need.id in table]
        if done:
            trail.pop()
            depth[pack_id] = 1 + max((depth[each] for each in below), default=-1)
        elif pack_id in trail:
            circle = " → ".join([*trail[trail.index(pack_id) :], pack_id])
            raise UserError(
                f"the packs depend on each other in a circle: {circle}; remove one depends_on"
            )
        elif pack_id not in depth:
            trail.append(pack_id)
            stack.append((pack_id, True))
            stack += [(each, False) for each in reversed(below)]
