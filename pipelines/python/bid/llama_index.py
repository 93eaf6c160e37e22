"""A store as a retriever of LlamaIndex (pip install llama-index-core)."""
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from .store import Store


class BidRetriever(BaseRetriever):
    """Passages of a store as nodes with their scores."""

    def __init__(self, store=None, k=5, companies=None, forms=None, since=None, new=False, **kept):
        super().__init__(**kept)
        self.store, self.k = store or Store(), k
        self.companies, self.forms, self.since, self.new = companies, forms, since, new

    def _retrieve(self, query_bundle: QueryBundle):
        hits = self.store.search(query_bundle.query_str, limit=self.k, companies=self.companies, forms=self.forms, since=self.since,
                                 new=self.new)
        return [NodeWithScore(node=TextNode(id_=h["id"], text=h["text"],
                                            metadata={k: v for k, v in h.items() if k not in ("text", "scores")}),
                              score=h["score"]) for h in hits]
