package arena.holo.app;

import android.content.Intent;
import android.net.Uri;
import android.webkit.WebResourceRequest;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import standin.Browser;
import standin.Phone;
import standin.Screen;

/** Runs the app on stand-ins of Android and prints one line per check. */
public final class Checks {
  interface Check {
    void run();
  }

  private Checks() {}

  /** @param words `addresses` includes the address checks, equal on every API level */
  public static void main(String[] words) {
    if (Arrays.asList(words).contains("addresses")) {
      OriginChecks.run();
      PageChecks.runAddresses();
    }
    PageChecks.run();
    CheckoutChecks.run();
    LoadErrorChecks.run();
    FileChecks.run();
    ScreenChecks.run();
    System.out.println("question\t" + PageTheme.QUESTION);
  }

  /** Runs one check on a new phone. */
  static void that(String title, Check check) {
    Phone.reset();
    Screen.stageId = R.id.stage;
    Browser.theme = "null";
    try {
      check.run();
      System.out.println("ok\t" + title);
    } catch (Exception | AssertionError | NoSuchMethodError fault) {
      System.out.println("failed\t" + title + "\t" + fault);
    }
  }

  static void equal(Object actual, Object expected) {
    if (!Objects.equals(actual, expected)) throw new AssertionError(actual + " where " + expected + " was expected");
  }

  /** What the app did since the last call. */
  static void done(String... expected) {
    equal(Phone.listDone(), Arrays.asList(expected));
  }

  /** Filtered by prefix. */
  static void doneOf(String words, String... expected) {
    List<String> done = Phone.listDone();
    done.removeIf(what -> Arrays.stream(words.split("\\|")).noneMatch(what::startsWith));
    equal(done, Arrays.asList(expected));
  }

  /** A started app without a page. */
  static ArenaActivity start() {
    ArenaActivity app = new ArenaActivity();
    app.onCreate(null);
    app.onStart();
    return app;
  }

  /** A started app with its first page. */
  static ArenaActivity startAt(String url) {
    ArenaActivity app = start();
    Browser.latest.arrive(url);
    Phone.listDone();
    return app;
  }

  static Intent link(String url) {
    return new Intent(Intent.ACTION_VIEW, url == null ? null : Uri.parse(url));
  }

  /** Whether the page may navigate there itself. */
  static boolean goes(String url, boolean isMainFrame) {
    return !Browser.latest.client.shouldOverrideUrlLoading(Browser.latest.web, request(url, isMainFrame));
  }

  static WebResourceRequest request(String url, boolean isMainFrame) {
    return new WebResourceRequest() {
      @Override
      public Uri getUrl() {
        return Uri.parse(url);
      }

      @Override
      public boolean isForMainFrame() {
        return isMainFrame;
      }
    };
  }
}
