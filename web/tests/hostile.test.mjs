// Names, labels and titles that look like markup are shown as text and never run.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { bisector, inFolder, launch, openReport, removeFolder, write } from "./support.mjs";

const evil = "</script><img src=x onerror=alert(1)>";
const names = [evil, "<!--<script>", "a\u2028b&lt;", "${alert(2)}"];
const quoted = cell => `"${cell.replaceAll('"', '""')}"`;
let browser;
before(async () => {
  browser = await launch();
});
after(async () => {
  await browser?.close();
  removeFolder();
});

test("hostile names", async () => {
  const lines = [[...names, "label"].map(quoted).join(",")];
  for (let r = 0; r < 60; ++r) {
    lines.push(
      [r % 7, (r * 3) % 11, (r * 5) % 13, r % 4,
        quoted(r % 7 > 3 ? evil : "'\"><svg onload=alert(3)>")].join(",")
    );
  }
  write("evil.csv", lines);
  bisector("train", inFolder("evil.csv"), "--model", "svm", "--target", "label", "-o",
    inFolder("evil.npz"));
  bisector("report", inFolder("evil.npz"), inFolder("evil.csv"), "--title", evil, "-o",
    inFolder("evil.html"));
  const { page, problems, close } = await openReport(browser, inFolder("evil.html"));
  assert.equal(await page.title(), evil);
  assert.equal(await page.textContent("h1"), evil);
  const shown = await page.$$eval("#dependence select:first-of-type option",
    options => options.map(option => option.textContent));
  for (const name of names) assert.ok(shown.includes(name), name);
  assert.equal(await page.locator("img, script[src], svg[onload]").count(), 0);
  assert.equal(await page.locator("script").count(), 3);
  assert.deepEqual(problems, []);
  await close();
});
