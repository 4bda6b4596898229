// Reports of rarer kinds: detectors, centroids, dot products, categories and images.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { matrix, texts, writeNpz } from "./npz.mjs";
import { assertAccessible, assertClose, bisector, computed, dropOthers, explain, inFolder, launch,
  openReport, pattern, removeFolder, replaceNumber, rowNumber, rowShown, sampleTable, saved, settle,
  windows, write } from "./support.mjs";

let browser, state = 11;
const random = () => ((state = (state * 48271) % 2147483647) / 2147483647);
before(async () => {
  browser = await launch();
});
after(async () => {
  await browser?.close();
  removeFolder();
});

/** Opens a report and compares what the page computes for its row with the command. */
async function openAndCompare(model, data, options, ...words) {
  bisector("report", inFolder(model), inFolder(data), "-o", inFolder("report.html"), ...words);
  const opened = await openReport(browser, inFolder("report.html"), options);
  const { page } = opened;
  const number = await rowNumber(page),
    expected = explain(model, data).find(({ row }) => Number(row) === number);
  await page.waitForSelector("#what-if-result[data-output]");
  const now = await computed(page),
    { columns } = JSON.parse(await page.textContent("#report-data"));
  assertClose(now.output, expected.output, "output");
  columns.forEach(({ name }, i) => assertClose(now.contributions[i], Number(expected[name]), name));
  assert.deepEqual(opened.problems, []);
  return { ...opened, expected };
}

/** Two columns with a dense middle and a few rows far from it. */
const writePoints = (name, count) =>
  write(name, ["a,b", ...Array.from({ length: count }, () =>
    [random() + random(), random() * (random() < 0.1 ? 9 : 1)].map(v =>
      v.toFixed(4)
    ).join(","))]);

test("a one-class model: inside and outside", async () => {
  writePoints("points.csv", 80);
  bisector("train", inFolder("points.csv"), "--model", "oneclass", "--outliers", "0.2", "-o",
    inFolder("one.npz"));
  const { page, expected, close } = await openAndCompare("one.npz", "points.csv", {});
  assert.match(await page.textContent("#about"), /one-class SVM: class 1 is inside, -1 outside/);
  const names = { 1: "inside the usual range", "-1": "outside the usual range" };
  assert.match(await page.textContent("#row-sentences"),
    new RegExp(`^Row ${expected.row} is ${names[expected.prediction]}\\.`));
  assert.match(await page.textContent("#importance"), /makes it more usual, makes it more unusual/);
  const shown = await page.$$eval("#rows tbody td:nth-child(2)",
    cells => [...new Set(cells.map(cell => cell.textContent))]);
  assert.ok(shown.length > 0 && shown.every(label => Object.values(names).includes(label)),
    String(shown));
  await close();
});

test("local outlier factors: the threshold is compared with the points", async () => {
  writePoints("rows.csv", 60);
  bisector("train", inFolder("rows.csv"), "--model", "lof", "--k", "7", "-o", inFolder("lof.npz"));
  const { page, close } = await openAndCompare("lof.npz", "rows.csv", {});
  const sides = await page.$$eval("#points .sides > div", all => all.map(side => side.textContent));
  assert.match(sides.find(side => side.startsWith("makes it more unusual")),
    /the threshold: 100 %/);
  await close();
});

test("nearest centroids: each row between its class and the next", async () => {
  const centroids = [[0, 0, 0], [3, 0, 1], [0, 3, -1]], labels = ["red", "green", "blue"];
  writeNpz(inFolder("centroids.npz"), {
    meta: texts([JSON.stringify({ format: "bisector-model", version: 3, kind: "centroids" })], []),
    centroids: matrix(centroids),
    labels: texts(labels),
    feature_names: texts(["x", "y", "z"])
  });
  const rows = Array.from({ length: 30 },
    (_, r) => centroids[r % 3].map(value => value + random() - 0.5));
  write("rows.csv", ["x,y,z", ...rows.map(row => row.map(value => value.toFixed(4)).join(","))]);
  const { page, expected, close } = await openAndCompare("centroids.npz", "rows.csv", {});
  assert.match(await page.textContent("#about"), /nearest centroid/);
  assert.match(await page.textContent("#row-sentences"),
    new RegExp(`is predicted ${expected.prediction}`));
  const shown = await page.$$eval("#rows tbody td:nth-child(2)",
    cells => new Set(cells.map(cell => cell.textContent)).size);
  assert.equal(shown, 3);
  // Each side is one centroid, which is all of it.
  const sides = await page.$$eval("#points .sides > div", all => all.map(side => side.textContent));
  assert.ok(sides[0].startsWith(`pushes toward ${expected.prediction}`), String(sides));
  for (const side of sides) assert.match(side, /centroid \d: 100 %/);
  await close();
});

test("a value that was filled in is marked wherever it is shown", async () => {
  const lines = ["age,dose,kind"];
  for (let r = 0; r < 40; ++r) {
    const [age, dose] = [20 + 5 * (r % 9) + r % 4, (r * 7 % 11) / 2];
    lines.push(
      [r === 4 ? "" : age, r === 4 || r === 9 ? "" : dose, age + 4 * dose > 50 ? "ill" : "well"]
        .join(",")
    );
  }
  write("gaps.csv", lines);
  bisector("train", inFolder("gaps.csv"), "--target", "kind", "--model", "svm", "-o",
    inFolder("gaps.npz"));
  bisector("report", inFolder("gaps.npz"), inFolder("gaps.csv"), "--target", "kind", "-o",
    inFolder("gaps.html"));
  const { page, close } = await openReport(browser, inFolder("gaps.html"));
  assert.match(await page.textContent("#summary-lines"),
    pattern("In 2 of the 40 rows of the table ",
      String.raw`a missing value was filled in, most often of dose \(2 rows\)\.`));
  await page.evaluate(() => {
    location.hash = "row=5&feature=dose";
  });
  await rowShown(page, 5);
  await settle(page);
  assert.ok((await page.textContent("#row .chart")).match(/ \(filled in\)/g).length >= 2);
  assert.match(await page.textContent("#rows tbody tr:nth-child(5)"), / \(filled in\)/);
  assert.doesNotMatch(await page.textContent("#rows tbody tr:nth-child(6)"), /filled in/);
  const marks = () =>
    page.$$eval("#what-if .filled", all => all.filter(mark => !mark.hidden).length);
  assert.equal(await marks(), 2);
  await replaceNumber(page, "#what-if input[aria-label='dose, exactly']", "1.25");
  assert.equal(await marks(), 1);
  const csv = String(await saved(page, "#save-rows")).trim().split("\r\n");
  assert.ok(csv[0].split(",").includes("filled in"), csv[0]);
  assert.match(csv[5], /"(age, dose|dose, age)"/);
  assert.match(csv[10], /,dose,/);
  await close();
});

test("a kernel of the dot product: the decision value itself", async () => {
  write("sums.csv", ["a,b,c,label",
    ...Array.from({ length: 60 }, () => [random() - 0.5, random() - 0.5, random()]).map(v =>
      [...v.map(x => x.toFixed(4)), v[0] * v[1] + 0.3 * v[0] > 0 ? "yes" : "no"].join(",")
    )]);
  bisector("train", inFolder("sums.csv"), "--model", "svm", "--target", "label", "--kernel",
    "poly:degree=2", "-o", inFolder("poly.npz"));
  const { page, close } = await openAndCompare("poly.npz", "sums.csv", {});
  assert.match(await page.textContent("#about"),
    /polynomial \(degree 2\) SVM classifier.*dot products/s);
  assert.match(await page.textContent("#rule"), /Contributions are computed by .* \(ig\)/);
  assert.match(await page.textContent("#row"), /compares no pairs of training rows/);
  assert.equal(await page.locator("#view").count(), 0);
  await close();
});

test("Gower: a category is selected by its name, and its points are spread", async () => {
  const towns = ["Bonn", "Kiel", "Ulm"];
  write("flats.csv", ["area,town,rent", ...Array.from({ length: 60 }, (_, r) => {
    const area = 40 + 60 * random();
    return [area.toFixed(1), towns[r % 3], (area + (r % 3 === 0 ? 80 : 0)).toFixed(1)].join(",");
  })]);
  bisector("train", inFolder("flats.csv"), "--model", "knnr", "--target", "rent", "--metric",
    "gower", "-o", inFolder("gower.npz"));
  const { page, close } = await openAndCompare("gower.npz", "flats.csv", {});
  assert.match(await page.textContent("#about"), /Gower \(1 category\)/);
  const options = await page.$$eval("#what-if select option",
    all => all.map(option => option.textContent));
  for (const town of towns) assert.ok(options.includes(town), String(options));
  await page.selectOption("#dependence select >> nth=0", { label: "town" });
  await settle(page);
  const [width, painted] = await page.$eval("#dependence canvas", canvas => {
    const { width, height } = canvas;
    const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
    const columns = new Set();
    for (let i = 0; i < width * height; ++i) if (data[4 * i + 3] > 0) columns.add(i % width);
    return [width, columns.size];
  });
  // Points of three levels at three places would paint the width of three points.
  assert.ok(painted > width / 5, `${painted} of ${width} columns of pixels`);
  await close();
});

test("images: contributions over the pixels", async () => {
  const side = 8;
  const line = r => {
    const isUpright = r % 2 === 0, at = 2 + Math.floor(random() * 4);
    const pixels = Array.from({ length: side * side },
      (_, p) => ((isUpright ? p % side : Math.floor(p / side)) === at ? 0.8 : 0) + 0.2 * random());
    return [...pixels.map(value => value.toFixed(3)), isUpright ? "upright" : "level"].join(",");
  };
  write("digits.csv", [
    [...Array.from({ length: side * side }, (_, p) => `p${p}`), "label"].join(","),
    ...Array.from({ length: 80 }, (_, r) => line(r))
  ]);
  bisector("train", inFolder("digits.csv"), "--model", "svm", "--target", "label", "--gamma",
    "0.05", "-o", inFolder("digits.npz"));
  const opened = await openAndCompare("digits.npz", "digits.csv", windows.dark, "--layout", "8x8");
  const { page, expected, close } = opened;
  const canvases = await page.$$eval("#row canvas.picture",
    all =>
      all.map(canvas => ({ label: canvas.getAttribute("aria-label"),
        size: [canvas.width, canvas.height],
        pixels: [...canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data] })
      ));
  assert.deepEqual(canvases.map(({ label }) => label.split(": ")[1]), ["the image", "contributions",
    "contributions over the image"]);
  for (const { size } of canvases) assert.deepEqual(size, [side, side]);
  // The image has one line of bright pixels. The strongest contribution has the color of its sign.
  const relevance = Array.from({ length: side * side }, (_, p) => Number(expected[`p${p}`]));
  const strongest = relevance.reduce(
    (best, value, p) => (Math.abs(value) > Math.abs(relevance[best]) ? p : best),
    0
  );
  const [red, , blue] = canvases[1].pixels.slice(4 * strongest, 4 * strongest + 3);
  assert.equal(red > blue, relevance[strongest] > 0);
  assert.equal(canvases[0].pixels.filter((value, i) => i % 4 === 0 && value > 190).length, side);
  await assertAccessible(opened, "pictures-dark");
  await close();
});

for (
  const [name, [target, ...words]] of Object.entries({ "regression": ["number", "--model", "krr"],
    "votes": ["two", "--model", "knn", "--k", "5"], "three classes": ["three", "--model", "svm"],
    "detector": ["", "--model", "lof", "--k", "9", "--drop", "color"] })
) {
  test(`axe finds nothing in light and dark colors: ${name}`, async () => {
    write("table.csv", sampleTable(120));
    const wanted = target === "" ? [] : ["--target", target];
    bisector("train", inFolder("table.csv"), ...words, ...wanted, ...dropOthers(target), "-o",
      inFolder("table.npz"));
    bisector("report", inFolder("table.npz"), inFolder("table.csv"), ...wanted, "-o",
      inFolder("table.html"));
    for (const mode of ["light", "dark"]) {
      const opened = await openReport(browser, inFolder("table.html"), windows[mode]);
      await assertAccessible(opened, `${name}-${mode}`);
      await opened.close();
    }
  });
}

/** Lines of a table without a header. */
const lines = (count, line) => Array.from({ length: count }, (_, r) => line(r).join(","));

test("images of a network: maps and training images, and no what-if", async () => {
  const side = 4, pixels = side * side;
  write("embeddings.csv", ["u,v,label", ...lines(30, r => [r % 2, r % 5, r % 2 ? "b" : "a"])]);
  bisector("train", inFolder("embeddings.csv"), "--model", "knn", "--target", "label", "--k", "3",
    "-o", inFolder("embeddings.npz"));
  // Each image has one bright pixel, which has the only contribution.
  const image = size => r => Array.from({ length: pixels }, (_, p) => p === r % 16 ? size : 0);
  write("values.csv", lines(30, image(1)));
  write("relevance.csv", lines(30, image(2)));
  write("totals.csv", lines(30, () => [3, 1, 0]));
  write("network.json", [
    JSON.stringify({ network: "SmallNet", method: "lrp-expected",
      names: Array.from({ length: pixels }, (_, p) => `p${p}`), values: "values.csv",
      relevance: "relevance.csv", totals: "totals.csv", points: "values.csv" })
  ]);
  bisector("report", inFolder("embeddings.npz"), inFolder("embeddings.csv"), "--target", "label",
    "--layout", "4x4", "--network", inFolder("network.json"), "-o", inFolder("network.html"));
  const opened = await openReport(browser, inFolder("network.html"), windows.dark);
  const { page, close } = opened;
  const bright = ((await rowNumber(page)) - 1) % 16;
  const maps = await page.$$eval("#row canvas.picture",
    all =>
      all.map(
        canvas => [...canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data]
      ));
  const colors = Array.from({ length: pixels }, (_, p) => maps[1].slice(4 * p, 4 * p + 3).join());
  assert.equal(colors.filter(color => color !== colors[(bright + 1) % 16]).length, 1);
  assert.notEqual(colors[bright], colors[(bright + 1) % 16]);
  assert.ok((await page.$$("#points canvas")).length > 0);
  assert.match(await page.textContent("#what-if"), /predictions go through a network/);
  assert.match(await page.textContent("#about"), /embeddings of a network \(SmallNet\)/);
  await assertAccessible(opened, "network-dark");
  assert.deepEqual(opened.problems, []);
  await close();
});
