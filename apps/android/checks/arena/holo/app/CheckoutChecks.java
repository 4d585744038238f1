package arena.holo.app;

import static arena.holo.app.Checks.doneOf;
import static arena.holo.app.Checks.equal;
import static arena.holo.app.Checks.goes;
import static arena.holo.app.Checks.startAt;
import static arena.holo.app.Checks.that;

import android.view.View;
import standin.Browser;
import standin.Phone;

/** The provider's pages open inside the app and get no access to it. */
final class CheckoutChecks {
  private static final String WALLET = "https://arena.example/wallet";
  private static final String CHECKOUT = "https://checkout.paystack.com/0peioxfhpn";

  private CheckoutChecks() {}

  static void run() {
    that("shows the provider's checkout inside and runs no script in it", CheckoutChecks::checkInside);
    that("stays inside on the bank's pages, over TLS only, and opens no program", CheckoutChecks::checkBank);
    that("ends the checkout when it returns to our page", CheckoutChecks::checkHome);
    that("shows the wallet when the bank is done", CheckoutChecks::checkDone);
    that("goes back from the checkout to our last page", CheckoutChecks::checkBack);
    that("shows the host of every page but ours", CheckoutChecks::checkPageBar);
    that("cannot go back in history to a finished checkout", CheckoutChecks::checkHistory);
  }

  private static ArenaActivity enter() {
    ArenaActivity app = startAt(WALLET);
    equal(goes(CHECKOUT, true), true);
    Browser.latest.arrive(CHECKOUT);
    return app;
  }

  private static void checkInside() {
    enter();
    doneOf("script|load|start|third|stop", "third cookies true");
  }

  private static void checkBank() {
    enter();
    Checks.doneOf("nothing");
    equal(goes("https://3ds.bank.example/acs", true), true);
    // WebView does not ask about form submissions to banks.
    Browser.latest.arrive("https://acs.other-bank.example/");
    doneOf("script|load|start|stop");
    equal(goes("intent://pay#Intent;scheme=bank;end", true), false);
    equal(goes("bank://pay", true), false);
    equal(goes("file:///sdcard/a", true), false);
    doneOf("load|start");
    equal(goes("http://bank.example/", true), false);
    doneOf("load|start", "start android.intent.action.VIEW android.intent.category.BROWSABLE http://bank.example/");
  }

  private static void checkHome() {
    enter();
    doneOf("nothing");
    equal(goes(WALLET + "?reference=a", true), true);
    Browser.latest.arrive(WALLET + "?reference=a");
    doneOf("script|third", "third cookies false");
    equal(goes("https://3ds.bank.example/acs", true), false);
  }

  private static void checkDone() {
    enter();
    doneOf("nothing");
    equal(goes("https://standard.paystack.co/close", true), false);
    doneOf("load|start", "load " + WALLET);
  }

  private static void checkBack() {
    ArenaActivity app = enter();
    Browser.latest.arrive("https://3ds.bank.example/acs");
    doneOf("nothing");
    app.onBackPressed();
    doneOf("history|leave", "history -2");
  }

  private static void checkPageBar() {
    enter();
    View line = Phone.screen.find(R.id.page_bar);
    equal(Phone.screen.written, "checkout.paystack.com");
    Browser.latest.arrive("https://3ds.bank.example:8443/arena.example?a=arena.example");
    equal(Phone.screen.written, "3ds.bank.example");
    Browser.latest.arrive("about:blank");
    equal(Phone.screen.written, "about:blank");
    equal(line.getVisibility(), View.VISIBLE);
    Browser.latest.arrive(WALLET);
    equal(line.getVisibility(), View.GONE);
    Browser.latest.arrive(CHECKOUT);
    Browser.latest.client.onRenderProcessGone(Browser.latest.web, null);
    equal(line.getVisibility(), View.GONE);
  }

  private static void checkHistory() {
    enter();
    Browser.latest.arrive(WALLET);
    doneOf("nothing");
    Browser.latest.arrive(CHECKOUT);
    doneOf("script|stop|load", "stop", "load https://arena.example/");
  }
}
