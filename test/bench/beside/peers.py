#!/usr/bin/env python3
"""One run of one peer: peers.py STAGE PEER ARGUMENT...

Stages and their arguments:
  strip PEER FILE...                         HTML to text
  chunk PEER DOCUMENTS VOCABULARY            the documents' text to passages of about 256 tokens
  embed PEER PASSAGES MODELS                 passages to vectors
  words PEER PASSAGES QUESTIONS              an index of words built, then asked
  vectors PEER EMBEDDED QUESTIONS            an index of vectors built, then asked
  whole PEER FOLDER QUESTIONS MODELS ANSWERS HTML files to answers, written to ANSWERS as NDJSON

Prints one JSON object: setup (CPU seconds until the work began: imports and the model), units (what was worked on: bytes,
passages or documents), and for indexes build and ask (CPU seconds), questions, recall.  Everything on one thread where
the peer allows it.  MODELS is the folder that run.py makes: model2vec/ (bid-static's rows) and onnx/ (all-MiniLM-L6-v2, bge-small-en-v1.5).
"""
import base64
import json
import os
import re
import sys
import tempfile
import time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS", "LANCE_CPU_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")
os.environ.update(TOKENIZERS_PARALLELISM="false", ANONYMIZED_TELEMETRY="False", HF_HUB_OFFLINE="1")

K = 10
TOKENS = 256
CHARACTERS = 1000  # of a passage, where a splitter counts characters: about 256 tokens of a filing
STATE = {}


def ready():
    """The imports are done and the model is loaded: the work begins."""
    STATE["setup"] = time.process_time()


def done(**values):
    print(json.dumps({"setup": round(STATE["setup"], 3), **values}), flush=True)


def ndjson(path):
    with open(path, encoding="utf-8") as f:
        return [json.loads(line) for line in f if line.strip()]


def read(path):
    with open(path, encoding="utf-8", errors="replace") as f:
        return f.read()


# ---- strip ----

def reader_of(peer):
    """The peer's function from HTML to text."""
    if peer == "beautifulsoup4":
        import bs4
        return lambda html: bs4.BeautifulSoup(html, "html.parser").get_text(" ")
    if peer == "beautifulsoup4+lxml":
        import bs4
        return lambda html: bs4.BeautifulSoup(html.encode(), "lxml").get_text(" ")
    if peer == "lxml":
        import lxml.html
        return lambda html: lxml.html.fromstring(html.encode()).text_content()
    if peer == "selectolax":
        from selectolax.lexbor import LexborHTMLParser
        return lambda html: LexborHTMLParser(html).text(separator=" ")
    if peer == "html2text":
        import html2text
        return html2text.html2text
    if peer == "inscriptis":
        import inscriptis
        return lambda html: inscriptis.get_text(re.sub(r"^\s*<\?xml[^>]*>", "", html))
    if peer == "edgartools":
        from edgar.documents import parse_html
        return lambda html: parse_html(html).text()
    if peer == "docling":
        return docling_reader()
    raise SystemExit("no such reader: " + peer)


def docling_reader():
    """Docling's converter, whose HTML reader needs no model; to Markdown, as its quickstart does."""
    import io

    from docling.datamodel.base_models import DocumentStream, InputFormat
    from docling.document_converter import DocumentConverter
    converter = DocumentConverter(allowed_formats=[InputFormat.HTML])
    return lambda html: converter.convert(DocumentStream(name="filing.html", stream=io.BytesIO(html.encode()))).document.export_to_markdown()


def strip(peer, *files):
    sys.setrecursionlimit(100000)
    to_text = reader_of(peer)
    to_text("<html><body><p>warm</p></body></html>")
    ready()
    size = 0
    for path in files:
        html = read(path)
        size += len(html.encode())
        to_text(html)
    done(units=size)


# ---- chunk ----

def splitter_of(peer, vocabulary):
    """The peer's function from a text to its passages."""
    def tokenizer():
        from tokenizers import BertWordPieceTokenizer
        return BertWordPieceTokenizer(vocabulary, lowercase=True)
    if peer == "langchain-text-splitters":
        from langchain_text_splitters import RecursiveCharacterTextSplitter
        return RecursiveCharacterTextSplitter(chunk_size=CHARACTERS, chunk_overlap=0).split_text
    if peer == "semchunk":
        import semchunk
        words = tokenizer()
        return semchunk.chunkerify(lambda text: len(words.encode(text, add_special_tokens=False).ids), TOKENS)
    if peer == "chonkie":
        from chonkie import RecursiveChunker
        chunker = RecursiveChunker(tokenizer="character", chunk_size=CHARACTERS)
        return lambda text: [c.text for c in chunker.chunk(text)]
    if peer == "semantic-text-splitter":
        from semantic_text_splitter import TextSplitter
        return TextSplitter.from_huggingface_tokenizer(tokenizer()._tokenizer, TOKENS).chunks
    raise SystemExit("no such splitter: " + peer)


def chunk(peer, documents, vocabulary):
    split = splitter_of(peer, vocabulary)
    split("One sentence. Another one.")
    texts = [d["text"] for d in ndjson(documents)]
    ready()
    passages = sum(len(split(text)) for text in texts)
    done(units=sum(len(t.encode()) for t in texts), passages=passages)


# ---- embed ----

def minilm(models):
    """Chroma's own embedding function, its model read from MODELS instead of downloaded."""
    import pathlib

    from chromadb.utils.embedding_functions import ONNXMiniLM_L6_V2

    class Local(ONNXMiniLM_L6_V2):
        DOWNLOAD_PATH = pathlib.Path(models)

        def _download_model_if_not_exists(self):
            pass

    made = Local(preferred_providers=["CPUExecutionProvider"])
    made(["warm"])
    return made


def bge_small(models):
    """bge-small as its model card says: the first token's vector, normalised; 512 tokens at most, 16 texts at a time."""
    import numpy as np
    import onnxruntime
    from tokenizers import Tokenizer
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(os.path.join(models, "onnx", "bge-small.onnx"), options, providers=["CPUExecutionProvider"])
    tokenizer = Tokenizer.from_file(os.path.join(models, "onnx", "bge-small-tokenizer.json"))
    tokenizer.enable_truncation(512)
    tokenizer.enable_padding()

    def encode(texts):
        made = []
        for at in range(0, len(texts), 16):
            read = tokenizer.encode_batch(texts[at:at + 16])
            given = {"input_ids": [r.ids for r in read], "attention_mask": [r.attention_mask for r in read], "token_type_ids": [r.type_ids for r in read]}
            first = session.run(None, {k: np.array(v, np.int64) for k, v in given.items()})[0][:, 0]
            made.append(first / np.linalg.norm(first, axis=1, keepdims=True))
        return np.concatenate(made)

    encode(["warm"])
    return encode


def encoder_of(peer, models):
    """The peer's function from texts to vectors."""
    if peer == "model2vec":
        from model2vec import StaticModel
        model = StaticModel.from_pretrained(os.path.join(models, "model2vec"))
        return lambda texts: model.encode(texts, max_length=None, use_multiprocessing=False)
    if peer == "onnxruntime MiniLM":
        return minilm(models)
    if peer == "onnxruntime bge-small":
        return bge_small(models)
    raise SystemExit("no such encoder: " + peer)


def embed(peer, passages, models):
    encode = encoder_of(peer, models)
    texts = [p["text"] for p in ndjson(passages)]
    ready()
    encode(texts)
    done(units=len(texts))


# ---- indexes of words ----

def plain_words(question):
    return re.findall(r"[A-Za-z0-9]+", question)


def fts5(texts):
    import apsw
    db = apsw.Connection(os.path.join(tempfile.mkdtemp(), "db"))
    db.execute("create virtual table t using fts5(text, tokenize='porter unicode61')")
    ready()
    with db:
        db.executemany("insert into t(text) values (?)", ((t,) for t in texts))
    sql = "select rowid from t where t match ? order by rank limit %d" % K
    return lambda q: list(db.execute(sql, (" OR ".join('"%s"' % w for w in plain_words(q)),)))


def tantivy_words(texts):
    import tantivy
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text", stored=True, tokenizer_name="en_stem")
    index = tantivy.Index(builder.build(), path=tempfile.mkdtemp())
    ready()
    writer = index.writer(heap_size=100_000_000, num_threads=1)
    for t in texts:
        writer.add_document(tantivy.Document(text=t))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()
    return lambda q: searcher.search(index.parse_query(" ".join(plain_words(q)), ["text"]), K).hits


def xapian_words(texts):
    """Debian's python3-xapian, with its term generator and its query parser; every word of a question is optional."""
    sys.path.append("/usr/lib/python3/dist-packages")
    import xapian
    db = xapian.WritableDatabase(os.path.join(tempfile.mkdtemp(), "db"), xapian.DB_CREATE_OR_OPEN)
    words_of, parser = xapian.TermGenerator(), xapian.QueryParser()
    words_of.set_stemmer(xapian.Stem("english"))
    parser.set_stemmer(xapian.Stem("english"))
    parser.set_stemming_strategy(xapian.QueryParser.STEM_SOME)
    ready()
    for t in texts:
        document = xapian.Document()
        words_of.set_document(document)
        words_of.index_text(t)
        document.set_data(t)
        db.add_document(document)
    db.commit()
    enquire = xapian.Enquire(db)

    def ask(question):
        enquire.set_query(parser.parse_query(" ".join(plain_words(question))))
        return [m.docid for m in enquire.get_mset(0, K)]

    return ask


def words(peer, passages, questions):
    texts = [p["text"] for p in ndjson(passages)]
    asked = [q["question"] for q in ndjson(questions)]
    ask = {"sqlite fts5": fts5, "tantivy": tantivy_words, "xapian": xapian_words}[peer](texts)
    built = time.process_time()
    for q in asked:
        ask(q)
    done(units=len(texts), build=built - STATE["setup"], ask=time.process_time() - built, questions=len(asked))


# ---- indexes of vectors ----

def embeddings(path):
    import numpy as np
    return np.stack([np.frombuffer(base64.b64decode(r["embedding"]), "<f4") for r in ndjson(path)])


def chroma_vectors(x):
    import chromadb
    client = chromadb.PersistentClient(tempfile.mkdtemp(), chromadb.Settings(anonymized_telemetry=False))
    made = client.create_collection("passages", configuration={"hnsw": {"space": "ip"}})
    ready()
    for i in range(0, len(x), 5000):
        part = x[i:i + 5000]
        made.add(ids=[str(i + k) for k in range(len(part))], embeddings=part)
    return lambda q: made.query(query_embeddings=[q], n_results=K, include=[])["ids"][0]


def lance_vectors(x):
    import lancedb
    import numpy as np
    import pyarrow as pa
    rows = pa.table({"id": np.arange(len(x)), "vector": pa.FixedSizeListArray.from_arrays(pa.array(x.ravel()), x.shape[1])})
    ready()
    table = lancedb.connect(tempfile.mkdtemp()).create_table("t", rows)
    return lambda q: table.search(q).distance_type("dot").limit(K).to_arrow()["id"].to_pylist()


def sqlite_vectors(x):
    import apsw
    import sqlite_vec
    db = apsw.Connection(os.path.join(tempfile.mkdtemp(), "db"))
    db.enable_load_extension(True)
    db.load_extension(sqlite_vec.loadable_path())
    db.execute("create virtual table t using vec0(e float[%d] distance_metric=cosine)" % x.shape[1])
    ready()
    with db:
        db.executemany("insert into t(rowid, e) values (?, ?)", ((i, r.tobytes()) for i, r in enumerate(x)))
    sql = "select rowid from t where e match ? and k = %d order by distance" % K
    return lambda q: [r[0] for r in db.execute(sql, (q.tobytes(),))]


def hnsw_vectors(x):
    import hnswlib
    index = hnswlib.Index(space="ip", dim=x.shape[1])
    index.init_index(len(x), ef_construction=200, M=16)
    index.set_num_threads(1)
    ready()
    index.add_items(x)
    index.set_ef(100)
    return lambda q: index.knn_query(q, K)[0][0]


def usearch_vectors(x):
    import numpy as np
    from usearch.index import Index
    index = Index(ndim=x.shape[1], metric="ip", dtype="f32")
    ready()
    index.add(np.arange(len(x)), x, threads=1)
    return lambda q: index.search(q, K).keys


def faiss_vectors(x):
    import faiss
    faiss.omp_set_num_threads(1)
    index = faiss.IndexFlatIP(x.shape[1])
    ready()
    index.add(x)
    return lambda q: index.search(q[None, :], K)[1][0]


VECTORS = {"chromadb": chroma_vectors, "lancedb": lance_vectors, "sqlite-vec": sqlite_vectors, "hnswlib": hnsw_vectors,
           "usearch": usearch_vectors, "faiss-cpu flat": faiss_vectors}


def vectors(peer, embedded, questions):
    import numpy as np
    x, asked = embeddings(embedded), embeddings(questions)
    exact = [set(np.argpartition(-(x @ q), K)[:K].tolist()) for q in asked]
    ask = VECTORS[peer](x)
    built, same = time.process_time(), 0
    for q, true in zip(asked, exact):
        same += len({int(i) for i in ask(q)} & true)
    done(units=len(x), build=built - STATE["setup"], ask=time.process_time() - built, questions=len(asked),
         recall=round(same / (K * len(asked)), 4))


# ---- the whole way ----

def whole_langchain(reader, encode):
    """BeautifulSoup or edgartools, LangChain's splitter, Chroma."""
    from langchain_chroma import Chroma
    from langchain_core.documents import Document
    from langchain_core.embeddings import Embeddings
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    class Wrapped(Embeddings):
        def embed_documents(self, texts):
            return [[float(v) for v in row] for row in encode(texts)]

        def embed_query(self, text):
            return self.embed_documents([text])[0]

    splitter = RecursiveCharacterTextSplitter(chunk_size=CHARACTERS, chunk_overlap=100)
    base = Chroma("filings", Wrapped(), persist_directory=tempfile.mkdtemp(), collection_configuration={"hnsw": {"space": "cosine"}})
    to_text = reader_of(reader)

    def add(name, html):
        parts = splitter.split_documents([Document(to_text(html), metadata={"file": name})])
        for at in range(0, len(parts), 5000):
            base.add_documents(parts[at:at + 5000])

    return add, lambda q: [(d.metadata["file"], d.page_content) for d in base.similarity_search(q, 5)]


def whole_llama(encode):
    """BeautifulSoup, LlamaIndex's IngestionPipeline and vector index."""
    from llama_index.core import Document, Settings, VectorStoreIndex
    from llama_index.core.base.embeddings.base import BaseEmbedding
    from llama_index.core.ingestion import IngestionPipeline
    from llama_index.core.llms.mock import MockLLM
    from llama_index.core.node_parser import SentenceSplitter

    class Wrapped(BaseEmbedding):
        def _get_text_embedding(self, text):
            return [float(v) for v in encode([text])[0]]

        def _get_text_embeddings(self, texts):
            return [[float(v) for v in row] for row in encode(texts)]

        def _get_query_embedding(self, query):
            return self._get_text_embedding(query)

        async def _aget_query_embedding(self, query):
            return self._get_query_embedding(query)

    model = Wrapped(embed_batch_size=1000)
    Settings.llm = MockLLM()
    pipeline = IngestionPipeline(transformations=[SentenceSplitter(chunk_size=TOKENS, chunk_overlap=20), model])
    to_text, nodes, made = reader_of("beautifulsoup4"), [], []

    def add(name, html):
        nodes.extend(pipeline.run(documents=[Document(text=to_text(html), metadata={"file": name},
                                                      excluded_embed_metadata_keys=["file"])]))

    def ask(question):
        if not made:
            made.append(VectorStoreIndex(nodes, embed_model=model).as_retriever(similarity_top_k=5))
        return [(n.node.metadata["file"], n.node.text) for n in made[0].retrieve(question)]

    return add, ask


def whole_txtai(encode):
    """BeautifulSoup, LangChain's splitter, txtai with words and vectors (its hybrid index)."""
    from langchain_text_splitters import RecursiveCharacterTextSplitter
    from txtai import Embeddings
    import numpy as np
    base = Embeddings(method="external", transform=lambda texts: np.asarray(encode(list(texts)), np.float32), content=True,
                      hybrid=True)
    splitter = RecursiveCharacterTextSplitter(chunk_size=CHARACTERS, chunk_overlap=100)
    to_text, rows = reader_of("beautifulsoup4"), []

    def add(name, html):
        rows.extend((name, part) for part in splitter.split_text(to_text(html)))

    def ask(question):
        if not STATE.get("indexed"):
            base.index((i, text, None) for i, (_, text) in enumerate(rows))
            STATE["indexed"] = True
        return [rows[int(r["id"])] for r in base.search(question, 5)]

    return add, ask


def whole(peer, folder, questions, models, answers):
    sys.setrecursionlimit(100000)
    stack, _, model = peer.rpartition(" + ")
    encode = encoder_of({"static": "model2vec", "MiniLM": "onnxruntime MiniLM"}[model], models)
    if stack == "LlamaIndex":
        add, ask = whole_llama(encode)
    elif stack == "txtai":
        add, ask = whole_txtai(encode)
    else:
        add, ask = whole_langchain("edgartools" if stack.startswith("edgartools") else "beautifulsoup4", encode)
    asked = ndjson(questions)
    ready()
    files = sorted(os.listdir(folder))
    for name in files:
        add(name, read(os.path.join(folder, name)))
    ask(asked[0]["question"])
    built = time.process_time()
    with open(answers, "w", encoding="utf-8") as out:
        for q in asked:
            found = [{"file": name, "text": text} for name, text in ask(q["question"])]
            out.write(json.dumps({"id": q["id"], "matches": found}) + "\n")
    done(units=len(files), build=built - STATE["setup"], ask=time.process_time() - built, questions=len(asked))


{"strip": strip, "chunk": chunk, "embed": embed, "words": words, "vectors": vectors, "whole": whole}[sys.argv[1]](*sys.argv[2:])
