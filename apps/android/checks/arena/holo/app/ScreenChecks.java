package arena.holo.app;

import static arena.holo.app.Checks.doneOf;
import static arena.holo.app.Checks.equal;
import static arena.holo.app.Checks.start;
import static arena.holo.app.Checks.startAt;
import static arena.holo.app.Checks.that;

import android.graphics.Insets;
import android.os.Build;
import android.os.Bundle;
import android.view.View;
import android.view.WindowInsets;
import standin.Browser;
import standin.Made;
import standin.Phone;

/** The activity around the page. */
final class ScreenChecks {
  private static final String HOME = "https://arena.example/";

  private ScreenChecks() {}

  static void run() {
    that("goes back through the history, then leaves", ScreenChecks::checkBack);
    that("stores the session in the background and with each page", ScreenChecks::checkSession);
    that("restores the address after Android ended it", ScreenChecks::checkKept);
    that("restores no foreign address", ScreenChecks::checkKeptStranger);
    that("keeps the screen on at a table while it is used", ScreenChecks::checkScreenOn);
    that("lets the screen turn off elsewhere, and without a page", ScreenChecks::checkDark);
    that("starts in night, follows the page's theme and keeps it for the next start", ScreenChecks::checkTheme);
    that("asks for the page's theme after each touch", ScreenChecks::checkTouch);
    that("accepts only the two theme names", ScreenChecks::checkForgedTheme);
    that("does not ask foreign pages", ScreenChecks::checkForeignTheme);
    that("keeps the page clear of bars and keyboard", ScreenChecks::checkEdges);
    that("destroys its page at the end", ScreenChecks::checkEnd);
  }

  private static void checkBack() {
    ArenaActivity app = startAt(HOME);
    app.onBackPressed();
    doneOf("history|leave", "leave");
    Browser.latest.arrive(HOME + "wallet");
    app.onBackPressed();
    doneOf("history|leave", "history -1");
  }

  private static void checkSession() {
    ArenaActivity app = start();
    Phone.listDone();
    Browser.latest.arrive(HOME);
    doneOf("flush", "flush");
    app.onStop();
    doneOf("flush|pause", "pause", "flush");
    app.onStart();
    doneOf("resume|load", "resume");
  }

  private static Bundle keep(String... urls) {
    ArenaActivity app = startAt(HOME);
    for (String url : urls) Browser.latest.arrive(url);
    Bundle kept = new Bundle();
    app.onSaveInstanceState(kept);
    return kept;
  }

  private static void open(Bundle kept, String expected) {
    Phone.listDone();
    new ArenaActivity().onCreate(kept);
    doneOf("load", "load " + expected);
  }

  private static void checkKept() {
    open(keep(HOME + "game/1"), HOME + "game/1");
    open(keep(HOME + "wallet", "https://checkout.paystack.com/a"), HOME + "wallet");
  }

  private static void checkKeptStranger() {
    for (String url : new String[] {"https://arena.example.evil/", "javascript:alert(1)", null}) {
      Bundle kept = new Bundle();
      kept.putString("url", url);
      open(kept, HOME);
    }
  }

  private static boolean isKeptOn() {
    return (Phone.screen.flags & 128) != 0;
  }

  private static void checkScreenOn() {
    ArenaActivity app = startAt(HOME);
    equal(isKeptOn(), false);
    Browser.latest.client.doUpdateVisitedHistory(Browser.latest.web, HOME + "game/1", false);
    equal(isKeptOn(), true);
    Phone.pass(ScreenWake.UNTOUCHED_MS_MAX - 1);
    app.onUserInteraction();
    Phone.pass(ScreenWake.UNTOUCHED_MS_MAX - 1);
    equal(isKeptOn(), true);
    Phone.pass(1);
    equal(isKeptOn(), false);
    app.onUserInteraction();
    equal(isKeptOn(), true);
  }

  private static void checkDark() {
    startAt(HOME + "game/1");
    equal(isKeptOn(), true);
    Browser.latest.client.doUpdateVisitedHistory(Browser.latest.web, HOME + "matches", false);
    equal(isKeptOn(), false);
    equal(Phone.posted.size(), 0);
    Browser.latest.arrive(HOME + "game/1");
    Browser.latest.client.onRenderProcessGone(Browser.latest.web, null);
    equal(isKeptOn(), false);
  }

  private static boolean areBarsDay() {
    return Build.VERSION.SDK_INT >= 30 ? Phone.screen.isDay : Phone.listDone().contains("bars day");
  }

  private static void checkTheme() {
    start();
    equal(Phone.screen.ground, R.color.ground);
    equal(areBarsDay(), false);
    Browser.theme = "\"day\"";
    Browser.latest.arrive(HOME);
    equal(Phone.screen.ground, R.color.paper);
    equal(areBarsDay(), true);
    if (Build.VERSION.SDK_INT >= 31) equal(Phone.screen.splash, R.style.Day);
    start();
    equal(Phone.screen.ground, R.color.paper);
    equal(areBarsDay(), true);
  }

  private static void checkTouch() {
    ArenaActivity app = startAt(HOME);
    Browser.theme = "\"day\"";
    app.onUserInteraction();
    app.onUserInteraction();
    equal(Phone.posted.size(), 1);
    equal(Phone.screen.ground, R.color.ground);
    Phone.pass(1000);
    equal(Phone.screen.ground, R.color.paper);
    Browser.theme = "\"night\"";
    app.onUserInteraction();
    Phone.pass(1000);
    equal(Phone.screen.ground, R.color.ground);
  }

  private static void checkForgedTheme() {
    for (String answer : new String[] {"null", null, "", "day", "\"Day\"", "\"day\\\"\"", "{\"a\":\"day\"}"}) {
      Browser.theme = answer;
      startAt(HOME);
      equal(Phone.screen.ground, R.color.ground);
    }
    Browser.theme = "\"day\"";
    startAt(HOME);
    Browser.theme = "\"evening\"";
    startAt(HOME);
    equal(Phone.screen.ground, R.color.paper);
  }

  private static void checkForeignTheme() {
    ArenaActivity app = startAt(HOME);
    Browser.theme = "\"day\"";
    Browser.latest.arrive("https://checkout.paystack.com/a");
    app.onUserInteraction();
    Phone.pass(1000);
    equal(Phone.screen.ground, R.color.ground);
  }

  private static void checkEdges() {
    start();
    Phone.listDone();
    View root = Phone.screen.find(R.id.root);
    WindowInsets insets = Made.of(WindowInsets.class, Insets.of(1, 2, 3, 4));
    WindowInsets left = Phone.screen.edges.onApplyWindowInsets(root, insets);
    equal(left == WindowInsets.CONSUMED, Build.VERSION.SDK_INT >= 30);
    doneOf("padding|insets", Build.VERSION.SDK_INT >= 30 ? "padding 1 2 3 4" : "insets left to the system");
  }

  private static void checkEnd() {
    ArenaActivity app = startAt(HOME);
    app.onDestroy();
    doneOf("destroy", "destroy");
    equal(Phone.screen.children.size(), 0);
  }
}
