// Exact areas under the precision-recall curve from cases.json, for check.py.
"use strict";
const fs = require("fs");

function samples(c) {
  if (!c.generator) return [c.y_true, c.y_score, c.sample_weight || c.y_true.map(() => 1)];
  const g = c.generator, y = [], s = [];
  let x = g.seed; // multiplier * modulus < 2^53, so every product is exact
  for (let i = 0; i < g.n_samples; i++) {
    x = (x * g.multiplier) % g.modulus;
    y.push(x < g.positive_below ? 1 : 0);
    x = (x * g.multiplier) % g.modulus;
    s.push(Math.floor(x / g.score_divisor) + g.positive_shift * y[i]);
  }
  return [y, s, y.map(() => 1)];
}

// Points [f, t] of the ROC curve in counts, one per distinct score.
function rocCurve([y, s, w]) {
  const order = [...y.keys()].filter((i) => w[i] > 0).sort((i, j) => (s[i] > s[j] ? -1 : s[i] < s[j] ? 1 : 0));
  const points = [[0, 0]];
  order.forEach((i, at) => {
    const [f, t] = points[points.length - 1];
    const next = y[i] ? [f, t + w[i]] : [f + w[i], t];
    if (at > 0 && s[i] === s[order[at - 1]]) points[points.length - 1] = next;
    else points.push(next);
  });
  return points;
}

function hull(points) {
  const h = [];
  for (const [f, t] of points) {
    for (let n = h.length; n > 1; n--) {
      const [[f0, t0], [f1, t1]] = h.slice(-2);
      if ((f1 - f0) * (t - t1) < (f - f1) * (t1 - t0)) break;
      h.pop();
    }
    h.push([f, t]);
  }
  return h;
}

function xMinusLog1p(x) { // by its series where the two terms cancel
  let sum = x > 0.1 ? x - Math.log1p(x) : 0;
  if (x <= 0.1) for (let k = 18; k > 1; k--) sum += (-x) ** k / k;
  return sum;
}

function area(points, [low, high]) {
  const P = points[points.length - 1][1];
  let sum = 0;
  for (let i = 1; i < points.length; i++) {
    const [[f0, t0], [f1, t1]] = [points[i - 1], points[i]];
    const a = Math.max(t0, low * P), b = Math.min(t1, high * P), slope = (f1 - f0) / (t1 - t0);
    if (!(a < b)) continue;
    const n = a + f0 + slope * (a - t0), x = ((b - a) * (1 + slope)) / n;
    const scaled = a * Math.log1p(x) + (n * xMinusLog1p(x)) / (1 + slope);
    sum += n === 0 ? (b - a) / (1 + slope) : scaled / (1 + slope);
  }
  return sum / P;
}

if (process.argv.length !== 4) {
  console.error("usage: node runner.js cases.json results.json");
  process.exit(2);
}
const results = { auc_pr: {}, auc_pr_achievable: {}, aucnpr: {} };
for (const c of JSON.parse(fs.readFileSync(process.argv[2])).cases) {
  let points = rocCurve(samples(c));
  const [N, P] = points[points.length - 1], range = c.recall_range || [0, 1];
  const factor = c.prevalence ? (P * (1 - c.prevalence)) / (c.prevalence * N) : 1;
  const defined = P > 0 && (N > 0 || !c.prevalence);
  points = points.map(([f, t]) => [f * factor, t]);
  const value = area(points, range), minimum = area([[0, 0], [N * factor, 0], [N * factor, P]], range);
  results.auc_pr[c.name] = defined ? value : null;
  results.auc_pr_achievable[c.name] = defined ? area(hull(points), range) : null;
  results.aucnpr[c.name] = defined && N > 0 ? (value - minimum) / (range[1] - range[0] - minimum) : null;
}
fs.writeFileSync(process.argv[3], JSON.stringify(results, null, 1) + "\n");
