"""Sentence encoders of the BERT and MPNet families, computed from their weights, for making bid-static.

Nothing is fetched here: the weights come out of packages that fetch_teachers.py pins.  Runs on the CPU, in
bfloat16 where the machine multiplies that fast, else in float32.
"""
import json
import math
import os

import numpy as np
import torch
import torch.nn.functional as F
from tokenizers import BertWordPieceTokenizer


def fast_dtype():
    """bfloat16 where the processor has matrix instructions for it; it moves a vector by about 1e-5 in cosine."""
    flags = open("/proc/cpuinfo").read() if os.path.exists("/proc/cpuinfo") else ""
    return torch.bfloat16 if "amx_bf16" in flags or "avx512_bf16" in flags else torch.float32


class Encoder:
    """A sentence encoder: texts in, unit vectors out."""

    def __init__(self, folder, weights, pooling, max_tokens=256, dtype=None):
        """folder: config.json and vocab.txt; weights: {name: tensor}; pooling: "mean" or "cls"."""
        with open(os.path.join(folder, "config.json")) as f:
            self.config = json.load(f)
        self.mpnet = self.config["model_type"] == "mpnet"
        special = dict(unk_token="[UNK]", sep_token="</s>", cls_token="<s>", pad_token="<pad>") if self.mpnet else {}
        self.tokenizer = BertWordPieceTokenizer(os.path.join(folder, "vocab.txt"), lowercase=True, **special)
        self.tokenizer.enable_truncation(max_tokens)
        self.pooling = pooling
        self.dtype = dtype or fast_dtype()
        prefix = next((p for p in ("bert.", "mpnet.", "") if p + "embeddings.word_embeddings.weight" in weights), "")
        self.w = {k[len(prefix):]: v.to(self.dtype) for k, v in weights.items()
                  if k.startswith(prefix) and v.is_floating_point()}
        self.layers, self.heads = self.config["num_hidden_layers"], self.config["num_attention_heads"]
        self.width = self.config["hidden_size"]
        self.fuse()

    def fuse(self):
        """One matrix for the three projections of each layer."""
        names = ("attn.q", "attn.k", "attn.v") if self.mpnet else ("self.query", "self.key", "self.value")
        self.qkv = []
        for i in range(self.layers):
            at = f"encoder.layer.{i}.attention."
            self.qkv.append(tuple(torch.cat([self.w[f"{at}{n}.{p}"] for n in names]) for p in ("weight", "bias")))

    def linear(self, x, name):
        return F.linear(x, self.w[name + ".weight"], self.w[name + ".bias"])

    def norm(self, x, name):
        return F.layer_norm(x, (self.width,), self.w[name + ".weight"], self.w[name + ".bias"],
                            self.config["layer_norm_eps"])

    def embed_tokens(self, ids):
        n = ids.shape[1]
        x = F.embedding(ids, self.w["embeddings.word_embeddings.weight"])
        first = 2 if self.mpnet else 0  # MPNet's positions start behind its padding index
        x = x + self.w["embeddings.position_embeddings.weight"][first:first + n]
        if not self.mpnet:
            x = x + self.w["embeddings.token_type_embeddings.weight"][0]
        return self.norm(x, "embeddings.LayerNorm")

    def position_bias(self, n):
        """MPNet's (and T5's) bucketed relative positions: [heads, n, n]."""
        far = torch.arange(n)[:, None] - torch.arange(n)[None, :]
        half, exact = 16, 8
        bucket = (far < 0).long() * half
        far = far.abs()
        log = exact + (torch.log(far.float().clamp(min=1) / exact) / math.log(128 / exact) * (half - exact)).long()
        bucket = bucket + torch.where(far < exact, far, log.clamp(max=half - 1))
        return F.embedding(bucket, self.w["encoder.relative_attention_bias.weight"]).permute(2, 0, 1)

    def layer(self, x, i, bias):
        b, n, _ = x.shape
        at = f"encoder.layer.{i}."
        q, k, v = (t.view(b, n, self.heads, -1).transpose(1, 2)
                   for t in F.linear(x, *self.qkv[i]).chunk(3, dim=-1))
        a = F.scaled_dot_product_attention(q, k, v, attn_mask=bias).transpose(1, 2).reshape(b, n, -1)
        out, norm = ("attention.attn.o", "attention.LayerNorm") if self.mpnet else (
            "attention.output.dense", "attention.output.LayerNorm")
        x = self.norm(x + self.linear(a, at + out), at + norm)
        y = F.gelu(self.linear(x, at + "intermediate.dense"))
        return self.norm(x + self.linear(y, at + "output.dense"), at + "output.LayerNorm")

    @torch.inference_mode()
    def forward(self, ids, mask):
        """ids, mask [batch, n] -> last hidden states [batch, n, width]."""
        x = self.embed_tokens(ids)
        bias = torch.zeros(mask.shape, dtype=self.dtype).masked_fill_(~mask, -1e4)[:, None, None, :]
        if self.mpnet:
            bias = bias + self.position_bias(ids.shape[1])[None]
        for i in range(self.layers):
            x = self.layer(x, i, bias)
        return x

    def pool(self, x, mask):
        if self.pooling == "cls":
            return x[:, 0].float()
        m = mask[:, :, None].float()
        return (x.float() * m).sum(1) / m.sum(1)

    def encode_ids(self, lists, batch_tokens=8192, report=None):
        """Lists of ids with their special tokens -> float32 [count, width], unit length; sorted by length."""
        order = sorted(range(len(lists)), key=lambda i: -len(lists[i]))
        out = np.zeros((len(lists), self.width), np.float32)
        at = 0
        while at < len(order):
            n = len(lists[order[at]])
            part = order[at:at + max(1, batch_tokens // n)]
            ids = torch.zeros((len(part), n), dtype=torch.long)
            mask = torch.zeros((len(part), n), dtype=torch.bool)
            for row, i in enumerate(part):
                ids[row, :len(lists[i])] = torch.tensor(lists[i])
                mask[row, :len(lists[i])] = True
            out[part] = F.normalize(self.pool(self.forward(ids, mask), mask), dim=1).numpy()
            at += len(part)
            if report:
                report(at, len(order))
        return out

    def encode(self, texts, report=None):
        lists = [e.ids for e in self.tokenizer.encode_batch(list(texts))]
        return self.encode_ids(lists, report=report)


def open_encoder(folder, pooling="mean", max_tokens=256, dtype=None):
    from safetensors.torch import load_file
    safe = os.path.join(folder, "model.safetensors")
    if os.path.exists(safe):
        weights = load_file(safe)
    else:
        weights = torch.load(os.path.join(folder, "pytorch_model.bin"), map_location="cpu", weights_only=True)
    return Encoder(folder, weights, pooling, max_tokens, dtype)
