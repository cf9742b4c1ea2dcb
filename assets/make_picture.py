"""Makes assets/screen.svg, the README's picture: `python -m assets.make_picture` from the top of the checkout.
The picture is the program's own screenshot of lesson 02 after the second prediction, without its web fonts."""

import asyncio
import re
from pathlib import Path


async def picture(width: int = 120, height: int = 34) -> str:
    """The screen as SVG text."""
    from ixviz.lesson import Session, find_lesson, load_lesson
    from ixviz.tui.app import IxvizApp
    from ixviz.tui.opening import state_of

    state = state_of(session=Session(load_lesson(find_lesson("lessons/02-batching"))))
    app = IxvizApp(state)
    async with app.run_test(size=(width, height)) as pilot:
        for keys in (["a", "enter"], ["enter"], ["enter"], ["d", "enter"]):
            await pilot.press(*keys)
            for _ in range(40):
                await pilot.pause(0.05)
        return app.export_screenshot(title="ixviz lessons/02-batching")


def main() -> None:
    svg = asyncio.run(picture())
    svg = re.sub(r"@font-face\s*{.*?}", "", svg, flags=re.S)
    svg = svg.replace("Fira Code", "monospace")
    (Path(__file__).parent / "screen.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
