"""The slash commands as data: one list for the bot, the HTTP endpoint and the registration."""

from pydantic import Field

from freeform.core.record import Record


class CommandOption(Record):
    """An option of a command. `suggests`: Discord asks us for names while the user types."""

    name: str
    description: str
    required: bool = True
    suggests: bool = False


class CommandSpec(Record):
    """One slash command. `private`: its answer is for the one who asks alone."""

    name: str
    description: str
    options: list[CommandOption] = Field(default_factory=list)
    private: bool = False


SECRET = CommandOption(
    name="secret",
    description="yes: only you see the answer, and it may hold GM secrets",
    required=False,
)
NOTES = CommandOption(
    name="notes",
    description="kept notes to look in, by their id; else those of the campaign played here",
    required=False,
)
COMMANDS: dict[str, CommandSpec] = {
    spec.name: spec
    for spec in (
        CommandSpec(
            name="ask",
            description=(
                "A question about your sheet, the notes or the rules, answered with sources"
            ),
            options=[
                CommandOption(name="question", description="In your own words"),
                NOTES,
                SECRET,
            ],
        ),
        CommandSpec(
            name="research",
            description=(
                "A question that takes several steps: every X with its A and B, X against Y"
            ),
            options=[
                CommandOption(name="question", description="In your own words"),
                NOTES,
                SECRET,
            ],
        ),
        CommandSpec(
            name="roll",
            description="Dice, in the open",
            options=[
                CommandOption(name="dice", description="1d20+5, 4d6kh3 …"),
                CommandOption(
                    name="secret",
                    description="At a table: mine, or gm; else all see it",
                    required=False,
                ),
            ],
        ),
        CommandSpec(
            name="join",
            description="Sit down at a table, by a link of its host; this thread plays its story",
            options=[
                CommandOption(name="link", description="The link, or what stands behind its #"),
                CommandOption(name="name", description="What you are called", required=False),
                CommandOption(name="hero", description="A hero of your own", required=False),
            ],
            private=True,
        ),
        CommandSpec(
            name="whisper",
            description="Say something to one person at the table, wherever they sit",
            options=[
                CommandOption(name="to", description="Whom, by name"),
                CommandOption(name="text", description="What nobody else reads"),
            ],
            private=True,
        ),
        CommandSpec(
            name="recap", description="What happened before, of the campaign this channel plays"
        ),
        CommandSpec(
            name="iam",
            description="Which character you are: your questions are answered from that sheet",
            options=[
                CommandOption(
                    name="sheet", description="One of the sheets that were imported", suggests=True
                )
            ],
            private=True,
        ),
        CommandSpec(
            name="play",
            description="Begin a scenario here, or take a turn of the one that is played here",
            options=[
                CommandOption(name="text", description="What your character does", required=False),
                CommandOption(
                    name="scenario", description="What to play", required=False, suggests=True
                ),
            ],
        ),
        CommandSpec(name="inbox", description="The decisions that the lore researcher waits for"),
        CommandSpec(
            name="decide",
            description="Answers a decision of the lore researcher",
            options=[
                CommandOption(name="decision", description="Which one", suggests=True),
                CommandOption(name="choice", description="One of its options, by name or number"),
            ],
        ),
        CommandSpec(
            name="x",
            description="The X-card: takes the last turn back. Nobody learns who used it",
            options=[
                CommandOption(
                    name="what",
                    description="What shall not come up again (may be left out)",
                    required=False,
                )
            ],
            private=True,
        ),
    )
}


def registration() -> list[dict[str, object]]:
    """What Discord wants to be told of them."""
    return [_registered(spec) for spec in COMMANDS.values()]


def _registered(spec: CommandSpec) -> dict[str, object]:
    options = []
    for option in sorted(spec.options, key=lambda option: not option.required):
        options.append(
            {
                "name": option.name,
                "description": option.description[:100],
                "type": 3,
                "required": option.required,
                "autocomplete": option.suggests,
            }
        )
    return {
        "name": spec.name,
        "description": spec.description[:100],
        "type": 1,
        "options": options,
    }
