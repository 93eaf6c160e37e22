#!/usr/bin/env python3
"""How much of what a person sees in the documents of foreign_files.py a converter's text has.

usage: foreign_score.py DIR CONVERTER [-v] [NAME]...

CONVERTER is bid:PROGRAM, a bid-strip, whose records say what was left out, or a command that is called with a file and writes text.
-v lists what is missing; NAME: only documents whose names begin so.  A document is whole where every word, number, cell and heading is in the
text, in order, or counted as omitted, and nothing is that a person doesn't see.  Markdown, HTML tags, raised digits and notes are read in the
spelling of each tool.  Standard library only.
"""

import glob, html, json, os, re, subprocess, sys, unicodedata

D, conv = sys.argv[1], sys.argv[2]
V = "-v" in sys.argv
only = [a for a in sys.argv[3:] if a != "-v"]
SUP = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-"))


def norm(t):
    t = re.sub(r"^---\ntitle.*?\n---\n", "", t, flags=re.S)
    t = re.sub(r"<sup>(.*?)</sup>", r"^\1", t, flags=re.S)
    t = re.sub(r"<(del|s|strike)>(.*?)</\1>", r"~~\2~~", t, flags=re.S)
    t = re.sub(r"<sub>(.*?)</sub>", r"\1", t, flags=re.S)
    t = re.sub(r"<!--.*?-->", " ", t, flags=re.S)
    t = re.sub(r"</?(br|p|td|th|tr|table|thead|tbody|tfoot|div|li|ul|ol|h\d|hr|col|colgroup)\b[^>]*>", " ", t)
    t = re.sub(
        r"</?(span|u|strong|em|a|mark|img|caption|figure|figcaption|blockquote|q|kbd|bdi|ruby|rt|rp|section|aside|label|input|form|textarea|select|option|details|summary|svg|text|title|time|b|i)\b[^>]*>",
        "",
        t,
    )
    t = html.unescape(t)
    t = re.sub(r"!?\[([^\[\]]*)\]\((?:[^()]|\([^)]*\))*\)", r"\1", t)
    t = re.sub(r"\\d?frac\{([^{}]*)\}\{([^{}]*)\}", r"\1/\2", t)
    t = re.sub(r"\^\{([^{}]*)\}", r"^\1", t)
    t = re.sub(r"_\{([^{}]*)\}", r"_\1", t)
    t = re.sub(r"\$`(.*?)`\$", r"\1", t)
    t = re.sub(r"\$\$(.*?)\$\$", r"\1", t)
    t = re.sub(r"(?<![\d$])\$([^\s$\d][^$\n]*|\d[^$\n]{0,12})\$(?!\d)", r"\1", t)
    t = re.sub(r"(?<=[\w.,)])\[(e?\d{1,2}|[a-z])\]", " ", t)
    t = re.sub(r"(?<=\d)\^[a-z]\b", "", t)
    t = re.sub(r"~~(.+?)~~", r" ~~\1~~ ", t)
    mon = "jan feb mar apr may jun jul aug sep oct nov dec".split()
    t = re.sub(r"\b(\d{1,2})-([A-Za-z]{3})-(\d\d)\b", lambda m: f"20{m[3]}-{mon.index(m[2].lower())+1:02}-{int(m[1]):02}", t)
    t = re.sub(r"\b6/19/2024|19/6/2024|19\.06\.2024\b", "2024-06-19", t)
    t = t.replace("\\|", "\x01").replace("\\*", "\x02")
    t = re.sub(r"\\([^\w\s])", r"\1", t)
    t = re.sub(r"\[\^[\w-]+\]:?", " ", t)
    t = re.sub(r"\^([^\s^|]+)\^", r"^\1", t)
    t = re.sub(r"([⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+)", lambda m: "^" + "".join(SUP[c] for c in m[1]), t)
    for v, w in (
        ("½", " 1/2"),
        ("⅜", " 3/8"),
        ("−", "-"),
        ("‑", "-"),
        ("\xa0", " "),
        ("“", '"'),
        ("”", '"'),
        ("’", "'"),
        ("[x]", "☒"),
        ("[X]", "☒"),
        ("☑", "☒"),
        ("✓", "☒"),
        ("[ ]", "☐"),
        ("\u200b", ""),
    ):
        t = t.replace(v, w)
    t = re.sub(r"\*\*(.+?)\*\*", r"\1", t)
    t = re.sub(r"(?<![\w*])\*([^*\n]+)\*(?![\w*])", r"\1", t)
    t = re.sub(r"(?<!~)~([^~\s]+)~(?!~)", r"\1", t)
    return t


def line_tokens(l):
    l = l.replace("|", " ").replace("`", "").replace("\x01", "|").replace("\x02", "*")
    out = []
    for w in l.split():
        w = re.sub(r"^(\d{1,2})[.)]$", r"\1", w)
        if w in ("-", "+", "*", ">", ">>") and not out or re.fullmatch(r"[:=]*-{3,}:?|={3,}|#+", w):
            continue
        out.append(w.casefold())
    return out


def toks(t):
    return [w for l in norm(t).split("\n") for w in line_tokens(l)]


def wtoks(t):
    return toks(re.sub(r"(?<=\S)\|(?=\S)", "\\\\|", t).replace(" | ", " \\| "))


def has(hay, need):
    n = len(need)
    return n == 0 or any(hay[i : i + n] == need for i in range(len(hay) - n + 1))


def loose(hay, need):  # contiguous, edges may touch other text
    return " ".join(need) in " ".join(hay)


def lcs(a, b):
    prev = [[0] * (len(b) + 1)]
    for x in a:
        p = prev[-1]
        q = [0]
        for j, y in enumerate(b):
            q.append(p[j] + 1 if x == y else max(p[j + 1], q[j]))
        prev.append(q)
    i, j, miss = len(a), len(b), []
    while i:
        if j and a[i - 1] == b[j - 1] and prev[i][j] == prev[i - 1][j - 1] + 1:
            i -= 1
            j -= 1
        elif j and prev[i][j] == prev[i][j - 1]:
            j -= 1
        else:
            i -= 1
            miss.append(i)
    return prev[-1][-1], miss[::-1]


def row_in(lines, cells):
    want = ["".join(line_tokens(norm(c))) for c in cells]
    for l in lines:
        s = re.sub(r"[$%|\s]", "", l).casefold()
        p = 0
        for w in want:
            k = s.find(w.replace("$", ""), p)
            if k < 0:
                break
            p = k + len(w)
        else:
            return True
    return False


def convert(f):
    if conv.startswith("bid:"):
        p = subprocess.run([conv[4:], "-q", "-r", f], capture_output=True, text=True, timeout=120)
        t, o = [], {}
        for l in p.stdout.splitlines():
            d = json.loads(l)
            m = d.get("metadata") or {}
            t.append((m.get("subject") or "") + "\n" + d.get("text", ""))
            o.update(m.get("omitted") or {})
            o.update({k: v for k, v in m.items() if k in ("pagesWithoutText",)})
        return "\n\n".join(t), o
    p = subprocess.run(conv.split() + [f], capture_output=True, text=True, timeout=300)
    return p.stdout, None


def main():
    whole = files = tot = got = 0
    kinds = {}
    for f in sorted(glob.glob(D + "/*.json")):
        doc = f[:-5]
        name = os.path.basename(doc)
        if only and not any(name.startswith(o) for o in only):
            continue
        text, omitted = convert(doc)
        T, lines = toks(text), norm(text).split("\n")
        seq, bad, n, ok = [], [], 0, 0
        heads = []
        for c in json.load(open(f)):
            if isinstance(c, str):
                seq += wtoks(c)
            elif "head" in c:
                seq += toks(c["head"])
                heads.append(c["head"])
            elif "row" in c:
                n += len(c["row"])
                r = row_in(lines, c["row"])
                ok += len(c["row"]) * r
                if not r:
                    bad.append(f"row {c['row']}")
            elif "any" in c:
                w = toks(c["any"])
                n += len(w)
                r = loose(T, w)
                ok += len(w) * r
                if not r:
                    bad.append(f"lost {c['any']!r}")
            elif "once" in c:
                n += 1
                r = " ".join(T).count(" ".join(toks(c["once"]))) == 1
                ok += r
                if not r:
                    bad.append(f"not once {c['once']!r}")
            elif "no" in c:
                n += 1
                r = not (" " + " ".join(toks(c["no"])) + " ") in " " + re.sub(r"[.,]( |$)", " ", " ".join(T)) + " "
                ok += r
                if not r:
                    bad.append(f"seen {c['no']!r}")
            elif "omit" in c:
                alts = c["omit"] if isinstance(c["omit"], list) else [c["omit"]]
                w = toks(alts[0])
                n += len(w)
                r = any(loose(T, toks(a)) for a in alts) or bool(omitted)
                ok += len(w) * r
                if not r:
                    bad.append(f"neither seen nor counted {c['omit']!r}")
            elif c.get("counted") is True and omitted is not None:
                n += 1
                r = bool(omitted)
                ok += r
                if not r:
                    bad.append("not counted")
        k, miss = lcs(seq, T)
        n += len(seq)
        ok += k
        if miss:
            bad.append("lost in order: " + " ".join(seq[i] for i in miss[:14]) + (f" … {len(miss)}" if len(miss) > 14 else ""))
        for h in heads:
            n += 1
            w = " ".join(toks(h)).casefold()
            r = any(l.lstrip().startswith("#") and w in " ".join(line_tokens(l)) for l in lines)
            ok += r
            if not r:
                bad.append(f"no heading {h!r}")
        files += 1
        whole += not bad
        tot += n
        got += ok
        e = kinds.setdefault(name.rsplit(".", 1)[1].replace("html", "htm"), [0, 0, 0, 0])
        e[0] += not bad
        e[1] += 1
        e[2] += ok
        e[3] += n
        if V and bad:
            print(f"{name}: {ok}/{n}")
            [print("   ", b) for b in bad]
    print(
        conv,
        f"whole {whole} of {files}, {got} of {tot} ({100*got/tot:.1f} %)",
        {k: f"{v[0]}/{v[1]} {100*v[2]/v[3]:.1f}%" for k, v in kinds.items()},
    )


if __name__ == "__main__":
    main()
