"""Find broken internal links and anchors in a built site: ``check_links.py HTML_FOLDER``.

Every ``href`` and ``src`` that stays on the site has to name a file, and an anchor an
``id`` in it. Pictures need a text beside them, and gallery thumbnails a picture of their
own. Each finding is one line; the exit status says whether there are any.
"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# Pages of the theme's own, whose links lead to what a search has found.
NOT_READ = {"search.html", "genindex.html"}


class Page(HTMLParser):
    """The ids, the links and the pictures without a text of one page."""

    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.nameless = set(), [], []
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag, attributes):
        """Note what the tag points at, and what points at it."""
        found = dict(attributes)
        self.ids |= {found[key] for key in ("id", "name") if found.get(key)}
        for key in ("href", "src"):
            if found.get(key) and found.get("rel") != "canonical":
                self.links.append(found[key])
        if tag == "img" and not (found.get("alt") or "").strip():
            self.nameless.append(found.get("src"))


def target_of(link, page, site):
    """The file on the site that a link names and the anchor in it, or None if it leaves."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc or link == "#":
        return None
    path = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if path.is_dir():
        path /= "index.html"
    return path, unquote(parts.fragment)


def problems_of(site):
    """One line for each broken link, anchor, or picture without a text."""
    site = Path(site).resolve()
    pages = {
        path: Page(path)
        for path in sorted(site.rglob("*.html"))
        if "_static" not in path.parts
    }
    if not pages:
        yield f"{site}: no pages"
    for path, page in pages.items():
        if path.name in NOT_READ:
            continue
        name = path.relative_to(site)
        for picture in page.nameless:
            yield f"{name}: no text beside {picture}"
        for link in dict.fromkeys(page.links):
            if (target := target_of(link, path, site)) is None:
                continue
            file, anchor = target
            if not file.is_file():
                yield f"{name}: no file for {link}"
            elif anchor and file in pages and anchor not in pages[file].ids:
                yield f"{name}: no anchor for {link}"
            if "/_images/" in link and "no_image" in link:
                yield f"{name}: a placeholder for a picture, {link}"


def main():
    """Print what is broken."""
    found = list(problems_of(sys.argv[1]))
    print("\n".join(found) if found else "No broken link.")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
