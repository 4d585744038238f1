package arena.holo.app;

import android.graphics.Bitmap;
import android.net.http.SslError;
import android.webkit.CookieManager;
import android.webkit.RenderProcessGoneDetail;
import android.webkit.SafeBrowsingResponse;
import android.webkit.SslErrorHandler;
import android.webkit.WebResourceError;
import android.webkit.WebResourceRequest;
import android.webkit.WebResourceResponse;
import android.webkit.WebView;
import android.webkit.WebViewClient;

/** Where the page goes, and what the app has to know of it. */
final class PageClient extends WebViewClient {
  private final Origin origin;
  private final Outside outside;
  private final PageListener listener;
  private boolean isAtCheckout;
  private String failedUrl;

  PageClient(Origin origin, Outside outside, PageListener listener) {
    this.origin = origin;
    this.outside = outside;
    this.listener = listener;
  }

  /** A page that failed may be tried again under the same address. */
  void forgetFailure() {
    failedUrl = null;
  }

  @Override
  public boolean shouldOverrideUrlLoading(WebView web, WebResourceRequest request) {
    String url = request.getUrl().toString();
    switch (origin.judge(url, request.isForMainFrame(), isAtCheckout)) {
      case HERE:
        if (request.isForMainFrame() && origin.isCheckout(url)) setAtCheckout(web, true);
        return false;
      case OUTSIDE:
        outside.open(url);
        return true;
      case WALLET:
        web.loadUrl(origin.toAddress("/wallet"));
        return true;
      default:
        return true;
    }
  }

  @Override
  public void onPageStarted(WebView web, String url, Bitmap icon) {
    if (!url.equals(failedUrl) && isPage(url)) failedUrl = null;
    if (origin.owns(url)) {
      setAtCheckout(web, false);
      web.evaluateJavascript(Greeting.toScript(), null);
    } else if (!isAtCheckout && isPage(url)) {
      // A form can be sent anywhere without a question, and so can the history lead back to a checkout that is over.
      web.stopLoading();
      web.loadUrl(origin.toAddress("/"));
    }
  }

  /** Also where the page changes its address by itself, as ours does from one view to the next. */
  @Override
  public void doUpdateVisitedHistory(WebView web, String url, boolean isReload) {
    listener.onMoved(url);
  }

  @Override
  public void onPageCommitVisible(WebView web, String url) {
    if (failedUrl == null) listener.onShown();
  }

  @Override
  public void onPageFinished(WebView web, String url) {
    if (failedUrl == null) listener.onShown();
    CookieManager.getInstance().flush();
  }

  @Override
  public void onReceivedError(WebView web, WebResourceRequest request, WebResourceError error) {
    if (request.isForMainFrame()) fail(request.getUrl().toString(), Trouble.OFFLINE);
  }

  /** What proxies say when nothing stands behind them, each with numbers of its own; every other answer is a page of ours. */
  @Override
  public void onReceivedHttpError(WebView web, WebResourceRequest request, WebResourceResponse response) {
    String url = request.getUrl().toString();
    int status = response.getStatusCode();
    if (request.isForMainFrame() && origin.owns(url) && status > 501) fail(url, Trouble.OFFLINE);
  }

  @Override
  public void onReceivedSslError(WebView web, SslErrorHandler handler, SslError error) {
    handler.cancel();
    if (origin.owns(error.getUrl())) fail(error.getUrl(), Trouble.UNSAFE);
  }

  /** Google's warning could be waved away; here it is the end of the way. */
  @Override
  public void onSafeBrowsingHit(WebView web, WebResourceRequest request, int threat, SafeBrowsingResponse response) {
    response.backToSafety(true);
  }

  /** True says that the app lives on without the page's process; else Android would end both. */
  @Override
  public boolean onRenderProcessGone(WebView web, RenderProcessGoneDetail detail) {
    listener.onGone(web);
    return true;
  }

  private void fail(String url, Trouble trouble) {
    failedUrl = url;
    listener.onFailed(trouble);
  }

  /** Banks prove a player's identity in frames of their own, which need their cookies; nobody else has frames here. */
  private void setAtCheckout(WebView web, boolean isThere) {
    isAtCheckout = isThere;
    CookieManager.getInstance().setAcceptThirdPartyCookies(web, isThere);
  }

  /** Not what the WebView itself puts in the place of a page. */
  private static boolean isPage(String url) {
    return !url.startsWith("about:") && !url.startsWith("chrome-error:");
  }
}
