"""A player of your own in a seat, measured: here one who always asks, against ours in the same seat."""

import asyncio
import tempfile

from freeform.players.party.outcomes import outcome_of
from freeform.players.passes import DirectiveReply, PersonaInput, TalkReply
from freeform.services.party.experiments import PartyTrial, play_trial


class AlwaysAsks:
    """Anything with `talk` and `choose` is an Agent. `seen` is all that this player may know."""

    def wish(self, seen: PersonaInput) -> str:
        """Its favourite question of those nobody has taken; else the first thing there is."""
        free = [o for o in seen.table.options if o.text not in seen.taken.values()]
        return next((o.text for o in free if o.kind == "ask"), free[0].text)

    async def talk(self, seen: PersonaInput) -> TalkReply:
        """Puts its question forward, or agrees to what another wants."""
        wish = self.wish(seen)
        if seen.proposal.option:
            return TalkReply(content="Yes, fine by me. I only want to ask something.", mine=wish)
        return TalkReply(content=f"Why don't we {wish[:1].lower()}{wish[1:]}?", proposes=wish)

    async def choose(self, seen: PersonaInput) -> DirectiveReply:
        """Tells its character."""
        return DirectiveReply(directive=self.wish(seen), option=self.wish(seen))


async def main() -> None:
    with tempfile.TemporaryDirectory() as home:
        run = PartyTrial(
            scenario="drowned_bell", players="2", seed=3, strength=0.3, rounds=3, home=home
        )
        for name, agents in (("ours", {}), ("one that always asks", {"bea": AlwaysAsks()})):
            _, rounds, _ = await play_trial(run, agents)
            did = [r.actions["bea"].intent for r in rounds if "bea" in r.actions]
            print(f"{name}: {outcome_of(rounds).facts} facts. Bea's character: {' | '.join(did)}")


asyncio.run(main())
