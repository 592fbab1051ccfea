// Google's library in Java, timed like the others in bench/engine.ts: see peers.ts.
import com.google.i18n.phonenumbers.PhoneNumberUtil;
import com.google.i18n.phonenumbers.PhoneNumberUtil.PhoneNumberFormat;
import com.google.i18n.phonenumbers.Phonenumber.PhoneNumber;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

class Peer {
  interface Task {
    void run(String[] sample) throws Exception;
  }

  static final PhoneNumberUtil UTIL = PhoneNumberUtil.getInstance();
  /** Consumes results, so that no work can be optimized away. */
  static long seen = 0;

  static void facts(PhoneNumber number) {
    seen += UTIL.getNumberType(number).ordinal() + (UTIL.isValidNumber(number) ? 1 : 0);
    seen += String.valueOf(UTIL.getRegionCodeForNumber(number)).length();
  }

  static void formats(PhoneNumber number) {
    seen += UTIL.format(number, PhoneNumberFormat.NATIONAL).length();
    seen += UTIL.format(number, PhoneNumberFormat.INTERNATIONAL).length();
  }

  /** Of all threads: the compiler and the garbage collector work for the library too. */
  static long spent() {
    var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return system.getProcessCpuTime();
  }

  public static void main(String[] arguments) throws Exception {
    int rounds = Integer.parseInt(arguments[0]);
    var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    List<String[]> samples = input.lines().map(line -> line.split("\t", -1)).toList();
    Map<String, Task> tasks = new TreeMap<>();
    tasks.put("whole result of E.164", sample -> {
      var number = UTIL.parse(sample[0], "ZZ");
      facts(number);
      formats(number);
    });
    tasks.put("valid, type, region of E.164", sample -> facts(UTIL.parse(sample[0], "ZZ")));
    tasks.put("parse E.164", sample -> seen += UTIL.parse(sample[0], "ZZ").getNationalNumber());
    tasks.put("parse national format", sample -> seen += UTIL.parse(sample[1], sample[2]).getNationalNumber());
    for (var task : tasks.entrySet()) {
      // The first rounds are warm-up: the compiler works for seconds.
      for (int round = -10; round < rounds; round++) {
        long started = spent();
        long calls = 0;
        while (spent() - started < 200_000_000L) {
          for (String[] sample : samples) task.getValue().run(sample);
          calls += samples.size();
        }
        if (round >= 0) System.out.println(task.getKey() + "\t" + (double) (spent() - started) / calls);
      }
    }
    if (seen == 0) System.exit(1);
  }
}
