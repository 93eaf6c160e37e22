"""A store as a retriever of LangChain (pip install langchain-core)."""
from typing import Any, List, Optional

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import Field

from .store import Store


class BidRetriever(BaseRetriever):
    """Passages of a store as documents; what is known of each (sourceUrl, form, score, ...) is its metadata."""

    store: Any = Field(default_factory=Store)
    k: int = 5
    companies: Optional[List[str]] = None
    forms: Optional[List[str]] = None
    since: Optional[str] = None
    new: bool = False

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> List[Document]:
        hits = self.store.search(query, limit=self.k, companies=self.companies, forms=self.forms, since=self.since,
                                 new=self.new)
        return [Document(id=h["id"], page_content=h["text"], metadata={k: v for k, v in h.items() if k not in ("text", "scores")})
                for h in hits]
