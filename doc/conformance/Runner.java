// Exact areas under the precision-recall curve from cases.json, for check.py.
//     java Runner.java cases.json results.json
import java.nio.file.*;
import java.util.*;
import java.util.regex.*;

class Runner {
    /** The numbers of a key in the text of a case. No key occurs twice in the inputs of a case. */
    static double[] numbers(String text, String key, double... otherwise) {
        Matcher found = Pattern.compile('"' + key + "\":\\s*(\\[[^\\]]*\\]|[^,}\\s]+)").matcher(text);
        if (!found.find()) return otherwise;
        String[] items = found.group(1).replaceAll("[\\[\\]\\s]", "").split(",");
        return Arrays.stream(items).mapToDouble(Double::parseDouble).toArray();
    }

    static double[][] samples(String text) { // labels, scores, weights
        double[] y = numbers(text, "y_true"), s = numbers(text, "y_score"), n = numbers(text, "n_samples", y.length);
        double[] ones = new double[(int) n[0]];
        Arrays.fill(ones, 1);
        if (y.length > 0) return new double[][] {y, s, numbers(text, "sample_weight", ones)};
        double x = numbers(text, "seed")[0], a = numbers(text, "multiplier")[0], m = numbers(text, "modulus")[0];
        double below = numbers(text, "positive_below")[0], divisor = numbers(text, "score_divisor")[0];
        double shift = numbers(text, "positive_shift")[0];
        y = new double[ones.length];
        s = new double[ones.length];
        for (int i = 0; i < y.length; i++) { // products are below 2^53 and exact
            y[i] = (x = x * a % m) < below ? 1 : 0;
            s[i] = Math.floor((x = x * a % m) / divisor) + shift * y[i];
        }
        return new double[][] {y, s, ones};
    }

    static List<double[]> hull(List<double[]> points) { // points are (f, t)
        List<double[]> h = new ArrayList<>();
        for (double[] q : points) {
            for (int n = h.size(); n > 1; h.remove(--n)) {
                double[] a = h.get(n - 2), b = h.get(n - 1);
                if ((b[0] - a[0]) * (q[1] - b[1]) < (q[0] - b[0]) * (b[1] - a[1])) break;
            }
            h.add(q);
        }
        return h;
    }

    static double area(List<double[]> points, double[] range) {
        double sum = 0, total = points.get(points.size() - 1)[1];
        for (int i = 1; i < points.size(); i++) {
            double[] p = points.get(i - 1), q = points.get(i);
            double a = Math.max(p[1], range[0] * total), b = Math.min(q[1], range[1] * total);
            if (a >= b) continue;
            double slope = (q[0] - p[0]) / (q[1] - p[1]), n = a + p[0] + slope * (a - p[1]);
            double x = (b - a) * (1 + slope) / n, y = x > 0.1 ? x - Math.log1p(x) : 0;
            for (int k = 18; k > 1 && x <= 0.1; k--) y += Math.pow(-x, k) / k; // the same without cancellation
            sum += (n == 0 ? b - a : a * Math.log1p(x) + n * y / (1 + slope)) / (1 + slope);
        }
        return sum / total;
    }

    public static void main(String[] paths) throws Exception {
        if (paths.length != 2) throw new IllegalArgumentException("usage: java Runner.java cases.json results.json");
        String[] out = {"{\"auc_pr\": {", "\"auc_pr_achievable\": {", "\"aucnpr\": {"};
        for (String text : Files.readString(Path.of(paths[0])).replaceFirst("(?s).*?\"name\": ", "").split("\"name\": ")) {
            double[][] d = samples(text); // the counts of each score; + 0.0 makes 0.0 of -0.0
            TreeMap<Double, double[]> tied = new TreeMap<>(Comparator.reverseOrder());
            for (int i = 0; i < d[0].length; i++)
                if (d[2][i] > 0) tied.computeIfAbsent(d[1][i] + 0.0, s -> new double[2])[(int) d[0][i]] += d[2][i];
            List<double[]> points = new ArrayList<>(List.of(new double[2]));
            double[] end = {0, 0}, p0 = numbers(text, "prevalence"), range = numbers(text, "recall_range", 0, 1);
            for (double[] x : tied.values()) points.add(end = new double[] {end[0] + x[0], end[1] + x[1]});
            double factor = p0.length == 0 ? 1 : end[1] * (1 - p0[0]) / (p0[0] * end[0]);
            points.replaceAll(p -> new double[] {p[0] * factor, p[1]});
            end = new double[] {end[0] * factor, end[1]};
            double value = area(points, range), least = area(List.of(new double[2], new double[] {end[0], 0}, end), range);
            double[] values = {value, area(hull(points), range), (value - least) / (range[1] - range[0] - least)};
            for (int i = 0; i < 3; i++) // NaN where the value is undefined
                out[i] += (out[i].endsWith("{") ? "\n " : ",\n ") + text.split(",")[0] + ": " + (Double.isFinite(values[i]) ? values[i] : "null");
        }
        Files.writeString(Path.of(paths[1]), String.join("},\n", out) + "}}\n");
    }
}
