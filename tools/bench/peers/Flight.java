import java.io.DataInputStream;
import java.io.FileInputStream;
import java.io.BufferedInputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import jdk.jfr.StackTrace;

/** Java Flight Recorder: Flight record, or Flight replay ROWS FILE. JFR stamps the events itself. */
public class Flight {
  @Name("bench.Fact")
  @StackTrace(false)
  static class Fact extends Event {
    byte verb;
    byte kind;
    short name;
    short label;
    int subject;
    long value;
  }

  @Name("bench.Bare")
  @StackTrace(false)
  static class Bare extends Event {
    byte verb;
    byte kind;
    short name;
    short label;
    int subject;
  }

  static void timer() {
    Bare fact = new Bare();
    if (!fact.isEnabled()) return;
    fact.verb = 9;
    fact.name = 7;
    fact.label = 3;
    fact.subject = 1;
    fact.commit();
  }

  static void show(String name, boolean rests) throws Exception {
    double[] times = new double[4000];
    for (int batch = -20000; batch < times.length; batch++) {
      long start = System.nanoTime();
      for (int count = 0; count < 64; count++) timer();
      long time = System.nanoTime() - start;
      if (batch >= 0) times[batch] = time / 64.0;
      if (rests && batch % 100 == 0) Thread.sleep(5);
    }
    Arrays.sort(times);
    System.out.println(name + "\t" + times[2000] + "\t" + times[3960]);
  }

  static Recording begin(boolean isOn) {
    Recording recording = new Recording();
    if (isOn) {
      recording.enable(Fact.class).withoutThreshold();
      recording.enable(Bare.class).withoutThreshold();
    } else {
      recording.disable(Fact.class);
      recording.disable(Bare.class);
    }
    recording.start();
    return recording;
  }

  static void replay(String rows, String out) throws Exception {
    try (Recording recording = begin(true);
        DataInputStream input =
            new DataInputStream(new BufferedInputStream(new FileInputStream(rows)))) {
      byte[] bytes = new byte[32];
      ByteBuffer row = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      while (input.available() > 0) {
        input.readFully(bytes);
        if ((bytes[31] & 128) != 0) {
          Fact fact = new Fact();
          fact.value = row.getLong(8);
          fact.name = (short) row.getInt(16);
          fact.label = (short) row.getInt(20);
          fact.subject = row.getInt(24);
          fact.verb = bytes[30];
          fact.kind = bytes[31];
          fact.commit();
        } else {
          Bare fact = new Bare();
          fact.name = (short) row.getInt(16);
          fact.label = (short) row.getInt(20);
          fact.subject = row.getInt(24);
          fact.verb = bytes[30];
          fact.kind = bytes[31];
          fact.commit();
        }
      }
      recording.stop();
      recording.dump(Path.of(out));
    }
  }

  public static void main(String[] words) throws Exception {
    if (words.length == 3) {
      replay(words[1], words[2]);
      return;
    }
    try (Recording recording = begin(false)) {
      show("off", false);
    }
    try (Recording recording = begin(true)) {
      show("fact", true);
    }
  }
}
