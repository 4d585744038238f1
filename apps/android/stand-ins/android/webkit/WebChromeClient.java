package android.webkit;

import android.content.Intent;
import android.net.Uri;
import standin.Phone;

public class WebChromeClient {
  public boolean onShowFileChooser(WebView web, ValueCallback<Uri[]> asked, FileChooserParams params) {
    return false;
  }

  public abstract static class FileChooserParams {
    public static Uri[] parseResult(int result, Intent data) {
      return Phone.chosen;
    }

    public abstract Intent createIntent();
  }
}
