// The page of explained molecules: turning, magnifying and finding pairs, by pointer and keyboard.
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { after, before, test } from "node:test";
import { assertAccessible, assertApartInGray, assertClose, bisectorMolecules, inFolder, launch,
  mean, near, onlyChromium, openPage, pattern, readCsv, removeFolder, sideColors, windows,
  write } from "./support.mjs";

const evil = "</script><img src=x onerror=alert(1)>";
let browser, opened, page;

/** Alcohols bent and stretched at random, whose property follows one long distance. */
function molecules(count) {
  let state = 7;
  const random = () => ((state = (state * 48271) % 2147483647) / 2147483647);
  const near = (x, y, z) => [x, y, z].map(value => (value + 0.2 * random()).toFixed(4)).join(" ");
  return Array.from({ length: count }, (_, n) => {
    const far = 2.3 + random();
    return ["6", `${n === 3 ? `"${evil}"` : `m${n + 1}`} mu=${(far * 2).toFixed(4)}`,
      `C ${near(0, 0, 0)}`, `O ${near(1.3, 0.2, 0.1)}`, `N ${near(-0.8, far - 1, 0.4)}`,
      `H ${near(1.6, 1, 0.4)}`, `H ${near(-0.5, -0.8, 0.6)}`, `H ${near(0.1, -0.4, -1)}`].join(
        "\n"
      );
  });
}

before(async () => {
  write("m.xyz", molecules(40));
  bisectorMolecules("train", inFolder("m.xyz"), "--property", "mu", "--representation", "coulomb",
    "-o", inFolder("m.npz"));
  bisectorMolecules("explain", inFolder("m.npz"), inFolder("m.xyz"), "--unit-name", "Debye", "-o",
    inFolder("m.html"));
  browser = await launch();
  opened = await openPage(browser, inFolder("m.html"), ".stage .atom");
  page = opened.page;
});
after(async () => {
  await browser?.close();
  removeFolder();
});

const frames = () =>
  page.evaluate(() =>
    new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
  );
/** Where the atoms stand on the stage, by name. */
const places = async () => {
  await frames();
  return page.$$eval(".stage .atom", atoms =>
    Object.fromEntries(atoms.map(atom => {
      const circle = atom.querySelector("circle");
      return [atom.dataset.atom, ["cx", "cy", "r"].map(name => Number(circle.getAttribute(name)))];
    })));
};
const lines = async () => {
  await frames();
  return page.locator(".stage .pair").count();
};

test("opens from a file without an error or a request", () => {
  assert.deepEqual(opened.problems, []);
  assert.ok(statSync(inFolder("m.html")).size < 300e3);
  const text = readFileSync(inFolder("m.html"), "utf8");
  assert.match(text, /default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'/);
  assert.doesNotMatch(text, /unsafe|https?:\/\/(?!www\.w3\.org)/);
});

test("quantity, unit and error are the command's; atoms have the table's numbers", async () => {
  const chosen = await page.textContent("#molecule-name");
  const row = readCsv(bisectorMolecules("predict", inFolder("m.npz"), inFolder("m.xyz"))).find((
    { name }
  ) => name === chosen);
  const facts = await page.$$eval(".facts > div",
    all => Object.fromEntries(all.map(fact => [...fact.children].map(part => part.textContent))));
  const number = text => {
    assert.match(text, / Debye$/);
    return Number(text.replace(" Debye", "").replace("−", "-"));
  };
  const close = (text, expected) =>
    assert.ok(Math.abs(number(text) - expected) <= 6e-4, `${text} ${expected}`);
  close(facts["Predicted mu"], Number(row.prediction));
  close(facts["Actual"], Number(row.mu));
  close(facts.Error, row.prediction - row.mu);
  assert.match(await page.textContent("#molecule-words"),
    new RegExp(`too ${row.prediction > row.mu ? "high" : "low"}`));
  const labels = (await page.$$eval(".stage .atom text", all => all.map(text => text.textContent)))
    .sort();
  const named = (await page.$$eval("#atoms tbody th", all => all.map(th => th.textContent))).sort();
  assert.deepEqual(labels, named);
});

test("the error is that of all molecules, compared with always predicting the mean", async () => {
  const rows = readCsv(bisectorMolecules("predict", inFolder("m.npz"), inFolder("m.xyz")));
  const truths = rows.map(({ mu }) => Number(mu)), middle = mean(truths);
  bisectorMolecules("explain", inFolder("m.npz"), inFolder("m.xyz"), "--largest", "5",
    "--unit-name", "Debye", "-o", inFolder("few.html"));
  const few = await openPage(browser, inFolder("few.html"), ".stage .atom");
  const text = await few.page.textContent("#predicts");
  const [, error, count, baseline] = text.match(
    pattern(
      String
        .raw`^The model predicts mu of a molecule\. Its error is ([\d.]+) Debye on average over `,
      String
        .raw`(\d+) molecules; always predicting their mean would have an error of ([\d.]+) Debye\.$`
    )
  );
  assert.equal(Number(count), rows.length);
  near(error, mean(rows.map(row => Math.abs(row.prediction - row.mu))), "error");
  near(baseline, mean(truths.map(truth => Math.abs(truth - middle))), "error of the mean");
  assert.equal(await few.page.textContent("h1"), "Predicting mu");
  assert.match(await few.page.textContent("main"), /The 5 of the 40 molecules in the file/);
  assert.match(await few.page.textContent("main"), /Files: m\.npz, m\.xyz\./);
  await few.close();
});

test("prints are light, without sliders and buttons; the address keeps the molecule", onlyChromium,
  async () => {
    const dark = await openPage(browser, inFolder("m.html"), ".stage .atom", windows.dark);
    await dark.page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await dark.page.emulateMedia({ media: "print" });
    const seen = await dark.page.evaluate(() => ({
      paper: getComputedStyle(document.body).backgroundColor,
      controls: [...document.querySelectorAll("button, input, .status")].filter(own =>
        own.getBoundingClientRect().height > 0 && !own.closest("table")
      ).map(own => own.outerHTML)
    }));
    assert.deepEqual(seen, { paper: "rgb(255, 255, 255)", controls: [] });
    await dark.page.evaluate(() => dispatchEvent(new Event("afterprint")));
    await dark.page.emulateMedia({ media: "screen" });
    await dark.page.click("text=Next");
    const name = await dark.page.textContent("#molecule-name"), address = dark.page.url();
    await dark.page.goto("about:blank");
    await dark.page.goto(address);
    await dark.page.waitForSelector(".stage .atom");
    assert.equal(await dark.page.textContent("#molecule-name"), name);
    assert.equal(await dark.page.locator("#copy-link").count(), 1);
    await dark.close();
  });

test("the histograms of distances sum the command's pairs", async () => {
  const chosen = await page.textContent("#molecule-name");
  const pairs = readCsv(bisectorMolecules("explain", inFolder("m.npz"), inFolder("m.xyz"))).filter((
    { name, first, second }
  ) => name === chosen && first !== second);
  const rows = await page.$$eval("#distances tbody tr",
    trs => trs.map(tr => [...tr.children].map(cell => cell.textContent.replaceAll("−", "-"))));
  assert.equal(rows.reduce((sum, [, , , count]) => sum + Number(count), 0), pairs.length);
  for (const [elements, from, to, count, relevance] of rows) {
    const own = pairs.filter(pair =>
      pair.elements.split("-").sort().join("–") === elements && pair.distance >= Number(from)
      && pair.distance < Number(to)
    );
    assert.equal(own.length, Number(count), elements);
    const sum = own.reduce((total, pair) => total + Number(pair.relevance), 0);
    assert.ok(Math.abs(sum - Number(relevance)) <= 6e-4 * Math.abs(sum) + 1e-9,
      `${elements} ${from}: ${sum} ${relevance}`);
  }
  assert.ok((await page.locator("#distances svg rect.bin").count()) >= rows.length);
});

test("dragging turns the molecule, and Reset undoes it", async () => {
  const before = await places();
  const box = await page.locator(".stage").boundingBox();
  await page.mouse.move(box.x + 30, box.y + 30);
  await page.mouse.down();
  await page.mouse.move(box.x + 90, box.y + 60, { steps: 3 });
  await page.mouse.up();
  const turned = await places();
  for (const name of Object.keys(before)) assert.notDeepEqual(turned[name], before[name], name);
  await page.click("text=Reset");
  assert.deepEqual(await places(), before);
});

test("a turn is a turn: depth and order change, and a whole one leads back", async () => {
  const order = async () => {
    await frames();
    return page.$$eval(".stage .atom", atoms => atoms.map(atom => atom.dataset.atom));
  };
  const before = [await places(), await order()];
  await page.focus(".stage");
  for (let i = 0; i < 18; ++i) await page.keyboard.press("ArrowRight");
  const half = [await places(), await order()];
  // From behind, the order is reversed.
  assert.deepEqual(half[1], [...before[1]].reverse());
  for (let i = 0; i < 18; ++i) await page.keyboard.press("ArrowRight");
  const whole = await places();
  for (const [name, numbers] of Object.entries(before[0])) {
    numbers.forEach((number, i) => assert.ok(Math.abs(whole[name][i] - number) < 1e-6, name));
  }
  const middle = (await page.locator(".stage").boundingBox()).width / 2;
  // Half a turn about the upright axis swaps left and right, but for perspective.
  for (const [name, [x]] of Object.entries(before[0])) {
    if (Math.abs(x - middle) > 20) {
      assert.ok((half[0][name][0] - middle) * (x - middle) < 0, name);
    }
  }
});

test("wheel, keys and buttons magnify", async () => {
  const size = async () => (await places()).O2[2];
  const sizes = [await size()];
  await page.locator(".stage").hover({ position: { x: 5, y: 5 } });
  await page.mouse.wheel(0, -200);
  await page.waitForFunction(
    old => Number(document.querySelector('[data-atom="O2"] circle').getAttribute("r")) > old,
    sizes[0]
  );
  sizes.push(await size());
  await page.focus(".stage");
  await page.keyboard.press("+");
  sizes.push(await size());
  await page.getByRole("button", { name: "magnify" }).click();
  sizes.push(await size());
  assert.deepEqual(sizes, [...sizes].sort((a, b) => a - b));
  assert.equal(new Set(sizes).size, 4);
  await page.focus(".stage");
  await page.keyboard.press("Home");
  assert.equal(await size(), sizes[0]);
});

test("the slider says how many pairs are drawn", async () => {
  await page.focus("#amount");
  await page.keyboard.press("Home");
  assert.equal(await lines(), 0);
  assert.match(await page.textContent("#amount-words"), /^the 0 strongest of 21 pairs, 0 %/);
  await page.keyboard.press("End");
  // Two halves for each of 15 pairs, a ring for each of six atoms' own.
  assert.equal(await lines(), 36);
  assert.match(await page.textContent("#amount-words"), /^the 21 strongest of 21 pairs, 100 %/);
  await page.fill("#amount", "1");
  assert.match(await page.textContent("#amount-words"), /^the 1 strongest/);
});

test("table and picture have the command's numbers, and point at each other", async () => {
  const chosen = await page.textContent("#molecule-name");
  const table = readCsv(bisectorMolecules("explain", inFolder("m.npz"), inFolder("m.xyz"))).filter((
    { name }
  ) => name === chosen);
  table.sort((a, b) => Math.abs(b.relevance) - Math.abs(a.relevance));
  const rows = await page.$$eval("#pairs tbody tr",
    trs => trs.map(tr => [...tr.children].map(cell => cell.textContent.replaceAll("−", "-"))));
  assert.equal(rows.length, 21);
  rows.forEach(([, , relevance], i) => {
    const expected = Number(table[i].relevance);
    assert.ok(Math.abs(Number(relevance) - expected) <= 5e-3 * Math.abs(expected),
      `${relevance} ${expected}`);
  });
  const strongest = table.findIndex(({ first, second }) => first !== second);
  await page.locator("#pairs tbody button").nth(strongest).focus();
  await frames();
  assert.match(await page.textContent("[role=status]"), /–.*contribution .* Å apart/);
  assert.equal(await page.locator(".mark circle").count(), 2);
  const [x, y] = (await places()).O2;
  await page.locator(".stage").hover({ position: { x, y } });
  await frames();
  assert.match(await page.textContent(".tip"), /^O2: contribution/);
  assert.equal(await page.locator(".mark circle").count(), 1);
  assert.equal(await page.locator("#atoms tr.chosen").count(), 1);
});

test("a pair shows its relevance and distance under the pointer", async () => {
  await page.fill("#amount", "21");
  await frames();
  // Somewhere on a line, away from the atoms: tried until one is free.
  const spots = await page.$$eval(".stage line.pair",
    found =>
      found.map(line =>
        ["1", "2"].map(
          end => [Number(line.getAttribute(`x${end}`)), Number(line.getAttribute(`y${end}`))]
        )
      ));
  const tips = [];
  for (const [[x1, y1], [x2, y2]] of spots) {
    await page.locator(".stage").hover({ position: { x: (x1 + x2) / 2, y: (y1 + y2) / 2 } });
    tips.push(await page.textContent(".tip"));
    if (/–/.test(tips.at(-1))) break;
  }
  assert.match(tips.at(-1), /^[CHON]\d–[CHON]\d: contribution [+−][\d.e−]+, [\d.]+ Å apart$/);
});

test("another molecule can be picked, and a hostile name is text", async () => {
  const before = await page.textContent("#molecule-name");
  await page.click("text=Next");
  assert.notEqual(await page.textContent("#molecule-name"), before);
  await page.click("text=Previous");
  assert.equal(await page.textContent("#molecule-name"), before);
  const names = await page.$$eval("select option",
    options => options.map(option => option.textContent));
  assert.equal(names.length, 40);
  const predictions = names.map(name => Number(name.split(": ").at(-1)));
  assert.deepEqual(predictions, [...predictions].sort((a, b) => b - a));
  await page.selectOption("select", {
    index: names.findIndex(name => name.startsWith("</script>"))
  });
  assert.equal(await page.textContent("#molecule-name"), evil);
  assert.equal(await page.locator("img").count(), 0);
  assert.deepEqual(opened.problems, []);
});

for (const [name, options] of Object.entries(windows)) {
  test(`axe finds nothing, and nothing is wider than the window: ${name}`, async () => {
    const other = await openPage(browser, inFolder("m.html"), ".stage .atom", options);
    await assertAccessible(other, `molecules-${name}`);
    assertApartInGray(...(await sideColors(other.page)), "sides");
    await other.close();
  });
}

test("two fingers magnify, one turns", onlyChromium, async () => {
  const other = await openPage(browser, inFolder("m.html"), ".stage .atom", windows.phone);
  const stage = other.page.locator(".stage");
  await stage.scrollIntoViewIfNeeded();
  const box = await stage.boundingBox();
  const session = await other.page.context().newCDPSession(other.page);
  const touch = (type, ...points) =>
    session.send("Input.dispatchTouchEvent", { type,
      touchPoints: points.map(([x, y], id) => ({ x: box.x + x, y: box.y + y, id })) });
  const oxygen = () =>
    other.page.$eval('[data-atom="O2"] circle', circle =>
      ["cx", "r"].map(name => Number(circle.getAttribute(name))));
  const settle = () =>
    other.page.evaluate(() =>
      new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
    );
  const [x, r] = await oxygen();
  await touch("touchStart", [20, 20]);
  await touch("touchMove", [60, 30]);
  await touch("touchMove", [100, 40]);
  await touch("touchEnd");
  await settle();
  assert.notEqual((await oxygen())[0], x);
  const [, turned] = await oxygen();
  await touch("touchStart", [100, 100], [140, 100]);
  await touch("touchMove", [60, 100], [180, 100]);
  await touch("touchMove", [40, 100], [200, 100]);
  await touch("touchEnd");
  await settle();
  assert.ok((await oxygen())[1] > 1.5 * turned, `${r} ${turned} ${await oxygen()}`);
  assertClose(await other.page.evaluate(() => scrollX), 0, "no scrolling aside");
  assert.deepEqual(other.problems, []);
  await other.close();
});
