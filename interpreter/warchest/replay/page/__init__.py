"""Replays as pages: one file of HTML that needs nothing else, with the board at each step, and the news.

`page.html`, `page.css` and `page.js` are its template, `en.json` has its words; a further language is a further file.
"""

from warchest.replay.page.course import PageTooLarge
from warchest.replay.page.page import languages, page_of, replay_page

__all__ = ["PageTooLarge", "languages", "page_of", "replay_page"]
