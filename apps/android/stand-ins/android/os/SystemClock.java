package android.os;

import standin.Phone;

public final class SystemClock {
  private SystemClock() {}

  public static long elapsedRealtime() {
    return Phone.nowMs;
  }
}
