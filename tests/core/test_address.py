"""Which addresses are this machine: whatever can be read in two ways is not."""

import pytest

from freeform.core.address import is_this_machine

HERE = [
    "http://127.0.0.1",
    "http://127.0.0.1:11434",
    "https://127.9.8.7/v1",
    "http://localhost:8080/v1",
    "http://LOCALHOST/v1",
    "http://[::1]:11434/",
]
ELSEWHERE = [
    "http://localhost@evil.example/v1",
    "http://localhost:80@evil.example/v1",
    "http://me:word@127.0.0.1/v1",
    "http://127.0.0.1.evil.example/v1",
    "http://localhost.evil.example/v1",
    "http://127.0.0.1\\@evil.example/v1",
    "http://127.0.0.1\t.evil.example/v1",
    "http://evil.example/?http://127.0.0.1",
    "http://evil.example#http://localhost",
    "http://192.168.1.5:11434",
    "http://0.0.0.0:11434",
    "http://[::ffff:8.8.8.8]/",
    "http://[::1",
    "http://127.0.0.1:port/",
    "ftp://127.0.0.1/",
    "127.0.0.1:11434",
    "//127.0.0.1/",
    "http:///v1",
    "",
]


@pytest.mark.parametrize("url", HERE)
def test_a_plain_loopback_address_is_this_machine(url: str) -> None:
    assert is_this_machine(url)


@pytest.mark.parametrize("url", ELSEWHERE)
def test_anything_else_is_elsewhere(url: str) -> None:
    assert not is_this_machine(url)
