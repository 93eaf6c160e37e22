#!/usr/bin/env python3
"""Ask for the facts that inline XBRL marks in the filings of filings.tsv, in an analyst's words.

Used by pages.py.  Standard library only.  Each ix:nonFraction is marked before the document goes through bid-strip, so
that the page on which each fact is printed is known.  A question that names a statement has the statement's page as its
gold, others every page that prints the fact.
"""
import base64
import collections
import hashlib
import json
import os
import re
import subprocess

FACT = re.compile(r"<ix:nonFraction\b[^>]*>", re.I)
CONTEXT = re.compile(r'<xbrli:context\b[^>]*\bid="([^"]+)"[^>]*>(.*?)</xbrli:context>', re.S)
MEMBER = re.compile(r'<xbrldi:explicitMember\b[^>]*dimension="([^"]+)"[^>]*>\s*([^<\s]+)')
DATE = re.compile(r"<xbrli:(startDate|endDate|instant)>\s*([0-9-]+)")
MARK = re.compile("\ue000(\\d+)\ue001")

EVERYDAY = {"Apple Inc.": "Apple", "Tesla, Inc.": "Tesla", "Amazon.com, Inc.": "Amazon", "Netflix, Inc.": "Netflix",
            "Wells Fargo & Company": "Wells Fargo", "International Business Machines Corp": "IBM",
            "Union Pacific Corp": "Union Pacific"}
STATEMENT = {"I": "income statement", "B": "balance sheet", "C": "cash flow statement"}
OTHER_NAMES = {"I": ("P&L statement", "statement of income", "statement of operations"),
               "B": ("statement of financial position", "balance sheet"),
               "C": ("statement of cash flows", "cash flow statement")}
UNIT = {"USD millions": "in USD millions", "none": ""}

# statement, concepts (the first that a filing has counts), everyday names
LINES = [
    ("I", "RevenueFromContractWithCustomerExcludingAssessedTax Revenues SalesRevenueNet",
     "total revenue|net sales|top line|revenue"),
    ("I", "CostOfGoodsAndServicesSold CostOfRevenue", "COGS|cost of goods sold|cost of sales"),
    ("I", "GrossProfit", "gross profit"),
    ("I", "OperatingIncomeLoss", "unadjusted operating income|operating profit|EBIT"),
    ("I", "NetIncomeLoss ProfitLoss", "net income|net profit|bottom line"),
    ("I", "EarningsPerShareDiluted", "diluted EPS|earnings per diluted share"),
    ("I", "ResearchAndDevelopmentExpense", "R&D expense|research spending"),
    ("I", "SellingGeneralAndAdministrativeExpense", "SG&A expense|selling, general and administrative costs"),
    ("I", "MarketingExpense SellingAndMarketingExpense", "marketing spend"),
    ("I", "GeneralAndAdministrativeExpense", "G&A expense"),
    ("I", "InterestExpense InterestExpenseNonoperating", "interest expense|borrowing cost"),
    ("I", "IncomeTaxExpenseBenefit", "provision for income taxes|tax bill"),
    ("I", "WeightedAverageNumberOfDilutedSharesOutstanding", "diluted share count|weighted average diluted shares"),
    ("I", "IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest",
     "pre-tax income|profit before tax"),
    ("B", "Assets", "total assets"),
    ("B", "AssetsCurrent", "total current assets"),
    ("B", "LiabilitiesCurrent", "total current liabilities"),
    ("B", "Liabilities", "total liabilities"),
    ("B", "CashAndCashEquivalentsAtCarryingValue", "cash and cash equivalents|cash on hand"),
    ("B", "AccountsReceivableNetCurrent", "net AR|net receivables|accounts receivable"),
    ("B", "InventoryNet", "inventories|inventory balance"),
    ("B", "PropertyPlantAndEquipmentNet", "net PP&E|net PPNE|net property, plant and equipment"),
    ("B", "Goodwill", "goodwill"),
    ("B", "AccountsPayableCurrent", "accounts payable|AP balance|amount owed to suppliers"),
    ("B", "LongTermDebtNoncurrent LongTermDebtAndCapitalLeaseObligations", "long-term debt"),
    ("B", "StockholdersEquity", "shareholders' equity|book equity"),
    ("B", "RetainedEarningsAccumulatedDeficit", "retained earnings"),
    ("B", "ContractWithCustomerLiabilityCurrent", "current deferred revenue|unearned revenue"),
    ("C", "NetCashProvidedByUsedInOperatingActivities", "cash from operations|operating cash flow"),
    ("C", "PaymentsToAcquirePropertyPlantAndEquipment PaymentsToAcquireProductiveAssets "
          "PaymentsToAcquireOtherPropertyPlantAndEquipment", "capital expenditure amount|capex|capital spending"),
    ("C", "DepreciationDepletionAndAmortization DepreciationAmortizationAndAccretionNet "
          "DepreciationAmortizationAndOther", "D&A|depreciation and amortization expense"),
    ("C", "ShareBasedCompensation", "stock based compensation|SBC expense"),
    ("C", "PaymentsForRepurchaseOfCommonStock", "buyback spend|share repurchases"),
    ("C", "PaymentsOfDividends PaymentsOfDividendsCommonStock", "cash dividends paid|dividends"),
    ("C", "NetCashProvidedByUsedInInvestingActivities", "net cash from investing activities"),
    ("C", "NetCashProvidedByUsedInFinancingActivities", "cash used in financing"),
    ("C", "ProceedsFromIssuanceOfLongTermDebt ProceedsFromDebtNetOfIssuanceCosts", "new long-term borrowing"),
    ("C", "RepaymentsOfLongTermDebt RepaymentsOfDebt", "debt repayments"),
    ("C", "IncomeTaxesPaidNet IncomeTaxesPaid", "cash taxes paid"),
]

# statement of the gold, statement's lines that must be there, question
RATIOS = [
    ("B", "AssetsCurrent LiabilitiesCurrent", "What is {n}'s FY{y} working capital ratio? Working capital ratio is "
     "defined as total current assets divided by total current liabilities."),
    ("B", "AssetsCurrent LiabilitiesCurrent", "Does {n} have a reasonably healthy liquidity profile based on its quick "
     "ratio for FY{s}? If the quick ratio is not relevant to measure liquidity, please state that and explain why."),
    ("B", "AssetsCurrent LiabilitiesCurrent", "Does {n} have positive working capital based on FY{y} data?"),
    ("B", "InventoryNet AccountsPayableCurrent", "Calculate the cash conversion cycle of {n} for FY{y} from the balance "
     "sheet and the P&L: CCC = DIO + DSO - DPO."),
    ("B", "InventoryNet", "What is {n}'s FY{y} inventory turnover ratio? Inventory turnover ratio is defined as: (FY{y} "
     "COGS) / (average inventory between FY{p} and FY{y}). Round your answer to two decimal places."),
    ("B", "AccountsPayableCurrent", "What is {n}'s FY{y} days payable outstanding (DPO)? Round to two decimals. Address "
     "the question by using the line items within the balance sheet and the P&L statement."),
    ("B", "PropertyPlantAndEquipmentNet", "What is {n}'s FY{y} fixed asset turnover ratio? It is defined as: FY{y} "
     "revenue / (average PP&E between FY{p} and FY{y})."),
    ("B", "Assets", "Based on the information provided in the statement of financial position and the statement of "
     "income, what is {n}'s FY{y} return on assets (ROA)?"),
    ("B", "StockholdersEquity", "What is the return on equity (ROE) of {n} in FY{y}?"),
    ("B", "LongTermDebtNoncurrent", "How leveraged is {n}, measured by net debt at the end of FY{y}?"),
    ("I", "GrossProfit", "Is {n}'s gross margin historically consistent (not fluctuating more than roughly 2% each "
     "year) as of FY{y}?"),
    ("I", "OperatingIncomeLoss", "What is the FY{y} operating income margin of {n}? Please give a percentage and base "
     "your judgments on the income statement."),
    ("I", "OperatingIncomeLoss", "By how many percentage points did {n}'s operating margin change between FY{p} and "
     "FY{y}?"),
    ("I", "NetIncomeLoss", "What is {n}'s net profit margin for FY{y}? Use the P&L."),
    ("I", "IncomeTaxExpenseBenefit", "How does the effective tax rate of {n} in FY{y} compare to FY{p}? Compute it from "
     "the statement of income."),
    ("I", "RevenueFromContractWithCustomerExcludingAssessedTax", "What is {n}'s year-on-year change in total revenue "
     "from FY{p} to FY{y} (in units of percents)? Use the statement of income."),
    ("I", "Revenues", "What is {n}'s year-on-year change in total revenue from FY{p} to FY{y} (in units of percents)? "
     "Use the statement of income."),
    ("I", "OperatingIncomeLoss", "What is the FY{y} interest coverage ratio of {n}, using EBIT and interest expense?"),
    ("C", "PaymentsToAcquirePropertyPlantAndEquipment", "What is the FY{pp} - FY{y} 3 year average of capex as a % of "
     "revenue for {n}? Answer in units of percents and round to one decimal place."),
    ("C", "PaymentsToAcquirePropertyPlantAndEquipment", "Is {n} a capital-intensive business based on FY{y} data?"),
    ("C", "NetCashProvidedByUsedInOperatingActivities", "How much free cash flow did {n} generate in FY{y}?"),
    ("C", "NetCashProvidedByUsedInOperatingActivities", "Among operations, investing, and financing activities, which "
     "brought in the most (or lost the least) cash flow for {n} in FY{y}?"),
    ("C", "PaymentsOfDividends", "What is {n}'s dividend payout ratio for FY{y}, i.e. dividends paid over net income?"),
    ("C", "DepreciationDepletionAndAmortization", "What is {n}'s FY{y} unadjusted EBITDA margin, using operating income "
     "from the P&L and D&A from the cash flow statement?"),
]

# facts of the notes: concept, question
NOTES = [
    ("EffectiveIncomeTaxRateContinuingOperations", "What was {n}'s effective tax rate in FY{y}?"),
    ("UnrecognizedTaxBenefits", "How large were {n}'s uncertain tax positions at the end of FY{y}?"),
    ("AdvertisingExpense", "How much did {n} spend on ads in FY{y}?"),
    ("OperatingLeaseCost", "What was the cost of {n}'s operating leases in FY{y}?"),
    ("OperatingLeaseLiability", "How big are {n}'s operating lease obligations as of FY{y}?"),
    ("OperatingLeaseWeightedAverageDiscountRatePercent", "At which rate does {n} discount its operating leases, FY{y}?"),
    ("OperatingLeaseWeightedAverageRemainingLeaseTerm1", "How long do {n}'s operating leases still run on average in "
     "FY{y}?"),
    ("DeferredTaxAssetsNet", "Deferred tax assets after valuation allowance, {n} FY{y}"),
    ("DeferredTaxAssetsValuationAllowance", "How much of {n}'s deferred tax assets is covered by a valuation allowance "
     "in FY{y}?"),
    ("EmployeeServiceShareBasedCompensationNonvestedAwardsTotalCompensationCostNotYetRecognized",
     "What share-based pay has {n} not yet expensed at the end of FY{y}?"),
    ("LongTermDebtMaturitiesRepaymentsOfPrincipalInNextTwelveMonths",
     "Which part of {n}'s borrowings falls due within a year after FY{y}?"),
    ("LongTermDebtMaturitiesRepaymentsOfPrincipalInYearTwo",
     "How are {n}'s debt maturities spread over the coming years, as of FY{y}?"),
    ("LongTermDebt", "What does the total of {n}'s bonds and loans add up to in FY{y}?"),
    ("StockRepurchaseProgramRemainingAuthorizedRepurchaseAmount1",
     "How much room is left under {n}'s buyback authorization as of FY{y}?"),
    ("EntityPublicFloat", "What was the market value of {n}'s stock held by outsiders, per the FY{y} 10-K?"),
    ("AccumulatedDepreciationDepletionAndAmortizationPropertyPlantAndEquipment",
     "How worn are {n}'s fixed assets: what is accumulated depreciation at the end of FY{y}?"),
    ("PropertyPlantAndEquipmentGross", "Gross PP&E of {n} before depreciation, FY{y}?"),
    ("FiniteLivedIntangibleAssetsNet", "What is the carrying value of {n}'s amortizable intangibles for FY{y}?"),
    ("AmortizationOfIntangibleAssets", "How much amortization of acquired intangibles did {n} book in FY{y}?"),
    ("FiniteLivedIntangibleAssetsAmortizationExpenseNextTwelveMonths",
     "What intangible amortization does {n} expect in the year after FY{y}?"),
    ("RevenueRemainingPerformanceObligation", "What is the size of {n}'s remaining performance obligations, FY{y}?"),
    ("ContractWithCustomerLiabilityRevenueRecognized",
     "How much of its opening deferred revenue did {n} recognize in FY{y}?"),
    ("ProductWarrantyAccrual", "How much has {n} set aside for warranty claims as of FY{y}?"),
    ("RawMaterialsNet InventoryRawMaterials", "What raw materials does {n} hold in stock at the end of FY{y}?"),
    ("InventoryFinishedGoods InventoryFinishedGoodsNetOfReserves", "Finished goods in {n}'s inventory, FY{y}?"),
    ("IncomeTaxReconciliationIncomeTaxExpenseBenefitAtFederalStatutoryIncomeTaxRate",
     "What would {n}'s tax have been at the statutory rate in FY{y}?"),
    ("CurrentFederalTaxExpenseBenefit", "What current US federal tax did {n} owe for FY{y}?"),
    ("DefinedBenefitPlanBenefitObligation", "What is {n}'s pension obligation as of FY{y}?"),
    ("DefinedContributionPlanCostRecognized", "What did {n} pay into its 401(k) plan in FY{y}?"),
    ("AllocatedShareBasedCompensationExpense", "How is {n}'s share-based pay split over functions in FY{y}?"),
    ("UnrecordedUnconditionalPurchaseObligationBalanceSheetAmount UnrecordedUnconditionalPurchaseObligation",
     "What purchase commitments has {n} signed as of FY{y}?"),
    ("LineOfCreditFacilityMaximumBorrowingCapacity", "How large is {n}'s revolver as of FY{y}?"),
    ("AvailableForSaleSecuritiesDebtSecurities MarketableSecurities",
     "What is the fair value of {n}'s marketable securities for FY{y}?"),
    ("NoncurrentAssets", "Where are {n}'s long-lived assets located, FY{y}?"),
    ("DebtInstrumentInterestRateEffectivePercentage", "What interest do {n}'s notes effectively bear, FY{y}?"),
    ("RestructuringCharges", "What restructuring cost did {n} book in FY{y}?"),
    ("BusinessCombinationConsiderationTransferred1", "What did {n} pay for businesses it bought in FY{y}?"),
]
AXES = {"us-gaap:StatementBusinessSegmentsAxis": "segment", "srt:ProductOrServiceAxis": "line of business",
        "srt:StatementGeographicalAxis": "region"}
REVENUE = ("RevenueFromContractWithCustomerExcludingAssessedTax", "Revenues", "RevenueFromContractWithCustomerIncludingAssessedTax")
REGIONS = {"US": "the United States", "CN": "China", "JP": "Japan", "GB": "the UK", "DE": "Germany"}


class Filing:
    """Facts of one filing: {(concept, members, start, end): pages in order}."""

    def __init__(self, raw, program, payload):
        contexts, self.tags, self.pages_of = {}, [], collections.defaultdict(list)
        for name, body in CONTEXT.findall(raw):
            dates = dict(DATE.findall(body))
            contexts[name] = (tuple(sorted(MEMBER.findall(body))), dates.get("startDate"),
                              dates.get("endDate") or dates.get("instant"))

        def mark(match):
            tag = match.group()
            self.tags.append((attribute(tag, "name"), contexts.get(attribute(tag, "contextRef"))))
            return tag + "\ue000%d\ue001" % (len(self.tags) - 1)
        marked = FACT.sub(mark, raw)
        payload = dict(payload, rawContent=base64.b64encode(marked.encode()).decode())
        out = subprocess.run([program], input=json.dumps(payload).encode() + b"\n", check=True, stdout=subprocess.PIPE)
        document = json.loads(out.stdout)
        for number, page in enumerate(pages_of(document)):
            for m in MARK.finditer(page):
                concept, context = self.tags[int(m.group(1))]
                if context and number not in self.pages_of[concept.split(":")[1], *context]:
                    self.pages_of[concept.split(":")[1], *context].append(number)


def attribute(tag, name):
    m = re.search(r'\b%s="([^"]*)"' % name, tag)
    return m and m.group(1)


def pages_of(document):
    text, at, pages = document["text"].encode(), 0, []
    for b in document.get("breaks", []):
        pages.append(text[at:b["offset"]].decode())
        at = b["offset"]
    return pages + [text[at:].decode()]


def pick(variants, key):
    """One of them, the same each time."""
    return variants[int(hashlib.sha256(key.encode()).hexdigest(), 16) % len(variants)]


def days(start, end):
    y, m, d = (int(b) - int(a) for a, b in zip(start.split("-"), end.split("-")))
    return 365 * y + 30 * m + d


class Asker:
    def __init__(self, key, meta, filing):
        self.key, self.filing, self.n = key, filing, EVERYDAY.get(meta["company"], meta["company"])
        self.end, self.y, self.period = meta["reportDate"], int(meta["fiscalYear"]), meta["fiscalPeriod"]
        self.questions, self.seen = [], set()
        self.annual = self.period == "FY"
        self.statement = {kind: self.statement_page(kind) for kind in STATEMENT}

    def own(self, context_start, context_end):
        if context_end != self.end:
            return False
        return not context_start or days(context_start, context_end) > (300 if self.annual else 0)

    def pages(self, concept, members=()):
        found = []
        for (name, m, start, end), pages in self.filing.pages_of.items():
            if name == concept and m == members and self.own(start, end):
                found += [p for p in pages if p not in found]
        return sorted(found)

    def statement_page(self, kind):
        counts = collections.Counter()
        for line_kind, concepts, _ in LINES:
            for concept in concepts.split() if line_kind == kind else ():
                counts.update(self.pages(concept))
        return counts.most_common(1)[0][0] if counts and counts.most_common(1)[0][1] >= 4 else None

    def ask(self, kind, question, pages):
        if not pages or question in self.seen:
            return
        self.seen.add(question)
        digest = hashlib.sha256((self.key + question).encode()).hexdigest()
        self.questions.append({"id": "g" + digest[:8], "question": question, "doc_name": self.key, "pages": sorted(pages),
                               "company": self.n, "kind": kind, "split": "dev" if int(digest[8:10], 16) % 2 else "test",
                               "evidence": []})

    def when(self):
        if self.annual:
            return pick(["FY{y}", "fiscal {y}", "{y}", "FY{s}", "fiscal year {y}"], self.key + str(len(self.questions)))
        return pick(["Q{q} {y}", "Q{q} of FY{y}", "Q{q} FY{s}", "the quarter ended {d}"], self.key + str(len(self.questions)))

    def fill(self, template, **more):
        q, s = self.period[-1], str(self.y)[2:]
        return template.format(n=self.n, y=self.y, p=self.y - 1, pp=self.y - 2, s=s, q=q, d=self.end, **more)

    def ask_lines(self):
        for kind, concepts, names in LINES:
            concept = next((c for c in concepts.split() if self.pages(c)), None)
            home = self.statement[kind]
            if concept is None or home is None or home not in self.pages(concept):
                continue
            name = pick(names.split("|"), self.key + concept)
            when = self.fill(self.when())
            wordings = [
                ("What is the {w} {l} for {n}? Give a response to the question by relying on the details shown in the {t}.", 1),
                ("Assume that you are a public equities analyst. Answer the following question by primarily using information "
                 "that is shown in the {t}: what is the {w} {l} for {n}?", 1),
                ("You are an investment banker and your only resource is the {t}. How much was {n}'s {l} in {w}?", 1),
                ("Using only the {t}, what was {n}'s {l} for {w}? Respond in USD millions.", 1),
                ("How much did {n}'s {l} amount to in {w}?", 0),
                ("{n} {w} {l}?", 0),
                ("By how much did {n}'s {l} change year on year in {w}?", 0),
                ("We want to calculate a financial metric for {n}. What is its year end {w} {l}? Base it on the {t}.", 1)]
            wording, named = pick(wordings, self.key + concept + "w")
            title = pick(OTHER_NAMES[kind], self.key + concept + "t") if named else ""
            self.ask("line" if self.annual else "line-q", wording.format(w=when, l=name, n=self.n, t=title),
                     [home] if named else self.pages(concept))

    def ask_ratios(self):
        for kind, needs, question in RATIOS if self.annual else ():
            home = self.statement[kind]
            if home is not None and all(home in self.pages(c) for c in needs.split()):
                self.ask("ratio", self.fill(question), [home])

    def ask_notes(self):
        for concepts, question in NOTES:
            for concept in concepts.split():
                if not self.annual:
                    question = question.replace("FY{y}", "Q{q} {y}")
                self.ask("note", self.fill(question), self.pages(concept))

    def ask_parts(self):
        for (name, members, start, end) in sorted(self.filing.pages_of, key=repr):
            if name not in REVENUE or not self.own(start, end) or len(members) != 1 or members[0][0] not in AXES:
                continue
            axis, member = members[0]
            word = member.split(":")[1].removesuffix("Member").removesuffix("Segment")
            if len(word) < 2 or "Total" in word:
                continue
            spoken = REGIONS.get(word, re.sub(r"(?<=[a-z])(?=[A-Z])", " ", word))
            when = self.fill(self.when())
            question = pick(["What was {n}'s revenue from {m} in {w}?", "How much did {n} sell in its {a} {m} in {w}?",
                             "How did sales of {m} develop at {n} in {w}?"], self.key + member)
            self.ask("part", question.format(n=self.n, m=spoken, a=AXES[axis], w=when), self.pages(name, members))


def questions(key, meta, raw, program, payload):
    if "<ix:nonFraction" not in raw or "reportDate" not in meta or "fiscalPeriod" not in meta:
        return []
    asker = Asker(key, meta, Filing(raw, program, payload))
    asker.ask_lines()
    asker.ask_ratios()
    asker.ask_notes()
    asker.ask_parts()
    return asker.questions
