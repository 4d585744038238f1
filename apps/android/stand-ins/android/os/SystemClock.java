package android.os;

import standin.Phone;

public final class SystemClock {
  public static long elapsedRealtime() {
    return Phone.nowMs;
  }
}
