import assert from "node:assert/strict";
import { test } from "node:test";
import { Amounts, capital, counted, decimalsFor, fixed, formatNumber, groupingOf, list, percent,
  quantileOf, tickFormat, whole } from "../../src/numbers";

test("counts have separators and the right plural", () => {
  assert.equal(counted(1, "row"), "1 row");
  assert.equal(counted(0, "row"), "0 rows");
  assert.equal(counted(94022, "row"), "94,022 rows");
  assert.equal(whole(1234), "1,234");
  assert.equal(formatNumber(2012), "2012"); // a value may be a year
});

test("numbers of four digits have separators unless all of a column may be years", () => {
  assert.equal(new Amounts(31_484, "EUR").withUnit(-8114), "−8,114 EUR");
  assert.equal(fixed(2068, 0, groupingOf(90_000, 400_000)), "2,068");
  assert.equal(fixed(1969, 0, groupingOf(1920, 2024)), "1969");
  assert.deepEqual([0, 5000, 10_000].map(tickFormat([0, 5000, 10_000])), ["0", "5,000", "10,000"]);
});

test("names that are no words keep their first letter", () => {
  assert.deepEqual(["worst area", "age", "credit_amount", "pH", "x1"].map(capital), ["Worst area",
    "Age", "credit_amount", "pH", "x1"]);
});

test("a number that rounds to zero has no sign", () => {
  assert.equal(fixed(-0.0004, 3), "0");
  assert.equal(new Amounts(1, "").signed(-0.0004), "0");
});

test("negative numbers have a minus sign, positive amounts a plus sign", () => {
  const amounts = new Amounts(3.786, "votes");
  assert.equal(amounts.signed(-3.786), "−3.79");
  assert.equal(amounts.withUnit(1.2), "+1.20 votes");
});

test("the digits of amounts follow the size of their row", () => {
  assert.equal(new Amounts(8e11, "").plain(0.02), "0");
  assert.equal(new Amounts(0.05, "").plain(0.02), "0.0200");
  assert.deepEqual([decimalsFor(0.05, 3), decimalsFor(123, 3), decimalsFor(0, 3)], [4, 0, 0]);
});

test("unusual numbers are readable", () => {
  assert.equal(formatNumber(Infinity), "∞");
  assert.equal(formatNumber(NaN), "?");
  assert.equal(formatNumber(-2e20), "−2.00e+20");
});

test("shares near nothing and near all keep a digit", () => {
  assert.equal(percent(249 / 250), "99.6 %");
  assert.equal(percent(0.99996), "100 %");
  assert.equal(percent(1), "100 %");
  assert.equal(percent(0.004), "0.4 %");
  assert.equal(percent(0.28), "28 %");
});

test("lists are joined by commas and 'and'", () => {
  assert.equal(list(["a"]), "a");
  assert.equal(list(["a", "b", "c"]), "a, b and c");
});

test("quantiles are interpolated", () => {
  assert.equal(quantileOf([1, 2, 3, 4], 0.5), 2.5);
  assert.ok(Number.isNaN(quantileOf([], 0.5)));
});
