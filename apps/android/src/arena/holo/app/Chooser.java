package arena.holo.app;

import android.app.Activity;
import android.content.ActivityNotFoundException;
import android.content.Intent;
import android.net.Uri;
import android.webkit.ValueCallback;
import android.webkit.WebChromeClient;
import android.webkit.WebView;

/** Lets a player choose a file for our page. An input of the page stays dead until its question is answered, so each is, once. */
final class Chooser extends WebChromeClient {
  static final int REQUEST = 1;

  private final Activity activity;
  private final Origin origin;
  private ValueCallback<Uri[]> question;

  Chooser(Activity activity, Origin origin) {
    this.activity = activity;
    this.origin = origin;
  }

  @Override
  public boolean onShowFileChooser(WebView web, ValueCallback<Uri[]> asked, FileChooserParams params) {
    if (!origin.owns(web.getUrl())) return false;
    answer(null);
    question = asked;
    try {
      activity.startActivityForResult(params.createIntent(), REQUEST);
    } catch (ActivityNotFoundException nobody) {
      // A phone may have nothing to choose files with.
      answer(null);
    }
    return true;
  }

  /** @param data what another program says was chosen */
  void onChosen(int result, Intent data) {
    Uri[] files = WebChromeClient.FileChooserParams.parseResult(result, data);
    // A path of the file system could name the app's own files, which it may read and nobody else should be sent.
    boolean isGiven = files != null && files.length == 1 && "content".equals(files[0].getScheme());
    answer(isGiven ? files : null);
  }

  private void answer(Uri[] files) {
    ValueCallback<Uri[]> asked = question;
    question = null;
    if (asked != null) asked.onReceiveValue(files);
  }
}
