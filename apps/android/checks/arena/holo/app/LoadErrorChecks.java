package arena.holo.app;

import static arena.holo.app.Checks.doneOf;
import static arena.holo.app.Checks.equal;
import static arena.holo.app.Checks.link;
import static arena.holo.app.Checks.request;
import static arena.holo.app.Checks.start;
import static arena.holo.app.Checks.startAt;
import static arena.holo.app.Checks.that;

import android.net.Uri;
import android.net.http.SslError;
import android.view.View;
import android.webkit.SafeBrowsingResponse;
import android.webkit.SslErrorHandler;
import android.webkit.WebResourceResponse;
import standin.Browser;
import standin.Made;
import standin.Phone;

/** Load errors as a player sees them. */
final class LoadErrorChecks {
  private static final String HOME = "https://arena.example/";

  private LoadErrorChecks() {}

  static void run() {
    that("shows that it is offline, and retries on request", LoadErrorChecks::checkOffline);
    that("keeps the message while it fails again", LoadErrorChecks::checkStillOffline);
    that("retries when the player returns to the app", LoadErrorChecks::checkComeBack);
    that("opens a link instead of retrying, also one that has failed", LoadErrorChecks::checkLink);
    that("ignores failures of images and frames", LoadErrorChecks::checkParts);
    that("treats a proxy's gateway errors, and no other status, as offline", LoadErrorChecks::checkStatus);
    that("never continues with a wrong certificate", LoadErrorChecks::checkCertificate);
    that("goes back on a Safe Browsing warning", LoadErrorChecks::checkWarning);
    that("restores the address when the page's process ends", LoadErrorChecks::checkGone);
    that("stops restoring when that repeats immediately", LoadErrorChecks::checkGoneAgain);
    that("waits for the player if that happened in the background", LoadErrorChecks::checkGoneUnseen);
    that("shows that the engine is missing, and opens once it exists", LoadErrorChecks::checkNoEngine);
    that("shows that the engine is too old, and loads no page", LoadErrorChecks::checkOldEngine);
  }

  private static void fail(String url, boolean isMainFrame) {
    Browser browser = Browser.latest;
    browser.client.onPageStarted(browser.web, url, null);
    browser.client.onReceivedError(browser.web, request(url, isMainFrame), null);
    // The engine's own error page, under either address.
    browser.client.onPageStarted(browser.web, url, null);
    browser.client.onPageCommitVisible(browser.web, url);
    browser.client.onPageFinished(browser.web, url);
    for (String own : new String[] {"chrome-error://chromewebdata/", "about:blank"}) {
      browser.client.onPageStarted(browser.web, own, null);
      browser.client.onPageCommitVisible(browser.web, own);
      browser.client.onPageFinished(browser.web, own);
    }
  }

  private static View notice() {
    return Phone.screen.find(R.id.notice);
  }

  private static void shows(Integer text) {
    int title = Phone.screen.texts.isEmpty() ? 0 : Phone.screen.texts.get(Phone.screen.texts.size() - 2);
    boolean isShown = notice().getVisibility() == View.VISIBLE;
    equal(isShown ? title : 0, text == null ? 0 : text);
  }

  /** Hidden at first, as in the layout. */
  private static ArenaActivity open() {
    ArenaActivity app = startAt(HOME);
    shows(null);
    return app;
  }

  private static void retry() {
    Phone.screen.<View>find(R.id.retry).performClick();
  }

  private static void checkOffline() {
    start();
    fail(HOME, true);
    shows(R.string.offline);
    Phone.listDone();
    retry();
    doneOf("reload|load", "reload");
    Browser.latest.arrive(HOME);
    shows(null);
  }

  private static void checkStillOffline() {
    start();
    fail(HOME, true);
    retry();
    shows(R.string.offline);
    fail(HOME, true);
    shows(R.string.offline);
  }

  private static void checkComeBack() {
    ArenaActivity app = start();
    fail(HOME, true);
    app.onStop();
    Phone.listDone();
    app.onStart();
    doneOf("reload", "reload");
    app.onStop();
    Browser.latest.arrive(HOME);
    Phone.listDone();
    app.onStart();
    doneOf("reload|load");
  }

  /** Before Android 9 the link arrives before the start, later after it. */
  private static void checkLink() {
    ArenaActivity app = start();
    fail(HOME, true);
    app.onStop();
    Phone.listDone();
    app.onNewIntent(link(HOME + "game/1"));
    app.onStart();
    doneOf("reload|load", "load " + HOME + "game/1");
    fail(HOME + "game/1", true);
    shows(R.string.offline);
    app.onNewIntent(link(HOME + "game/1"));
    Browser.latest.arrive(HOME + "game/1");
    shows(null);
  }

  private static void checkParts() {
    open();
    Browser.latest.client.onReceivedError(Browser.latest.web, request(HOME + "coin.svg", false), null);
    shows(null);
  }

  private static void checkStatus() {
    open();
    for (int status : new int[] {400, 404, 429, 500, 501}) answer(HOME, status, true);
    answer("https://checkout.paystack.com/a", 502, true);
    answer(HOME + "coin.svg", 502, false);
    shows(null);
    answer(HOME, 502, true);
    shows(R.string.offline);
    Browser.latest.arrive(HOME + "wallet");
    shows(null);
    answer(HOME, 522, true);
    shows(R.string.offline);
  }

  private static void answer(String url, int status, boolean isMainFrame) {
    WebResourceResponse response = Made.of(WebResourceResponse.class, status);
    Browser.latest.client.onReceivedHttpError(Browser.latest.web, request(url, isMainFrame), response);
  }

  private static void checkCertificate() {
    open();
    refuse("https://ads.evil.example/a.png");
    shows(null);
    refuse(HOME);
    shows(R.string.unsafe);
  }

  private static void refuse(String url) {
    SslError error = Made.of(SslError.class, Uri.parse(url));
    Browser.latest.client.onReceivedSslError(Browser.latest.web, Made.of(SslErrorHandler.class), error);
    doneOf("cancel", "cancel");
  }

  private static void checkWarning() {
    open();
    SafeBrowsingResponse response = new SafeBrowsingResponse() {
      @Override
      public void backToSafety(boolean report) {
        Phone.note("back to safety");
      }
    };
    Browser.latest.client.onSafeBrowsingHit(Browser.latest.web, request("https://evil.example/", true), 1, response);
    doneOf("back", "back to safety");
  }

  private static void end() {
    equal(Browser.latest.client.onRenderProcessGone(Browser.latest.web, null), true);
  }

  private static void checkGone() {
    open();
    Browser.latest.arrive(HOME + "game/1");
    Browser.latest.arrive("https://evil.example/");
    Phone.listDone();
    end();
    doneOf("destroy|load", "destroy", "load " + HOME + "game/1");
    equal(Phone.screen.children.size(), 1);
  }

  private static void checkGoneAgain() {
    open();
    end();
    Phone.pass(1000);
    end();
    shows(R.string.stopped);
    equal(Phone.screen.children.size(), 0);
    Phone.listDone();
    retry();
    doneOf("load", "load " + HOME);
  }

  private static void checkGoneUnseen() {
    ArenaActivity app = open();
    app.onStop();
    end();
    doneOf("load");
    app.onStart();
    doneOf("load", "load " + HOME);
  }

  private static void checkNoEngine() {
    Phone.isWithoutEngine = true;
    ArenaActivity app = start();
    shows(R.string.no_engine);
    app.onBackPressed();
    app.onUserInteraction();
    Phone.pass(1000);
    app.onStop();
    Phone.isWithoutEngine = false;
    Phone.listDone();
    app.onStart();
    doneOf("load", "load " + HOME);
    shows(null);
  }

  private static void checkOldEngine() {
    Phone.engine = "Mozilla/5.0 (Linux; Android 7.0; wv) AppleWebKit/537.36 Chrome/83.0.4103.106 Mobile";
    start();
    shows(R.string.old_engine);
    doneOf("load");
    equal(Phone.screen.children.size(), 0);
  }
}
