"""There is no Docker engine to try the composition on: that what it names exists is checked here instead."""

import re
import tomllib
from pathlib import Path
from typing import Any

import click
import pytest
import typer
import yaml

from freeform.adapters.web.tiers import read_sources
from freeform.apps.cli.app import app
from freeform.settings import PREFIX, USUAL, Settings

ROOT = Path(__file__).parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {
    name: service for name, service in SERVICES.items() if service.get("image") == "freeform-lore"
}
DOCKERFILE = (ROOT / "docker" / "lore.Dockerfile").read_text()
KNOWN = {f"{PREFIX}{name.upper()}" for name in Settings.model_fields} | set(USUAL.values())
THEIRS = {
    "rabbitmq": {"RABBITMQ_DEFAULT_USER", "RABBITMQ_DEFAULT_PASS"},
    "surrealdb": {"SURREAL_USER", "SURREAL_PASS", "SURREAL_SYNC_DATA"},
}


def test_every_part_of_the_design_has_its_service() -> None:
    assert set(SERVICES) == {
        "rabbitmq", "surrealdb", "mcp_storage", "mcp_web_search", "mcp_web_crawler", "gateway", "researcher", "validator",
    }  # fmt: skip


@pytest.mark.parametrize("name", OURS)
def test_a_command_is_one_that_the_program_has(name: str) -> None:
    arguments = [re.sub(r"\$\{(\w+)[^}]*\}", r"\1", str(each)) for each in OURS[name]["command"]]
    command: click.Command = typer.main.get_command(app)
    context = click.Context(command)
    while isinstance(command, click.Group):
        verb = arguments.pop(0)
        found = command.get_command(context, verb)
        assert found is not None, f"there is no verb {verb}"
        command = found
    # Parses as it would on the command line; a wrong option or a missing one raises.
    command.make_context(name, arguments)


@pytest.mark.parametrize("name", OURS)
def test_every_variable_is_a_setting_and_its_value_fits(name: str) -> None:
    given = OURS[name].get("environment", {})
    assert set(given) <= KNOWN, set(given) - KNOWN
    back = {variable: field for field, variable in USUAL.items()}
    values = {
        back.get(variable) or variable.removeprefix(PREFIX).lower(): re.sub(
            r"\$\{[^}]*\}", "x", str(value)
        )
        for variable, value in given.items()
    }
    Settings.model_validate(values)


@pytest.mark.parametrize("name", sorted(set(SERVICES) - set(OURS)))
def test_variables_of_other_images_are_those_they_document(name: str) -> None:
    assert set(SERVICES[name].get("environment", {})) <= THEIRS[name]


@pytest.mark.parametrize(
    "name", [name for name, service in OURS.items() if "--port" in service["command"]]
)
def test_a_server_is_asked_for_its_health_where_it_listens_and_is_found_by_others(
    name: str,
) -> None:
    command = OURS[name]["command"]
    port = command[command.index("--port") + 1]
    assert f"127.0.0.1:{port}/healthz" in OURS[name]["healthcheck"]["test"][-1]
    asked = [
        str(value) for service in OURS.values() for value in service.get("environment", {}).values()
    ]
    assert f"http://{name}:{port}/mcp" in asked, "somebody uses it"
    assert "FREEFORM_LORE_MCP_KEY" in OURS[name]["environment"], "it listens beyond loopback"


def test_nothing_depends_on_a_service_that_is_not_there_or_cannot_be_healthy() -> None:
    for service in SERVICES.values():
        for name, wanted in service.get("depends_on", {}).items():
            assert "healthcheck" in SERVICES[name] and wanted == {"condition": "service_healthy"}
    volumes = {
        v.split(":")[0]
        for s in SERVICES.values()
        for v in s.get("volumes", [])
        if not v.startswith(".")
    }
    assert volumes == set(COMPOSE["volumes"])


def test_the_image_is_built_from_what_is_there() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for line in re.findall(r"^COPY (.+)$", DOCKERFILE, re.M):
        assert all((ROOT / source).exists() for source in line.split()[:-1])
    (extras,) = re.findall(r"\.\[([\w,]+)\]", DOCKERFILE)
    assert set(extras.split(",")) <= set(project["optional-dependencies"])
    (entry,) = re.findall(r'ENTRYPOINT \["([\w-]+)"\]', DOCKERFILE)
    assert entry in project["scripts"]
    assert set(re.findall(r"(FREEFORM_\w+)=", DOCKERFILE)) <= KNOWN
    mounted = {
        v.split(":")[0]
        for s in SERVICES.values()
        for v in s.get("volumes", [])
        if v.startswith(".")
    }
    assert all((ROOT / path).exists() for path in mounted)
    assert (
        read_sources(ROOT / "docker" / "sources.yml").site("https://wiki.example.org/x").tier == 1
    )
