"""What every route may refuse with is in the document, by a name that leads somewhere."""

import re

from freeform.apps.web.problems import STATUSES
from tests.apps.web.serving import Served


async def test_every_route_says_how_it_refuses_and_every_name_in_the_document_is_told(
    served: Served,
) -> None:
    answer = await served.http.get("/api/openapi.json")
    document = answer.json()
    names = set(re.findall(r'"#/components/schemas/(\w+)"', answer.text))
    assert names <= document["components"]["schemas"].keys()
    for path, verbs in document["paths"].items():
        shape = "OpenAiProblem" if path.startswith("/v1/") else "HttpProblem"
        for verb in verbs.values():
            for status in STATUSES:
                (told,) = verb["responses"][str(status)]["content"].values()
                assert told["schema"] == {"$ref": f"#/components/schemas/{shape}"}, (path, status)
