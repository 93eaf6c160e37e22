"""Pydantic models of BID's records, for pip install "bid[pydantic]":

    from bid.models import Bundle
    bundle = Bundle.model_validate(store.retrieve("supply chain risks", company="AAPL"))

Made by data/gen/pydantic_models.py from the schemas; not to be edited.
"""
from typing import Any, Dict, List, Literal, Optional, Union

from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import Annotated


class Entity(BaseModel):
    model_config = ConfigDict(extra="allow")
    id: str
    aliases: Optional[List[str]] = None


class Error(BaseModel):
    model_config = ConfigDict(extra="allow")
    category: Literal['unavailable', 'no-content', 'auth-failed', 'rate-limited', 'invalid-request', 'internal', 'connector-not-registered', 'no-collection', 'model-mismatch', 'stale']
    message: Annotated[str, Field(min_length=1)]
    stage: Annotated[str, Field(min_length=1)]
    source: Optional[str] = None
    sourceUrl: Optional[str] = None
    status: Optional[int] = None
    retryAfter: Optional[Annotated[Union[int, float], Field(ge=0)]] = None


class ErrorRecord(BaseModel):
    """A failure, on its way through the pipeline with the other records."""

    model_config = ConfigDict(extra="allow")
    job: Optional[Union[str, Union[int, float]]] = None
    entity: Optional[Union[str, Entity]] = None
    period: Optional[str] = None
    filingTypes: Optional[Union[str, List[str]]] = None
    query: Optional[str] = None
    error: Error
    metadata: Optional[Dict[str, Any]] = None


class HitAbove(BaseModel):
    model_config = ConfigDict(extra="allow")
    start: Annotated[int, Field(ge=0)]
    end: Annotated[int, Field(ge=0)]


class HitSpans(BaseModel):
    model_config = ConfigDict(extra="allow")
    start: Annotated[int, Field(ge=0)]
    end: Annotated[int, Field(ge=0)]
    chance: Annotated[Union[int, float], Field(ge=0, le=1)]
    above: Optional[List[HitAbove]] = None


class Hit(BaseModel):
    """A passage that answers a question, as bid-search writes it: a line each, or "matches" of a question's record or of a bundle."""

    model_config = ConfigDict(extra="allow")
    rank: Annotated[int, Field(ge=1)]
    id: Annotated[str, Field(pattern='^[0-9a-f]{32}$')]
    text: str
    context: str
    score: Union[int, float]
    store: Optional[str] = None
    newSince: Optional[str] = None
    collection: Annotated[str, Field(pattern='^[A-Za-z0-9.-]+_[A-Za-z0-9.-]+_[A-Za-z0-9.-]+_[A-Za-z0-9.-]+$')]
    company: Optional[str] = None
    form: Optional[str] = None
    filingDate: Optional[Annotated[str, Field(pattern='^\\d{4}-\\d\\d-\\d\\d$')]] = None
    item: Optional[str] = None
    page: Optional[Annotated[int, Field(ge=0)]] = None
    firstPage: Optional[Annotated[int, Field(ge=0)]] = None
    lastPage: Optional[Annotated[int, Field(ge=0)]] = None
    start: Optional[Annotated[int, Field(ge=0)]] = None
    end: Optional[Annotated[int, Field(ge=0)]] = None
    sourceUrl: str
    capturedAt: Optional[Annotated[str, Field(pattern='^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$')]] = None
    accessionNumber: Optional[str] = None
    ticker: Optional[str] = None
    cik: Optional[Annotated[str, Field(pattern='^\\d{10}$')]] = None
    reportDate: Optional[Annotated[str, Field(pattern='^\\d{4}-\\d\\d-\\d\\d$')]] = None
    fiscalYear: Optional[Annotated[str, Field(pattern='^\\d{4}$')]] = None
    heading: Optional[str] = None
    title: Optional[str] = None
    source: Optional[str] = None
    index: Optional[Annotated[int, Field(ge=0)]] = None
    scores: Optional[Dict[str, Any]] = None
    spans: Optional[List[HitSpans]] = None
    exact: Optional[bool] = None


class FactPart(BaseModel):
    model_config = ConfigDict(extra="allow")
    sign: Optional[Literal['+', '-', '*', '/']] = None
    concept: str
    start: Optional[Annotated[str, Field(pattern='^\\d{4}-\\d\\d-\\d\\d$')]] = None
    end: Annotated[str, Field(pattern='^\\d{4}-\\d\\d-\\d\\d$')]
    months: int
    value: Union[int, float]
    form: Optional[Annotated[str, Field(min_length=1)]] = None
    filingDate: Optional[Annotated[str, Field(pattern='^\\d{4}-\\d\\d-\\d\\d$')]] = None
    accessionNumber: Optional[Annotated[str, Field(pattern='^\\d{10}-\\d\\d-\\d{6}$')]] = None
    href: Optional[Annotated[str, Field(pattern='^https://')]] = None


class FactOther(BaseModel):
    model_config = ConfigDict(extra="allow")
    value: Union[int, float]
    form: Optional[Annotated[str, Field(min_length=1)]] = None
    filingDate: Optional[Annotated[str, Field(pattern='^\\d{4}-\\d\\d-\\d\\d$')]] = None
    accessionNumber: Optional[Annotated[str, Field(pattern='^\\d{10}-\\d\\d-\\d{6}$')]] = None
    href: Optional[Annotated[str, Field(pattern='^https://')]] = None


class Fact(BaseModel):
    """A figure that a company reported, or that was derived of such: a row of bid-facts, and of edgar.facts in a bundle."""

    model_config = ConfigDict(extra="allow")
    company: Optional[str] = None
    ticker: Optional[str] = None
    cik: Optional[Annotated[str, Field(pattern='^\\d{10}$')]] = None
    asked: Annotated[str, Field(min_length=1)]
    label: str
    taxonomy: Optional[str] = None
    concept: Optional[str] = None
    formula: Optional[str] = None
    unit: Annotated[str, Field(min_length=1)]
    start: Optional[Annotated[str, Field(pattern='^\\d{4}-\\d\\d-\\d\\d$')]] = None
    end: Annotated[str, Field(pattern='^\\d{4}-\\d\\d-\\d\\d$')]
    months: Annotated[int, Field(ge=0)]
    fiscalYear: Optional[int] = None
    fiscalPeriod: Optional[Literal['FY', 'Q1', 'Q2', 'Q3', 'Q4', 'H1', 'H2', '9M', 'TTM']] = None
    value: Union[int, float]
    kind: Literal['reported', 'derived']
    form: Optional[Annotated[str, Field(min_length=1)]] = None
    filingDate: Optional[Annotated[str, Field(pattern='^\\d{4}-\\d\\d-\\d\\d$')]] = None
    accessionNumber: Optional[Annotated[str, Field(pattern='^\\d{10}-\\d\\d-\\d{6}$')]] = None
    href: Optional[Annotated[str, Field(pattern='^https://')]] = None
    parts: Optional[List[FactPart]] = None
    before: Optional[FactOther] = None
    later: Optional[FactOther] = None
    splitFactor: Optional[Union[int, float]] = None
    source: Optional[str] = None
    sourceUrl: Optional[str] = None
    capturedAt: Optional[Annotated[str, Field(pattern='^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$')]] = None
    statement: Optional[Literal['income', 'balance', 'cash', 'key', 'segments']] = None
    segment: Optional[Annotated[str, Field(min_length=1)]] = None
    member: Optional[Annotated[str, Field(pattern='=')]] = None
    line: Optional[Annotated[int, Field(ge=1)]] = None
    labels: Optional[Literal['filing', 'standard']] = None
    presented: Optional[Union[int, float]] = None
    opening: Optional[Literal[True]] = None
    sumOf: Optional[Annotated[int, Field(ge=1)]] = None
    frame: Optional[Annotated[str, Field(pattern='^CY\\d{4}')]] = None


class PlannedCompany(BaseModel):
    model_config = ConfigDict(extra="forbid")
    cik: Annotated[str, Field(pattern='^\\d{10}$')]
    ticker: Optional[Annotated[str, Field(min_length=1)]] = None
    name: Optional[Annotated[str, Field(min_length=1)]] = None
    matched: Annotated[str, Field(min_length=1)]
    how: Literal['ticker', 'cik', 'name', 'alias', 'former', 'typo', 'given']
    sure: Annotated[Union[int, float], Field(ge=0)]
    partSince: Optional[Annotated[str, Field(pattern='^\\d{4}-\\d\\d-\\d\\d$')]] = None
    asked: Optional[Literal[True]] = None


class PlannedCandidate(BaseModel):
    model_config = ConfigDict(extra="forbid")
    cik: Annotated[str, Field(pattern='^\\d{10}$')]
    ticker: Optional[Annotated[str, Field(min_length=1)]] = None
    name: Optional[Annotated[str, Field(min_length=1)]] = None
    sure: Annotated[Union[int, float], Field(ge=0)]


class PlannedWindow(BaseModel):
    model_config = ConfigDict(extra="forbid")
    fiscalYear: Optional[Annotated[int, Field(ge=1900)]] = None
    endsMonth: Optional[Annotated[int, Field(ge=1, le=12)]] = None
    fiscalPeriod: Optional[Literal['Q1', 'Q2', 'Q3', 'Q4', 'H1', 'H2', '9M', 'FY']] = None
    ends: Optional[Annotated[str, Field(pattern='^\\d{4}-\\d\\d-\\d\\d$')]] = None
    from_: Optional[Annotated[str, Field(pattern='^\\d{4}-\\d\\d-\\d\\d$')]] = Field(None, alias='from')
    until: Optional[Annotated[str, Field(pattern='^\\d{4}-\\d\\d-\\d\\d$')]] = None
    by: Optional[Literal['filing']] = None
    latest: Optional[bool] = None
    count: Optional[Annotated[int, Field(ge=1)]] = None
    before: Optional[Annotated[int, Field(ge=1)]] = None


class PlannedFigure(BaseModel):
    model_config = ConfigDict(extra="forbid")
    figure: Optional[Annotated[str, Field(min_length=1)]] = None
    as_: Literal['value', 'growth', 'share', 'perShare', 'breakdown', 'other', 'unknown'] = Field(..., alias='as')
    words: Optional[Annotated[str, Field(min_length=1)]] = None
    parts: Optional[Annotated[List[str], Field(min_length=1)]] = None
    axis: Optional[Annotated[str, Field(min_length=1)]] = None


class PlannedPlan(BaseModel):
    model_config = ConfigDict(extra="forbid")
    companies: List[PlannedCompany]
    others: Optional[List[PlannedCompany]] = None
    candidates: Optional[List[PlannedCandidate]] = None
    doubtful: Optional[str] = None
    forms: List[Annotated[str, Field(min_length=1)]]
    remark: Optional[Annotated[str, Field(min_length=1)]] = None
    formsNamed: Optional[bool] = None
    items: Optional[List[Annotated[str, Field(pattern='^\\d\\.\\d\\d$')]]] = None
    disclosedIn: Optional[str] = None
    amendments: bool
    windows: List[PlannedWindow]
    asOf: Optional[str] = None
    since: Optional[Annotated[str, Field(pattern='^\\d{4}-\\d\\d-\\d\\d$')]] = None
    asks: Literal['figure', 'table', 'narrative', 'comparison', 'filings']
    untimed: Optional[str] = None
    figures: Optional[List[PlannedFigure]] = None
    span: Optional[Literal['quarter', 'toDate', 'quarters', 'trailing']] = None
    choice: Optional[Literal['firstAbove', 'firstBelow', 'years']] = None
    amount: Optional[Union[int, float]] = None
    currency: Optional[Annotated[str, Field(min_length=3)]] = None
    yearNamed: Optional[Literal[True]] = None
    screen: Optional[Annotated[str, Field(min_length=1)]] = None
    terms: Optional[Annotated[List[Annotated[str, Field(min_length=1)]], Field(min_length=1)]] = None
    notUnderstood: List[Annotated[str, Field(min_length=1)]]


class PlannedError(BaseModel):
    model_config = ConfigDict(extra="allow")
    category: Literal['invalid-request']
    message: Annotated[str, Field(min_length=1)]
    stage: Literal['plan']


class Planned(BaseModel):
    """What bid-plan writes: the job as it came, what was understood of it, and an error where it was refused; of a line that is no job, the error alone."""

    model_config = ConfigDict(extra="allow")
    plan: Optional[PlannedPlan] = None
    error: Optional[PlannedError] = None


class VerificationCitation(BaseModel):
    model_config = ConfigDict(extra="forbid")
    mark: int
    id: Optional[str] = None
    sourceUrl: Optional[str] = None
    stored: Literal['unchecked', 'proved', 'changed', 'absent']
    source: Optional[Literal['proved', 'changed', 'absent']] = None
    sha256: Optional[Annotated[str, Field(pattern='^[0-9a-f]{64}$')]] = None
    start: Optional[Annotated[int, Field(ge=0)]] = None
    end: Optional[Annotated[int, Field(ge=0)]] = None
    why: Optional[Annotated[str, Field(min_length=1)]] = None


class VerificationOf(BaseModel):
    model_config = ConfigDict(extra="allow")
    where: Literal['passage', 'fact']
    mark: Optional[int] = None
    label: str
    value: Union[int, float]
    scale: Optional[Union[int, float]] = None
    year: Optional[int] = None
    accessionNumber: Optional[str] = None


class VerificationEvidence(BaseModel):
    model_config = ConfigDict(extra="allow")
    where: Literal['passage', 'fact']
    mark: Optional[int] = None
    label: str
    value: Union[int, float]
    scale: Optional[Union[int, float]] = None
    year: Optional[int] = None
    accessionNumber: Optional[str] = None
    relation: Optional[Literal['change', 'share', 'difference', 'sum', 'average', 'quotient', 'product', 'rest', 'ratio']] = None
    of: Optional[Annotated[List[VerificationOf], Field(min_length=1)]] = None


class VerificationAgainst(BaseModel):
    model_config = ConfigDict(extra="allow")
    where: Literal['passage', 'fact']
    mark: Optional[int] = None
    label: str
    value: Union[int, float]
    scale: Optional[Union[int, float]] = None
    year: Optional[int] = None
    accessionNumber: Optional[str] = None


class VerificationNumber(BaseModel):
    model_config = ConfigDict(extra="forbid")
    text: Annotated[str, Field(min_length=1)]
    start: Annotated[int, Field(ge=0)]
    end: Annotated[int, Field(ge=0)]
    value: Union[int, float]
    percent: Optional[Literal[True]] = None
    verdict: Literal['found', 'contradicted', 'unsupported', 'unsure']
    how: Optional[Literal['same', 'rounded', 'scaled', 'computed', 'other year', 'other period', 'other sign', 'other line', 'other company', 'other value', 'other currency']] = None
    evidence: Optional[VerificationEvidence] = None
    against: Optional[VerificationAgainst] = None


class VerificationStatement(BaseModel):
    model_config = ConfigDict(extra="forbid")
    text: Annotated[str, Field(min_length=1)]
    start: Annotated[int, Field(ge=0)]
    end: Annotated[int, Field(ge=0)]
    verdict: Literal['found', 'unsupported', 'unsure']
    how: Optional[Literal['other name', 'other day', 'other quantity', 'negated', 'other sign']] = None
    mark: Optional[int] = None
    nearest: Optional[Annotated[str, Field(min_length=1)]] = None


class VerificationSummary(BaseModel):
    model_config = ConfigDict(extra="forbid")
    found: Annotated[int, Field(ge=0)]
    contradicted: Annotated[int, Field(ge=0)]
    unsupported: Annotated[int, Field(ge=0)]
    unsure: Annotated[int, Field(ge=0)]
    clean: bool


class Verification(BaseModel):
    """What bid-verify found of an answer: its citations, its numbers and its statements without numbers."""

    model_config = ConfigDict(extra="forbid")
    query: Optional[str] = None
    answer: Optional[str] = None
    citations: List[VerificationCitation]
    numbers: List[VerificationNumber]
    statements: List[VerificationStatement]
    summary: VerificationSummary


class BundleRag(BaseModel):
    model_config = ConfigDict(extra="allow")
    matches: List[Hit]
    context: str


class BundleCompany(BaseModel):
    model_config = ConfigDict(extra="allow")
    cik: Optional[str] = None
    ticker: Optional[str] = None
    name: Optional[str] = None


class BundleFilings(BaseModel):
    model_config = ConfigDict(extra="allow")
    form: str
    filingDate: Annotated[str, Field(pattern='^\\d{4}-\\d\\d-\\d\\d$')]
    accessionNumber: str
    href: str
    recent: bool
    ingested: bool


class BundleDisagreement(BaseModel):
    """A row of a table in a passage that has another value than the fact."""

    model_config = ConfigDict(extra="allow")
    rank: Annotated[int, Field(ge=1)]
    row: str
    printed: str


class BundleEdgar(BaseModel):
    model_config = ConfigDict(extra="allow")
    company: Union[BundleCompany, None]
    forms: List[str]
    filings: List[BundleFilings]
    attempt: Optional[Union[Dict[str, Any], None]] = None
    facts: Optional[List[Fact]] = None
    disagreements: Optional[List[BundleDisagreement]] = None


class Bundle(BaseModel):
    """The answer of bid-retrieve: the same four keys in every case."""

    model_config = ConfigDict(extra="forbid")
    id: Optional[Any] = None
    query: str
    rag: BundleRag
    edgar: Union[BundleEdgar, None]
    errors: List[Error]
