#!/usr/bin/env bats
# bid-facts: standard statements, of companies of several kinds, that add up; periods; several companies.

load helper
load facts

table() { tr -s ' ' <<<"$output" | sed 's/ $//'; }
AAPL=0000320193 NVDA=0001045810 SNOW=0001640147 MRVL=0001835632 LPA=0001997711

# A companyfacts answer out of lines "CONCEPT VALUE-OF-2024 VALUE-OF-2023"; a concept that ends in @ is a balance.
company_of() {
  jq -Rn --arg name "$1" '
    def facts($value; $year; $balance):
      if $value == "-" then [] else [{val: ($value | tonumber), accn: "0000999999-25-00000\($year - 2022)", fy: $year, fp: "FY", form: "10-K",
        filed: "\($year + 1)-02-15", end: "\($year)-12-31"} + if $balance then {} else {start: "\($year)-01-01"} end] end;
    {cik: 999999, entityName: $name, facts: {"us-gaap": ([inputs | select(length > 0) | [splits(" +")] |
      (.[0] | endswith("@")) as $balance | {key: (.[0] | rtrimstr("@")), value: {label: .[0], units:
        {(.[3] // "USD"): (facts(.[2]; 2023; $balance) + facts(.[1]; 2024; $balance))}}}] | from_entries)}}'
}

bank() {
  company_of "Quiet Harbor Bank" <<'END'
InterestAndDividendIncomeOperating 5000 4600
InterestExpense 2000 1500
InterestIncomeExpenseNet 3000 3100
ProvisionForLoanLeaseAndOtherLosses 400 350
InterestIncomeExpenseAfterProvisionForLoanLoss 2600 2750
NoninterestIncome 1000 900
NoninterestExpense 2200 2150
RevenueFromContractWithCustomerExcludingAssessedTax 300 290
IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest 1400 1500
IncomeTaxExpenseBenefit 300 320
NetIncomeLoss 1100 1180
EarningsPerShareDiluted 2.20 2.36 USD/shares
CashAndDueFromBanks@ 500 450
FinancingReceivableExcludingAccruedInterestBeforeAllowanceForCreditLoss@ 50000 48000
FinancingReceivableAllowanceForCreditLossExcludingAccruedInterest@ 600 580
FinancingReceivableExcludingAccruedInterestAfterAllowanceForCreditLoss@ 49400 47420
Assets@ 70000 66000
Deposits@ 55000 52000
Liabilities@ 63000 59500
StockholdersEquity@ 7000 6500
TierOneRiskBasedCapitalToRiskWeightedAssets@ 0.124 0.121 pure
END
}

insurer() {
  company_of "Plain Surety Group" <<'END'
PremiumsEarnedNet 8000 7500
PremiumsWrittenNet 8300 7700
NetInvestmentIncome 600 500
GainLossOnInvestments -100 50
Revenues 8550 8100
PolicyholderBenefitsAndClaimsIncurredNet 5600 5250
DeferredPolicyAcquisitionCostAmortizationExpense 1200 1125
OtherUnderwritingExpense 800 750
BenefitsLossesAndExpenses 7700 7200
IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest 850 900
IncomeTaxExpenseBenefit 150 180
NetIncomeLoss 700 720
LiabilityForClaimsAndClaimsAdjustmentExpense@ 12000 11500
UnearnedPremiums@ 3000 2800
Investments@ 15000 14000
Assets@ 22000 20500
Liabilities@ 17000 16000
StockholdersEquity@ 5000 4500
END
}

@test "a standard statement adds up: what its lines lack of a total is a line" {
  need_shared
  facts --from "$(companyfacts $MRVL)" --statement income -n 2
  contains "$(table)" "Income before taxes 3,046,600 -894,700"
  contains "$(table)" "Other, to income before taxes 1,926,300 15,000"
  contains "$output" '"Other, to ..." is what the lines above lack of a total'
  contains "$output" "not reported as such: Operating expenses"
  # A sum that is made of such a line is not checked by it.
  contains "$output" "checked: 2 totals"
  facts --from "$(companyfacts $NVDA)" --statement income -n 4
  contains "$output" "checked: 4 totals equal the sum or difference of their lines (15 values)"
  facts --from "$(companyfacts $LPA)" --statement income -n 1
  contains "$(table)" "Other, to income before taxes -23,598,214"
  contains "$(table)" "Other, to net income -9,859,377"
  # A whole that is computed from lines above it stands not beside them.
  facts --from "$(companyfacts $SNOW)" --statement income -n 2
  [[ $output != *"Selling, general"* ]]
  contains "$(table)" "Operating expenses 3,867,733 3,002,704"
}

@test "standard lines add up in every column of every company" {
  need_shared
  local file which
  for file in "$BID_SHARED"/upstream/data.sec.gov/api/xbrl/companyfacts/*.json; do
    for which in income balance cash; do
      rows --from "$file" --statement "$which" -n 40
      run python3 "$ROOT/test/tools/standard_sums.py" "$ROOT/data/statements.tsv" "$which" <<<"$output"
      [ "$status" -eq 0 ] || { echo "$file $output"; false; }
    done
  done
}

@test "the cash flow statement has outflows with a minus, and the cash at its beginning and end" {
  need_shared
  facts --from "$(companyfacts $MRVL)" --statement cash -n 1
  contains "$(table)" "Cash, beginning of period 948,300"
  contains "$(table)" "Capital expenditure -354,100"
  contains "$(table)" "Share repurchases -2,040,100"
  contains "$(table)" "Net change in cash 1,690,500"
  contains "$(table)" "Cash, end of period 2,638,800"
  rows --from "$(companyfacts $MRVL)" --statement cash -n 1
  equal "$(jq -c 'select(.label == "Capital expenditure") | [.value, .presented]' <<<"$output")" '[354100000,-354100000]'
  run --separate-stderr bid-facts --csv --from "$(companyfacts $MRVL)" --statement cash -n 1
  contains "$output" ",href,presented"
  contains "$(grep '^"MARVELL.*Capital expenditure' <<<"$output")" ",354100000,reported,"
  equal "$(grep -c -- ',-354100000' <<<"$output")" 1
  # Without the operating cash flow nothing is taken from the investing one.
  facts --from "$(companyfacts $LPA)" --statement cash -n 1
  contains "$output" "not reported as such: Operating cash flow"
  contains "$(table)" "Other, to investing cash flow -10,663,569"
}

@test "a bank's statements and figures" {
  bank >bank.json
  facts --from bank.json --statement income
  contains "$(table)" "Net interest income 3,000 3,100"
  contains "$(table)" "Provision for credit losses 400 350"
  contains "$output" "of the kind bank"
  contains "$output" "checked: "
  [[ $output != *"Other, to"* ]]
  facts --from bank.json --statement balance
  contains "$(table)" "Loans, net of the allowance 49,400 47,420"
  contains "$(table)" "Other, to total assets 20,100 18,130"
  facts --from bank.json nii "provision for loan losses" deposits "total loans" "efficiency ratio" "loan to deposit ratio" "tier 1 ratio" -n 1
  equal "$(grep '^FY2024' <<<"$output" | tr -s ' ')" "FY2024 2024-12-31 3 400 55 50 55.0 90.9 12.4 0000999999-25-000002"
  # Its fees from contracts are not its revenue.
  rows --from bank.json revenue -n 1
  equal "$(jq -c '[.value, .kind, .formula]' <<<"$output")" '[4000,"derived","InterestIncomeExpenseNet + NoninterestIncome"]'
  # What banks don't report in XBRL is said.
  facts --from bank.json cet1
  equal "$status" 1
  contains "$stderr" "'cet1' was never reported"
  contains "$stderr" "each of its banks and approaches"
  facts --from bank.json "net interest margin"
  contains "$stderr" "is not reported in XBRL: "
}

@test "an insurer's statements and figures" {
  insurer >insurer.json
  facts --from insurer.json --statement income
  contains "$output" "of the kind insurer"
  contains "$(table)" "Premiums earned 8,000 7,500"
  contains "$(table)" "Other, to revenue 50 50"
  contains "$(table)" "Other, to losses, benefits and expenses 100 75"
  contains "$(table)" "Income before taxes 850 900"
  facts --from insurer.json premiums "losses incurred" "loss ratio" "expense ratio" "combined ratio" "net premiums written" -n 1
  equal "$(grep '^FY2024' <<<"$output" | tr -s ' ')" "FY2024 2024-12-31 8 5,600 70.0 25.0 95.0 8,300 0000999999-25-000002"
  contains "$output" "Losses and underwriting expense of premiums earned = ( losses incurred"
}

@test "a real estate company and a utility; funds from operations are not reported" {
  company_of "Twohill Trust" >reit.json <<'END'
OperatingLeaseLeaseIncome 900 850
Revenues 950 890
DepreciationDepletionAndAmortization 300 280
CostsAndExpenses 600 560
InterestExpense 120 110
NetIncomeLoss 240 230
RealEstateInvestmentPropertyNet@ 9000 8700
Assets@ 9800 9400
Liabilities@ 4800 4600
StockholdersEquity@ 5000 4800
END
  facts --from reit.json --statement income -n 1
  contains "$output" "of the kind REIT"
  contains "$(table)" "Rental revenue 900"
  facts --from reit.json ffo
  equal "$status" 1
  contains "$stderr" "'ffo' is not reported in XBRL: "
  facts --from reit.json "same-store noi growth"
  contains "$stderr" "is not reported in XBRL: "
  company_of "Twohill Power" >utility.json <<'END'
RegulatedAndUnregulatedOperatingRevenue 4000 3800
RevenueFromContractWithCustomerExcludingAssessedTax 3900 3700
FuelCosts 900 850
UtilitiesOperatingExpenseMaintenanceAndOperations 1100 1050
OperatingIncomeLoss 800 760
NetIncomeLoss 420 400
PublicUtilitiesPropertyPlantAndEquipmentNet@ 15000 14000
RegulatoryAssetsNoncurrent@ 1200 1100
Assets@ 20000 18800
END
  facts --from utility.json --statement income -n 1
  contains "$output" "of the kind utility"
  contains "$(table)" "Revenue 4,000"
  facts --from utility.json "rate base"
  contains "$stderr" "is not reported in XBRL: "
}

@test "the newest period of each company, and what stands beside it" {
  need_shared
  rows --from "$(companyfacts $AAPL)" --from "$(companyfacts $NVDA)" -n 1 revenue
  equal "$(jq -c '[.cik, .fiscalYear]' <<<"$output" | paste -sd' ')" '["0000320193",2025] ["0001045810",2026]'
  facts --from "$(companyfacts $AAPL)" --from "$(companyfacts $NVDA)" -n 1 revenue
  contains "$(table)" "FY2026 - 215,938"
  contains "$(table)" "FY2025 416,161 130,497"
  contains "$output" "FY2025 ended 2025-09-27 (Apple Inc.), 2025-01-26 (NVIDIA CORP)"
}

@test "a figure that is computed from derived values is marked as they are" {
  need_shared
  facts --from "$(companyfacts $SNOW)" --quarterly -p FY-2025 "free cash flow"
  contains "$(table)" "Q4 2025 2025-01-31 421,448d"
  contains "$(table)" "Q1 2025 2024-04-30 338,949 "
  facts --from "$(companyfacts $SNOW)" -p FY-2025 "free cash flow"
  run ! grep -E '^d: ' <<<"$output"
}

@test "years from and to, halves, and quarters of a half" {
  need_shared
  rows --from "$(companyfacts $AAPL)" -p 2019..2021 revenue
  equal "$(jq -r .fiscalYear <<<"$output" | paste -sd' ')" "2019 2020 2021"
  rows --from "$(companyfacts $AAPL)" -p h2-2025 revenue
  equal "$(jq -c '[.start, .end, .months, .fiscalPeriod, .value, .kind]' <<<"$output")" \
    '["2025-03-30","2025-09-27",6,"H2",196502000000,"derived"]'
  rows --from "$(companyfacts $AAPL)" -p H1-2025 --quarterly revenue
  equal "$(jq -r .fiscalPeriod <<<"$output" | paste -sd' ')" "Q1 Q2"
  facts --from "$(companyfacts $AAPL)" -p 2024-03 revenue
  equal "$status" 1
  contains "$stderr" "--quarterly"
  facts --from "$(companyfacts $AAPL)" -p 2021..2019 revenue
  equal "$status" 64
}

@test "the parts of net income are no columns of the equity statement" {
  need_shared
  facts -e AAPL --segments "net income"
  equal "$status" 1
  [[ $output != *"Retained Earnings"* ]]
}

@test "a loss per share is the reported one; no quotient per share has more than its cents" {
  need_shared
  rows --from "$(companyfacts $SNOW)" -n 1 "net loss per share"
  equal "$(jq -c '[.concept, .value]' <<<"$output")" '["EarningsPerShareDiluted",-3.86]'
  rows --from "$(companyfacts $SNOW)" -n 1 "basic loss per share"
  equal "$(jq -c '[.concept, .value]' <<<"$output")" '["EarningsPerShareBasic",-3.86]'
  rows --from "$(companyfacts $SNOW)" -n 1 "free cash flow / diluted shares"
  equal "$(jq -c .value <<<"$output")" 2.75
}

@test "a question's words around a figure: verbs, months, comparisons, and questions for when" {
  need_shared
  asked() { echo "{\"query\":$(quoted "$1")}" | bid-plan --json | bid-facts --quiet --for-plan | jq -c '.error.message // [.label, .fiscalYear, .fiscalPeriod, .value]'; }
  equal "$(asked 'when did apple revenue first exceed 300 billion')" '["Revenue",2020,"FY",274515000000]
["Revenue",2021,"FY",365817000000]'
  equal "$(asked 'when did apple net income pass $500 billion')" '"Apple Inc.: no fiscal year from 2007 to 2025 has a Net income above that amount"'
  equal "$(asked 'nvidia fiscal 2026 vs calendar 2025 revenue' | tail -1)" '"two of the periods asked for are one here: FY 2026, from 2025-01-27 to 2026-01-25"'
  equal "$(asked 'Apple sales since the iphone 16 launch' | head -1)" \
    "\"'since the iphone 16 launch' names no period that company facts know: the newest years are given\""
  equal "$(asked 'Apple sales since the iphone 16 launch' | wc -l)" 6
  equal "$(asked 'apple revenue since fiscal 2024' | wc -l)" 2
  equal "$(asked 'nvidia inventory doubled?' | head -1)" '["Inventories",2026,"FY",21403000000]'
  equal "$(asked 'Where did Apple stand on cash at 29 September 2018, per its yearly report?')" '["Cash and cash equivalents",2018,"FY",25913000000]'
  equal "$(jq -nc '{query: "Compare Apple with Nvidia on R&D intensity"}' | bid-plan --json | bid-facts --quiet --for-plan 2>/dev/null | jq -c .segment)" $'null\nnull'
  equal "$(asked "Is Apple's current ratio above 1")" '["Current ratio",2026,"Q1",0.973745]'
  equal "$(asked 'Apple cash dec 27 2025')" '["Cash and cash equivalents",2026,"Q1",45317000000]'
  equal "$(asked 'How much did Snowflake lose in fiscal 2025')" '["Net income",2025,"FY",-1285640000]'
  equal "$(asked 'How much did Apple earn per share in 2024')" '["Diluted earnings per share",2024,"FY",6.08]'
  equal "$(asked 'How much did Apple lose to currency in 2024')" "\"company facts have no figure of 'lose to currency'\""
  contains "$(asked 'Nvidia headcount 2025')" "not reported in XBRL: it stands in Item 1 of a 10-K"
}

@test "a chart names its newest period and its unit, and its hollow points" {
  need_shared
  bid-facts -q --from "$(companyfacts $AAPL)" --plot a.svg cash "shares outstanding" IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest\ /\ IncomeTaxExpenseBenefit
  # In each of the panels.
  equal "$(grep -c '>FY2025</text>' a.svg)" 3
  contains "$(cat a.svg)" ' …, %</text>'
  contains "$(cat a.svg)" 'class="hollow"'
  contains "$(cat a.svg)" '>hollow points: divided by the ratio of a later split</text>' # shares, none derived
  run ! grep -q 'lighter bars' a.svg
  # One size of a unit in a picture; each company's notes are its own.
  bid-facts -q --from "$(companyfacts $SNOW)" --plot b.svg "net income" "free cash flow"
  equal "$(grep -c ', \$ billion</text>' b.svg)" 2
  bid-facts -q --from "$(companyfacts $SNOW)" --from "$(companyfacts $MRVL)" --quarterly --plot c.svg eps
  equal "$(grep -c 'fourth quarters were not reported' c.svg)" 2
  contains "$(cat c.svg)" 'SNOWFLAKE INC.; MARVELL TECHNOLOGY, INC: Diluted'
}

@test "values of another concept than the newest are marked, and a word's formulas are each row's own" {
  need_shared
  facts --from "$(companyfacts $AAPL)" --quarterly -p 2020-01-01..2021-01-01 "total debt"
  contains "$(table)" "Q3 2020 2020-06-27 101,557c"
  contains "$(table)" "Q4 2020 2020-09-26 112,436 "
  contains "$output" "c: 'Total debt' was computed: long-term debt + current debt"
  rows --from "$(companyfacts $AAPL)" --quarterly -p 2020-01-01..2021-01-01 "total debt"
  equal "$(jq -r '.formula' <<<"$output" | sort | uniq -c | tr -s ' ')" " 2 LongTermDebtNoncurrent + LongTermDebtCurrent + short-term borrowings
 2 long-term debt + current debt"
  facts --from "$(companyfacts $AAPL)" -n 9 revenue
  contains "$output" "c: 'Revenue' was reported as Revenues"
  facts --from "$(companyfacts $AAPL)" -n 2 revenue
  run ! grep -E '^c: ' <<<"$output"
  # Depreciation alone is not depreciation and amortization, and a figure that newer filings don't have is said to have ended.
  facts --from "$(companyfacts 0001318605)" "depreciation and amortization"
  contains "$output" "Depreciation and amortization was last reported for 2017-12-31"
  rows --from "$(companyfacts 0001318605)" -n 1 depreciation
  equal "$(jq -c '[.concept, .end, .value]' <<<"$output")" '["Depreciation","2021-12-31",1910000000]'
}
