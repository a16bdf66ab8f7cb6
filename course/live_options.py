"""The options of a live model on the command line, the same for `run` and `eval`."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from course.tools import ToolRegistry

if TYPE_CHECKING:
    from course.live import LiveLLM


def add_live_options(parser: argparse.ArgumentParser) -> None:
    """`--live MODEL` and what belongs to it."""
    group = parser.add_argument_group(
        "a live model",
        "Any server that speaks OpenAI's chat completions. Needs: pip install 'trusted-agent-course[live]'",
    )
    group.add_argument("--live", metavar="MODEL", help="the model's name, as the server knows it")
    group.add_argument(
        "--base-url",
        metavar="URL",
        help="the server, such as http://localhost:11434/v1 (default: OPENAI_BASE_URL, or OpenAI)",
    )
    group.add_argument(
        "--key-env",
        metavar="NAME",
        help="the variable that holds the key (default: OPENAI_API_KEY; OPENROUTER_API_KEY for openrouter.ai; "
        "none for a server on this machine)",
    )
    group.add_argument(
        "--max-cost", metavar="USD", default="0.50", help="no call is made once this is spent (default: %(default)s)"
    )
    group.add_argument(
        "--price",
        nargs=2,
        metavar=("IN", "OUT"),
        help="US dollars for a million tokens, 0 0 for a model of your own; not needed where the server reports costs",
    )
    group.add_argument("--stream", action="store_true", help="take the replies in pieces")
    group.add_argument("--timeout", type=float, default=60.0, metavar="SECONDS", help="for one call (default: 60)")
    group.add_argument("--temperature", type=float, metavar="T", help="sent when given")
    group.add_argument("--max-tokens", type=int, metavar="N", help="the longest reply; sent when given")
    group.add_argument("--seed", type=int, metavar="N", help="sent when given")


def live_model(options: argparse.Namespace, tools: ToolRegistry) -> LiveLLM:
    """The client that the options describe. Raises what `LiveLLM` raises, and ValueError for a price that is none."""
    from course.live import LiveLLM, Price

    return LiveLLM(
        options.live,
        tools,
        max_cost=_amount("--max-cost", options.max_cost),
        price=Price(*(_amount("--price", amount) for amount in options.price)) if options.price else None,
        base_url=options.base_url,
        key_env=options.key_env,
        stream=options.stream,
        timeout=options.timeout,
        temperature=options.temperature,
        max_tokens=options.max_tokens,
        seed=options.seed,
    )


def live_settings(llm: LiveLLM) -> dict[str, Any]:
    """What a report says of the settings; the server by its host alone, since an address may hold a password."""
    return {"server": urlsplit(llm.base_url).hostname, "cap_usd": float(llm.max_cost), **llm.settings}


def _amount(option: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{option}: {text!r} is no number of US dollars") from None
