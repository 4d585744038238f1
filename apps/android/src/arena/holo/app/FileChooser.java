package arena.holo.app;

import android.app.Activity;
import android.content.ActivityNotFoundException;
import android.content.Intent;
import android.net.Uri;
import android.webkit.ValueCallback;
import android.webkit.WebChromeClient;
import android.webkit.WebView;

/** File choice for our page. Each request is answered once; an unanswered one blocks the input. */
final class FileChooser extends WebChromeClient {
  static final int REQUEST = 1;

  private final Activity activity;
  private final Origin origin;
  private ValueCallback<Uri[]> question;

  FileChooser(Activity activity, Origin origin) {
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
      // A phone may have no file chooser.
      answer(null);
    }
    return true;
  }

  /** @param data from another program */
  void onChosen(int result, Intent data) {
    Uri[] files = WebChromeClient.FileChooserParams.parseResult(result, data);
    // A file path could name the app's private files.
    boolean isGiven = files != null && files.length == 1 && "content".equals(files[0].getScheme());
    answer(isGiven ? files : null);
  }

  private void answer(Uri[] files) {
    ValueCallback<Uri[]> asked = question;
    question = null;
    if (asked != null) asked.onReceiveValue(files);
  }
}
