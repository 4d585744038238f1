package arena.holo.app;

import static arena.holo.app.Checks.doneOf;
import static arena.holo.app.Checks.equal;
import static arena.holo.app.Checks.goes;
import static arena.holo.app.Checks.link;
import static arena.holo.app.Checks.start;
import static arena.holo.app.Checks.startAt;
import static arena.holo.app.Checks.that;
import static arena.holo.app.OriginChecks.show;

import android.os.Build;
import java.util.Map;
import java.util.TreeMap;
import standin.Browser;
import standin.Phone;
import standin.Settings;

/** What a page can and cannot do. */
final class PageChecks {
  private static final String HOME = "https://arena.example/";

  private PageChecks() {}

  static void run() {
    that("opens the site and follows its own links", PageChecks::checkInside);
    that("refuses an address that is too long to pass on", () -> checkNowhere("https://evil.example/" + new String(new char[9000])));
    that("lets no frame open a program, and runs no script in foreign frames", PageChecks::checkFrames);
    that("puts nothing into its own pages", PageChecks::checkGreeting);
    that("replaces a foreign page that loaded without a request", PageChecks::checkUnasked);
    that("appends itself to the engine's user agent", PageChecks::checkUserAgent);
    that("disables every engine setting that the site does not need", PageChecks::checkSettings);
    that("opens links to tables and invitations from other programs, and no other links", PageChecks::checkLinks);
    that("opens at most one external address a second", PageChecks::checkPouring);
    that("shows a message if no program opens an address", PageChecks::checkNobodyOpens);
  }

  static void runAddresses() {
    for (String url : ForeignAddresses.FOR_THE_BROWSER) that("opens externally: " + show(url), () -> checkOutside(url));
    for (String url : ForeignAddresses.FOR_NO_PROGRAM) that("refuses: " + show(url), () -> checkNowhere(url));
  }

  private static void checkInside() {
    start();
    doneOf("load", "load " + HOME);
    for (String path : new String[] {"", "wallet", "game/1", "?a=b", "#a"}) equal(goes(HOME + path, true), true);
    doneOf("load|start");
  }

  private static void checkOutside(String url) {
    startAt(HOME);
    equal(goes(url, true), false);
    String action = url.startsWith("mailto:") ? "SENDTO" : "VIEW android.intent.category.BROWSABLE";
    doneOf("load|start|script", "start android.intent.action." + action + " " + url);
  }

  private static void checkNowhere(String url) {
    startAt(HOME);
    equal(goes(url, true), false);
    doneOf("load|start|script");
  }

  private static void checkFrames() {
    startAt(HOME);
    equal(goes("https://evil.example/frame", false), true);
    equal(goes("about:srcdoc", false), true);
    for (String url : ForeignAddresses.FOR_NO_PROGRAM) {
      if (!url.startsWith("about:") && goes(url, false)) throw new AssertionError(url);
    }
    equal(goes("http://evil.example/", false), false);
    equal(goes("mailto:a@evil.example", false), false);
    equal(goes("https://checkout.paystack.com/frame", false), true);
    doneOf("load|start|script|third");
    // A frame at the provider's address changes nothing for the page around it.
    equal(goes("https://bank.example/", true), false);
    doneOf("load|start", "start android.intent.action.VIEW android.intent.category.BROWSABLE https://bank.example/");
  }

  private static void checkGreeting() {
    start();
    Phone.listDone();
    Browser.latest.arrive(HOME + "wallet");
    doneOf("script|load");
    Browser.latest.arrive("about:blank");
    doneOf("script|load");
  }

  private static void checkUnasked() {
    startAt(HOME);
    for (String url : new String[] {"https://evil.example/", "https://arena.example.evil/", "http://arena.example/", "data:text/html,a"}) {
      Browser.latest.arrive(url);
      doneOf("script|load|stop|start", "stop", "load " + HOME);
    }
  }

  private static void checkUserAgent() {
    start();
    equal(Browser.latest.settings.getUserAgentString(), Phone.engine + " HoloNative/1.2.3 (android)");
  }

  private static void checkSettings() {
    start();
    Map<String, Object> expected = new TreeMap<>();
    for (String open : new String[] {"script", "storage", "zoom", "pinch"}) expected.put(open, true);
    for (String shut : new String[] {"files", "content", "files from files", "all from files", "place", "zoom buttons"}) {
      expected.put(shut, false);
    }
    // Not even an image without TLS in a page with TLS.
    expected.put("mixed", 1);
    if (Build.VERSION.SDK_INT >= 26) expected.put("safe browsing", true);
    equal(((Settings) Browser.latest.web.getSettings()).set, expected);
    String[] done = {"worker's files false", "worker's content false", "cookies true", "third cookies false", "debugging false"};
    doneOf("worker|cookies|third|debugging", done);
  }

  private static void checkLinks() {
    Phone.launch = link(HOME + "game/1");
    ArenaActivity app = start();
    doneOf("load", "load " + HOME + "game/1");
    app.onNewIntent(link(HOME + "game/2"));
    doneOf("load", "load " + HOME + "game/2");
    app.onNewIntent(link(HOME + "invite/a-_1"));
    doneOf("load", "load " + HOME + "invite/a-_1");
    // Messengers append queries of their own.
    app.onNewIntent(link(HOME + "game/3?fbclid=a/../b#c"));
    doneOf("load", "load " + HOME + "game/3");
    String[] others = {HOME + "wallet", HOME + "game/../wallet", "https://evil.example/game/1", "javascript:alert(1)", null};
    for (String url : others) {
      app.onNewIntent(link(url));
      doneOf("load|start");
      Phone.launch = link(url);
      start();
      doneOf("load|start", "load " + HOME);
    }
  }

  private static void checkPouring() {
    startAt(HOME);
    for (int asked = 0; asked < 50; asked++) equal(goes("https://evil.example/" + asked, true), false);
    Browser.latest.downloads.onDownloadStart("https://evil.example/a.apk", "agent", null, "text/csv", 1);
    doneOf("start", "start android.intent.action.VIEW android.intent.category.BROWSABLE https://evil.example/0");
    Phone.pass(ExternalLinks.APART_MS);
    equal(goes("mailto:a@evil.example", true), false);
    doneOf("start", "start android.intent.action.SENDTO mailto:a@evil.example");
  }

  private static void checkNobodyOpens() {
    startAt(HOME);
    Phone.isWithoutPrograms = true;
    equal(goes("mailto:support@arena.example", true), false);
    equal(Phone.toasts.contains(R.string.nobody_opens), true);
  }
}
