"""The command `freeform-rpg`. `--version` answers before anything heavy is imported."""

import sys


def main() -> None:
    """Runs one command and ends the process with its exit code."""
    args = sys.argv[1:]
    # `prompts show ID --version V` has a --version of its own.
    if "--version" in args[: args.index("--") if "--" in args else None] and "prompts" not in args:
        from freeform import __version__

        print(f"freeform-rpg {__version__}")
        return
    from freeform.core.gc_tuning import collect_seldom

    collect_seldom()
    from freeform.apps.launch import launch

    sys.exit(launch(args))


if __name__ == "__main__":
    main()
