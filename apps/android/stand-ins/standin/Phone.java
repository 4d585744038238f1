package standin;

import android.app.DownloadManager;
import android.content.Intent;
import android.content.SharedPreferences;
import android.net.Uri;
import android.os.Build;
import android.webkit.CookieManager;
import android.webkit.ServiceWorkerController;
import java.util.AbstractMap.SimpleEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The phone: what a check sets and what the app did. */
public final class Phone {
  /** The app's calls, in order. */
  public static final List<String> tape = new ArrayList<>();
  public static final List<Integer> toasts = new ArrayList<>();
  /** Scheduled work. */
  public static final List<Map.Entry<Runnable, Long>> posted = new ArrayList<>();
  public static DownloadManager downloads;
  public static SharedPreferences preferences;
  public static CookieManager cookies;
  public static ServiceWorkerController workers;
  public static Screen screen;
  public static Intent launch;
  public static Uri[] chosen;
  public static String engine;
  public static boolean isWithoutEngine;
  public static boolean isWithoutDownloads;
  public static boolean isWithoutStorage;
  public static boolean isWithoutPrograms;
  public static long nowMs;

  private Phone() {}

  /** Resets to a new phone where everything works. */
  public static void reset() {
    tape.clear();
    toasts.clear();
    posted.clear();
    downloads = Made.of(DownloadManager.class);
    preferences = new Memory();
    cookies = new Cookies();
    workers = new Workers();
    launch = null;
    chosen = null;
    engine = "Mozilla/5.0 (Linux; Android 15; wv) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.6778.39 Mobile";
    isWithoutEngine = false;
    isWithoutDownloads = false;
    isWithoutStorage = false;
    isWithoutPrograms = false;
    nowMs = 1_000_000;
  }

  public static void note(String what) {
    tape.add(what);
  }

  /** Fails like a phone without the method. */
  public static void needs(int sdk) {
    if (Build.VERSION.SDK_INT < sdk) throw new NoSuchMethodError("asks for " + sdk);
  }

  /** The calls since the last time. */
  public static List<String> listDone() {
    List<String> done = new ArrayList<>(tape);
    tape.clear();
    return done;
  }

  public static void start(Intent intent) {
    if (isWithoutPrograms) throw new android.content.ActivityNotFoundException();
    note("start " + intent);
  }

  public static void post(Runnable action, long delayMs) {
    posted.add(new SimpleEntry<>(action, nowMs + delayMs));
  }

  public static void unpost(Runnable action) {
    for (Map.Entry<Runnable, Long> later : new ArrayList<>(posted)) {
      if (later.getKey() == action) posted.remove(later);
    }
  }

  /** Advances time and runs the scheduled work. */
  public static void pass(long ms) {
    nowMs += ms;
    for (Map.Entry<Runnable, Long> later : new ArrayList<>(posted)) {
      if (later.getValue() <= nowMs && posted.remove(later)) later.getKey().run();
    }
  }
}
