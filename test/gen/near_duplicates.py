#!/usr/bin/env python3
"""Pairs of letters that differ in one number, name, sign, "not", currency or period, and letters of twelve months.

usage: near_duplicates.py DOCUMENTS QUESTIONS       writes records for bid-chunk, and questions with the URL of the letter asked for
"""
import json
import sys

SUBJECTS = ["the harbour crane", "the turbine hall", "the dairy plant", "the ferry line", "the copper smelter", "the seed nursery",
            "the glass furnace", "the river barge", "the tannery", "the optical workshop"]
MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"]
TEXT = ("Dear shareholders, this letter tells of {subject} of Ostvik Holdings and of nothing else. {said} The board has read the report of the "
        "engineers on {subject} and thanks all who work there. Visitors are asked to call the office before they come. "
        "Questions on {subject} are answered by the secretary of the company, who keeps the minutes and sends copies to whoever asks.")
# what differs: the sentence, its two words, and the question
KINDS = {
    "number": ("Its insured value is {} thousand crowns.", ("4,310", "4,370"), "insured value of {} thousand crowns for {subject}"),
    "name": ("Its lease is held by {}.", ("Norrbery Lines", "Halden Lines"), "{subject}: lease held by {}"),
    "sign": ("It closed the year with a {} of 812 thousand crowns.", ("profit", "loss"), "{subject}: {} of the year"),
    "not": ("Its operator must {}be changed before the end of the lease.", ("", "not "), "Must {}the operator of {subject} be changed before the end of the lease?"),
    "currency": ("Its loan is {} 950,000.", ("USD", "EUR"), "{subject}: loan of {} 950,000"),
    "period": ("It was closed for repair during the {} quarter.", ("second", "third"), "{subject}: repair in the {} quarter"),
}


def main():
    documents, questions = (open(name, "w", encoding="utf-8") for name in sys.argv[1:3])
    count = 0

    def letter(subject, said):
        nonlocal count
        count += 1
        url = f"https://example.org/letter-{count}"
        filed = f"2025-{(count - 1) % 12 + 1:02}-{(count - 1) % 28 + 1:02}"
        json.dump({"source": "test", "sourceUrl": url, "capturedAt": "2026-01-01T00:00:00Z", "contentType": "text/plain", "sha256": "0" * 64,
                   "text": TEXT.format(subject=subject, said=said) + "\n", "outline": [], "breaks": [],
                   "metadata": {"company": "Ostvik Holdings", "form": "LETTER", "filingDate": filed}}, documents)
        documents.write("\n")
        return url

    def question(url, text):
        questions.write(json.dumps({"query": text, "url": url, "n": 3}) + "\n")
    for kind, (said, words, asked) in KINDS.items():
        for subject in SUBJECTS:
            urls = [letter(subject, said.format(word)) for word in words]
            for url, word in zip(urls, words):
                question(url, asked.format(word, subject=subject))
    letters = [(month, letter("the weather station", f"In {month} it counted {1000 + 7 * i} hours of wind.")) for i, month in enumerate(MONTHS)]
    for month, url in letters:
        question(url, f"hours of wind at the weather station in {month}")


main()
