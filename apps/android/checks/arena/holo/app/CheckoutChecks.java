package arena.holo.app;

import static arena.holo.app.Checks.doneOf;
import static arena.holo.app.Checks.equal;
import static arena.holo.app.Checks.goes;
import static arena.holo.app.Checks.startAt;
import static arena.holo.app.Checks.that;

import android.view.View;
import standin.Browser;
import standin.Phone;

/** The provider's pages stay inside, and know nothing of the app. */
final class CheckoutChecks {
  private static final String WALLET = "https://arena.example/wallet";
  private static final String CHECKOUT = "https://checkout.paystack.com/0peioxfhpn";

  private CheckoutChecks() {}

  static void run() {
    that("shows the provider's checkout inside, without a word to it", CheckoutChecks::checkInside);
    that("goes on inside over the bank's pages, over TLS alone and into no program", CheckoutChecks::checkBank);
    that("comes home from the checkout, and shuts it behind itself", CheckoutChecks::checkHome);
    that("shows the wallet when the bank is done", CheckoutChecks::checkDone);
    that("leads back from the checkout to the last page of ours, past all of its own", CheckoutChecks::checkBack);
    that("names whose page it is, on every page but ours", CheckoutChecks::checkWhose);
    that("does not let the history lead back into a checkout that is over", CheckoutChecks::checkHistory);
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
    // Banks are sent to by forms too, which nobody is asked about.
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
    doneOf("script|third", "third cookies false", "script at " + WALLET + "?reference=a");
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

  private static void checkWhose() {
    enter();
    View line = Phone.screen.find(R.id.whose);
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
