import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import weka.classifiers.evaluation.NominalPrediction;
import weka.classifiers.evaluation.Prediction;
import weka.classifiers.evaluation.ThresholdCurve;

/** Weka's area for each case: java -cp weka.jar doc/MeasureWeka.java CASES.csv
 *
 *  CASES.csv holds case, y_true, y_score and weight (empty without weights). Lines of
 *  program, case and value are printed. measure_tools.py writes the file, runs this and reads
 *  what it prints.
 */
class MeasureWeka {
    public static void main(String[] args) throws Exception {
        Map<String, ArrayList<Prediction>> cases = new LinkedHashMap<>();
        for (String line : Files.readAllLines(Path.of(args[0])).stream().skip(1).toList()) {
            String[] cells = line.split(",", -1);
            double score = Double.parseDouble(cells[2]);
            double weight = cells[3].isEmpty() ? 1 : Double.parseDouble(cells[3]);
            cases.computeIfAbsent(cells[0], name -> new ArrayList<>()).add(
                new NominalPrediction(
                    Double.parseDouble(cells[1]), new double[] {1 - score, score}, weight));
        }
        System.out.println("version,weka," + weka.core.Version.VERSION);
        cases.forEach((name, rows) -> System.out.println("weka," + name + ","
            + ThresholdCurve.getPRCArea(new ThresholdCurve().getCurve(rows, 1))));
    }
}
