package android.webkit;

import android.graphics.Bitmap;
import android.net.http.SslError;

public class WebViewClient {
  public boolean shouldOverrideUrlLoading(WebView web, WebResourceRequest request) {
    return false;
  }

  public void onPageStarted(WebView web, String url, Bitmap icon) {}

  public void doUpdateVisitedHistory(WebView web, String url, boolean isReload) {}

  public void onPageCommitVisible(WebView web, String url) {}

  public void onPageFinished(WebView web, String url) {}

  public void onReceivedError(WebView web, WebResourceRequest request, WebResourceError error) {}

  public void onReceivedHttpError(WebView web, WebResourceRequest request, WebResourceResponse response) {}

  public void onReceivedSslError(WebView web, SslErrorHandler handler, SslError error) {}

  public void onSafeBrowsingHit(WebView web, WebResourceRequest request, int threat, SafeBrowsingResponse response) {}

  public boolean onRenderProcessGone(WebView web, RenderProcessGoneDetail detail) {
    return false;
  }
}
