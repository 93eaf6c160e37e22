"""BID from Python: passages and figures of financial filings.

    import bid
    store = bid.Store()
    for hit in store.search("supply chain risks", companies=["AAPL"]):
        print(hit["sourceUrl"], hit["text"])
    store.facts("AAPL", "net income").frame()

The programs of BID do the work; bid.langchain and bid.llama_index wrap a store as a retriever.
"""
from .store import BidError, Rows, Store, find_version

__version__ = find_version()
__all__ = ["BidError", "Rows", "Store"]
