package standin;

import android.webkit.DownloadListener;
import android.webkit.ValueCallback;
import android.webkit.WebBackForwardList;
import android.webkit.WebChromeClient;
import android.webkit.WebHistoryItem;
import android.webkit.WebView;
import android.webkit.WebViewClient;
import java.util.ArrayList;
import java.util.List;

/** The engine behind WebView. */
public final class Browser {
  /** The newest one. */
  public static Browser latest;
  /** The page's theme as JSON. */
  public static String theme = "null";

  public final Settings settings = new Settings();
  public final List<String> visited = new ArrayList<>();
  public final WebView web;
  public WebViewClient client;
  public WebChromeClient chrome;
  public DownloadListener downloads;
  public final WebBackForwardList history = new WebBackForwardList() {
    @Override
    public int getCurrentIndex() {
      return visited.size() - 1;
    }

    @Override
    public WebHistoryItem getItemAtIndex(final int index) {
      return new WebHistoryItem() {
        @Override
        public String getUrl() {
          return visited.get(index);
        }
      };
    }
  };

  public Browser(WebView web) {
    if (Phone.isWithoutEngine) throw new IllegalStateException("No WebView installed");
    this.web = web;
    latest = this;
  }

  public String getUrl() {
    return visited.isEmpty() ? null : visited.get(visited.size() - 1);
  }

  public void load(String url) {
    Phone.note("load " + url);
  }

  public void run(String script, ValueCallback<String> answered) {
    if (answered == null) Phone.note("script at " + getUrl());
    else answered.onReceiveValue(theme);
  }

  /** The page has loaded. */
  public void arrive(String url) {
    visited.add(url);
    client.onPageStarted(web, url, null);
    client.doUpdateVisitedHistory(web, url, false);
    client.onPageCommitVisible(web, url);
    client.onPageFinished(web, url);
  }
}
