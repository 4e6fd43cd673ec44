# One image for the researcher, the validator, the three MCP servers and the gateway: the command says which.
# docker build -f docker/lore.Dockerfile -t freeform-lore .
FROM python:3.12-slim

WORKDIR /app
COPY pyproject.toml README.md LICENSE ./
COPY src ./src
RUN pip install --no-cache-dir ".[lore,embeddings]" && useradd --create-home --uid 10001 lore && install -d -o lore /data

ENV FREEFORM_HOME=/data \
    FREEFORM_LOG_LEVEL=info
USER lore
VOLUME /data
ENTRYPOINT ["freeform-rpg"]
CMD ["lore", "--help"]
