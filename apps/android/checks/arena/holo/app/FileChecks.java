package arena.holo.app;

import static arena.holo.app.Checks.doneOf;
import static arena.holo.app.Checks.equal;
import static arena.holo.app.Checks.startAt;
import static arena.holo.app.Checks.that;

import android.content.Intent;
import android.net.Uri;
import android.os.Build;
import android.webkit.WebChromeClient;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import standin.Browser;
import standin.Phone;

/** Downloads and file choice. */
final class FileChecks {
  private static final String HOME = "https://arena.example/";

  private FileChecks() {}

  static void run() {
    that("downloads a player's own data with the session", FileChecks::checkOwn);
    that("downloads a release without the session, because it may redirect", FileChecks::checkRelease);
    that("opens a foreign file in the browser, and nothing that no browser opens", FileChecks::checkForeign);
    that("shows a message if downloads are disabled", FileChecks::checkOff);
    that("shows a message if no storage takes the file", FileChecks::checkNoStorage);
    that("gives the page the chosen file", FileChecks::checkChosen);
    that("refuses a file path and several files from another program", FileChecks::checkPaths);
    that("answers each request of the page once, also without a choice", FileChecks::checkUnanswered);
    that("refuses file choice on foreign pages", FileChecks::checkStranger);
  }

  private static void download(String url) {
    Browser.latest.downloads.onDownloadStart(url, "agent", null, "text/csv", 1);
  }

  private static String toFolder(String name) {
    return (Build.VERSION.SDK_INT >= 29 ? " | public: " : " | own: ") + "Download/" + name;
  }

  private static void checkOwn() {
    startAt(HOME);
    String url = HOME + "api/wallet/statement.csv";
    download(url);
    String said = " | type: text/csv | User-Agent: agent | Cookie: holo_session=secret" + toFolder("statement.csv");
    doneOf("download|start", "download " + url + said);
    equal(Phone.toasts, Arrays.asList(R.string.downloading));
  }

  private static void checkRelease() {
    startAt(HOME);
    String url = HOME + "downloads/holo-arena.apk";
    download(url);
    doneOf("download|start", "download " + url + " | type: text/csv | User-Agent: agent" + toFolder("holo-arena.apk"));
  }

  private static void checkForeign() {
    startAt(HOME);
    download("https://arena.example.evil/api/a.apk");
    doneOf("download|start", "start android.intent.action.VIEW android.intent.category.BROWSABLE https://arena.example.evil/api/a.apk");
    for (String url : new String[] {"blob:https://arena.example/1", "data:text/csv,a", "file:///data/a", "content://a/b"}) download(url);
    doneOf("download|start");
  }

  private static void checkOff() {
    startAt(HOME);
    Phone.isWithoutDownloads = true;
    download(HOME + "downloads/a.apk");
    Phone.downloads = null;
    download(HOME + "downloads/a.apk");
    equal(Phone.toasts, Arrays.asList(R.string.no_download, R.string.no_download));
  }

  private static void checkNoStorage() {
    startAt(HOME);
    Phone.isWithoutStorage = true;
    download(HOME + "downloads/a.apk");
    equal(Phone.toasts, Arrays.asList(R.string.no_download));
  }

  /** @return the answers to the page, in order */
  private static List<List<Uri>> ask() {
    List<List<Uri>> answers = new ArrayList<>();
    WebChromeClient.FileChooserParams params = new WebChromeClient.FileChooserParams() {
      @Override
      public Intent createIntent() {
        return new Intent("choose", null);
      }
    };
    boolean isTaken = Browser.latest.chrome.onShowFileChooser(
        Browser.latest.web, files -> answers.add(files == null ? null : Arrays.asList(files)), params);
    return isTaken ? answers : null;
  }

  private static void checkChosen() {
    ArenaActivity app = startAt(HOME + "admin/revenue");
    List<List<Uri>> answers = ask();
    doneOf("start", "start choose null");
    Phone.chosen = new Uri[] {Uri.parse("content://files/a.apk")};
    app.onActivityResult(FileChooser.REQUEST, -1, null);
    app.onActivityResult(FileChooser.REQUEST, -1, null);
    equal(answers, Arrays.asList(Arrays.asList(Phone.chosen)));
  }

  private static void checkPaths() {
    ArenaActivity app = startAt(HOME);
    Uri path = Uri.parse("file:///data/data/arena.holo.app/app_webview/Cookies");
    Uri content = Uri.parse("content://files/a.apk");
    for (Uri[] files : new Uri[][] {{path}, {content, path}, {}, null}) {
      List<List<Uri>> answers = ask();
      Phone.chosen = files;
      app.onActivityResult(FileChooser.REQUEST, -1, null);
      equal(answers, Arrays.asList((Object) null));
    }
  }

  private static void checkUnanswered() {
    ArenaActivity app = startAt(HOME);
    List<List<Uri>> first = ask();
    List<List<Uri>> second = ask();
    equal(first, Arrays.asList((Object) null));
    app.onActivityResult(FileChooser.REQUEST + 1, -1, null);
    equal(second.size(), 0);
    Phone.isWithoutPrograms = true;
    List<List<Uri>> third = ask();
    equal(second.size() + third.size(), 2);
  }

  private static void checkStranger() {
    startAt(HOME);
    Browser.latest.arrive("https://checkout.paystack.com/a");
    Phone.listDone();
    equal(ask(), null);
    doneOf("start");
  }
}
