"""page_check.py FILE [TAG...]: checks a page that is meant to be passed on: open tags, anything that would load or run, links
to other than public sources, ids that are missing or occur twice, and missing TAGs.  Prints one fault per line."""
import html.parser
import sys

LINKS = ("#", "https://www.sec.gov/", "https://data.sec.gov/", "file:///", "https://reports.", "https://fred.stlouisfed.org/")
VOID = ("meta", "br")


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.seen, self.faults, self.ids, self.wanted = [], set(), [], set(), set()

    def handle_starttag(self, tag, attrs):
        a = dict(attrs)
        self.seen.add(tag)
        for name in a:
            if name in ("src", "srcset", "action", "background", "poster", "xlink:href") or name.startswith("on"):
                self.faults.append(f"<{tag}> has {name}")
        if tag in ("script", "link", "iframe", "object", "embed", "form", "foreignobject", "use", "image"):
            self.faults.append(f"<{tag}>")
        if tag == "style" and "style" in self.seen and "body" in self.seen:
            self.faults.append("<style> in the body")
        if tag == "a":
            if not a["href"].startswith(LINKS):
                self.faults.append(f"a link to {a['href']}")
            if a["href"].startswith("#"):
                self.wanted.add(a["href"][1:])
        if "aria-labelledby" in a:
            self.wanted.add(a["aria-labelledby"])
        if "id" in a:
            if a["id"] in self.ids:
                self.faults.append(f"two of id {a['id']}")
            self.ids.add(a["id"])
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> out of place, {self.getpos()}")


page = Page()
with open(sys.argv[1], encoding="utf-8") as file:
    text = file.read()
page.feed(text)
faults = page.faults + [f"<{tag}> left open" for tag in page.open]
faults += [f"#{name} is nowhere" for name in sorted(page.wanted - page.ids)]
faults += [f"no <{tag}>" for tag in ["h1", "main", *sys.argv[2:]] if tag not in page.seen]
faults += [f"no {part}" for part in ('<html lang="en">', "default-src 'none'", "prefers-color-scheme:dark", "@media print") if part not in text]
print("\n".join(faults), end="\n" if faults else "")
sys.exit(bool(faults))
