// Rows with similar explanations: k-means of the features' signed shares of a row's contributions.
// No random draws: the first center is the row nearest to the mean, each further one the row that
// is farthest from the centers so far.
import { ascending, greatest, least, mean, sum } from "d3-array";
import type { Report } from "./data";

const kSample = 2000, kColumns = 60, kRounds = 50, kMost = 6;

type Points = Float64Array[];

/** The contributions of rows, divided by the sum of their absolute values. */
function sharesOf(report: Report, rows: number[]): Points {
  const columns = report.order.slice(0, kColumns).map(column => report.columnContributions(column));
  return rows.map(row => {
    const parts = Float64Array.from(columns, column => column[row]);
    const size = sum(parts, Math.abs) || 1;
    return parts.map(part => part / size);
  });
}

function distance(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; ++i) sum += (a[i] - b[i]) ** 2;
  return sum;
}

function nearest(point: Float64Array, centers: Points): [place: number, distance: number] {
  let best = 0, least = Infinity;
  centers.forEach((center, c) => {
    const far = distance(point, center);
    if (far < least) [best, least] = [c, far];
  });
  return [best, least];
}

function meanOf(points: Points): Float64Array {
  const mean = new Float64Array(points[0].length);
  for (const point of points) {
    for (let i = 0; i < mean.length; ++i) mean[i] += point[i] / points.length;
  }
  return mean;
}

function starts(points: Points, count: number): Points {
  const middle = meanOf(points), centers = [least(points, point => distance(point, middle))!];
  while (centers.length < count) {
    centers.push(greatest(points, point => nearest(point, centers)[1])!);
  }
  return centers;
}

/** Lloyd's algorithm. */
export function kMeans(points: Points, count: number): Points {
  let centers = starts(points, count), before = "";
  for (let round = 0; round < kRounds; ++round) {
    const of = points.map(point => nearest(point, centers)[0]), now = of.join();
    if (now === before) break;
    before = now;
    centers = centers.map((center, c) => {
      const own = points.filter((_, i) => of[i] === c);
      return own.length > 0 ? meanOf(own) : center;
    });
  }
  return centers;
}

/** Mean of 1 − (distance to the own center) / (distance to the next center). */
const separation = (points: Points, centers: Points) =>
  mean(points, point => {
    const far = centers.map(center => Math.sqrt(distance(point, center))).sort(ascending);
    return far[1] > 0 ? 1 - far[0] / far[1] : 0;
  })!;

/** The cluster of every row, largest cluster first: two to six, whichever separates best. */
export function clustersOf(report: Report): { of: Uint8Array; count: number } {
  const all = report.all(), step = Math.max(1, Math.ceil(all.length / kSample));
  const points = sharesOf(report, all.filter(row => row % step === 0));
  const tried = Array.from({ length: Math.min(kMost, points.length) - 1 },
    (_, i) => kMeans(points, i + 2)).map(centers => ({ centers,
      apart: separation(points, centers) })
    );
  if (tried.length === 0) return { of: new Uint8Array(all.length), count: 1 };
  const { centers } = tried.reduce((best, own) => (own.apart > best.apart + 1e-9 ? own : best));
  const of = Uint8Array.from(sharesOf(report, all), point => nearest(point, centers)[0]),
    sizes = new Uint32Array(centers.length);
  for (const cluster of of) ++sizes[cluster];
  const order = Array.from(sizes.keys()).filter(c => sizes[c] > 0).sort((a, b) =>
    sizes[b] - sizes[a] || a - b
  );
  return { of: of.map(cluster => order.indexOf(cluster)), count: order.length };
}
