"""The validator agent: takes a package, checks it, writes what it accepts, answers. Once for each
package."""

from pydantic import ValidationError

from freeform.core.errors import Conflict
from freeform.lore.daemon.outbox import send_all
from freeform.lore.daemon.packing import Packing
from freeform.lore.errand import LorePorts, effect_id
from freeform.lore.judge.validate import FindPage, check_package
from freeform.lore.messages import (
    RESEARCHER,
    VALIDATOR,
    MessageEnvelope,
    ValidationFeedback,
    ValidationResult,
)
from freeform.lore.model import ResearchPackage
from freeform.lore.person.acts import PersonAct, acts_in
from freeform.lore.ports import GraphWrite, StepCommit, judged

_TRIES = 20


async def advance_validator(ports: LorePorts) -> bool:
    """The next package that waits, checked and answered; False where none waits."""
    for envelope in await ports.store.waiting(VALIDATOR, limit=1):
        await validate_one(envelope, ports)
        await send_all(ports, VALIDATOR)
        return True
    return await send_all(ports, VALIDATOR) > 0


async def validate_one(envelope: MessageEnvelope, ports: LorePorts) -> ValidationResult:
    """Verdict, accepted rows with their embeddings, and the answer: one transaction. A word that a
    person says meanwhile is heard before it is written."""
    for _ in range(_TRIES):
        try:
            return await _validate(envelope, ports)
        except Conflict:
            continue
    return await _validate(envelope, ports)


async def _validate(envelope: MessageEnvelope, ports: LorePorts) -> ValidationResult:
    package: ResearchPackage | None = None
    stands: int | None = None
    try:
        package = ResearchPackage.model_validate(envelope.payload)
        steps = await ports.store.steps_done(package.game)
        stands = judged(steps)
        package = await _with_words(package, acts_in(steps), ports)
        limits = ports.limits
        last = package.iteration >= limits.max_iterations
        pages = await _pages(package, ports)
        result = check_package(package, pages, limits.least_coverage, last=last)
    except ValidationError as wrong:
        result = _unreadable(envelope, wrong)
    answer = MessageEnvelope(
        message_id=effect_id("verdict on", envelope.message_id),
        source_agent=VALIDATOR,
        target_agent=RESEARCHER,
        message_type="validation_result",
        timestamp=ports.clock.now(),
        correlation_id=envelope.correlation_id,
        payload=result.model_dump(mode="json"),
    )
    await ports.store.commit_step(
        StepCommit(
            key=effect_id("validate", envelope.message_id),
            agent=VALIDATOR,
            game=result.game,
            zone_name=result.zone_name,
            name="validate",
            result={
                "accepted": result.accepted,
                "feedback": len(result.feedback),
                "iteration": result.iteration,
            },
            messages=[answer],
            consumed=envelope.message_id,
            graph=await _written(package, ports) if package and result.accepted else None,
            judged=stands if result.accepted else None,
            at=ports.now(),
        )
    )
    return result


async def _with_words(
    package: ResearchPackage, acts: list[PersonAct], ports: LorePorts
) -> ResearchPackage:
    """The package with what a person has said since it was packed."""
    if not acts or not package.basis:
        return package
    packing = Packing(
        ports.store, ports.unlike, package.game, package.zone_name, ports.now(), package.iteration
    )
    return await packing.again(package, acts)


async def _written(package: ResearchPackage, ports: LorePorts) -> GraphWrite:
    """What is accepted of a zone for the second time takes the place of the first."""
    held = await ports.store.package(package.game, package.zone_data.id)
    return GraphWrite(package=package, anew=held is not None)


async def _pages(package: ResearchPackage, ports: LorePorts) -> FindPage:
    """Finds the stored pages that the package's claims quote."""
    wanted = {(claim.url, claim.sha256) for claim in package.claims}
    found = {key: page for key in wanted if (page := await ports.store.page(package.game, *key))}
    return lambda claim: found.get((claim.url, claim.sha256))


def _unreadable(envelope: MessageEnvelope, wrong: ValidationError) -> ValidationResult:
    where = [".".join(str(part) for part in error["loc"]) for error in wrong.errors()[:5]]
    said = ValidationFeedback(
        check="schema", message=f"the package does not fit its schema: {', '.join(where)}"
    )
    zone, game = (str(envelope.payload.get(key, ""))[:200] for key in ("zone_name", "game"))
    return ValidationResult(zone_name=zone, accepted=False, feedback=[said], game=game)
