package android.webkit;

import android.content.Context;
import android.view.ViewGroup;
import standin.Browser;
import standin.Phone;

public class WebView extends ViewGroup {
  private final Browser browser;

  public WebView(Context context) {
    super(context);
    browser = new Browser(this);
  }

  public static void setWebContentsDebuggingEnabled(boolean isEnabled) {
    Phone.note("debugging " + isEnabled);
  }

  public WebSettings getSettings() {
    return browser.settings;
  }

  public void setWebViewClient(WebViewClient client) {
    browser.client = client;
  }

  public void setWebChromeClient(WebChromeClient client) {
    browser.chrome = client;
  }

  public void setDownloadListener(DownloadListener listener) {
    browser.downloads = listener;
  }

  public void loadUrl(String url) {
    browser.load(url);
  }

  public void reload() {
    Phone.note("reload");
  }

  public void stopLoading() {
    Phone.note("stop");
  }

  public void evaluateJavascript(String script, ValueCallback<String> answered) {
    browser.run(script, answered);
  }

  public String getUrl() {
    return browser.getUrl();
  }

  public WebBackForwardList copyBackForwardList() {
    return browser.history;
  }

  public void goBackOrForward(int steps) {
    Phone.note("history " + steps);
  }

  public void onResume() {
    Phone.note("resume");
  }

  public void onPause() {
    Phone.note("pause");
  }

  public void destroy() {
    Phone.note("destroy");
  }
}
