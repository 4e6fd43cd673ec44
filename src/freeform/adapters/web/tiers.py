"""`sources.yml`: which sites are how good, what licence they give, and where their api.php is."""

from pathlib import Path
from urllib.parse import urlsplit

from pydantic import Field, ValidationError

from freeform.core.errors import BadFile
from freeform.core.record import Record
from freeform.core.yamlfile import BadYaml, parse_yaml


class SourceSite(Record):
    """One site. `domain` fits its subdomains too; with a port it fits only that port."""

    domain: str
    tier: int = Field(3, ge=1, le=9)
    licence: str = ""
    api: str = ""
    """The address of its api.php, where it is not found by itself."""


class Sources(Record):
    """The sites in order of trust. `blocked` are never read."""

    sites: list[SourceSite] = Field(default_factory=list)
    default_tier: int = 4
    blocked: list[str] = Field(default_factory=list)

    def site(self, url: str) -> SourceSite:
        """What is known of an address's site."""
        best = max(
            (site for site in self.sites if fits(site.domain, url)),
            key=lambda site: len(site.domain),
            default=None,
        )
        return best or SourceSite(domain=domain_of(url), tier=self.default_tier)

    def is_blocked(self, url: str) -> bool:
        """Whether nobody wants that site."""
        return any(fits(domain, url) for domain in self.blocked)


def domain_of(url: str) -> str:
    """The site of an address, with its port where that is not the usual one."""
    return urlsplit(url).netloc.lower().rpartition("@")[2]


def fits(domain: str, url: str) -> bool:
    """Whether an address is of that domain."""
    wanted, whole = domain.lower(), domain_of(url)
    host = (urlsplit(url).hostname or "").lower()
    return whole == wanted or host == wanted or host.endswith(f".{wanted}")


def read_sources(file: Path | None) -> Sources:
    """The file's sources; without a file everything has the default tier."""
    if file is None:
        return Sources()
    try:
        data = parse_yaml(file.read_text(encoding="utf-8"))[0] or {}
        return Sources.model_validate(data)
    except OSError as wrong:
        raise BadFile(
            str(file), f"cannot be read ({wrong.strerror}); set `lore_sources` to your sources.yml"
        ) from None
    except UnicodeDecodeError:
        raise BadFile(str(file), "is not UTF-8 text; save it as UTF-8") from None
    except BadYaml as wrong:
        why = f"does not read as YAML: {wrong.problem or wrong.reason}"
        raise BadFile(str(file), why, wrong.line) from None
    except ValidationError as wrong:
        error = wrong.errors()[0]
        where = ".".join(str(part) for part in error["loc"])
        raise BadFile(str(file), f"{where or 'the file'}: {error['msg'].lower()}") from None
