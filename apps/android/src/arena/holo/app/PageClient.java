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

/** Decides navigations and reports them to the screen. */
final class PageClient extends WebViewClient {
  private final Origin origin;
  private final ExternalLinks externalLinks;
  private final PageListener listener;
  private boolean isAtCheckout;
  private String failedUrl;

  PageClient(Origin origin, ExternalLinks externalLinks, PageListener listener) {
    this.origin = origin;
    this.externalLinks = externalLinks;
    this.listener = listener;
  }

  boolean hasFailed() {
    return failedUrl != null;
  }

  /** Allows a retry of the failed address. */
  void forgetFailure() {
    failedUrl = null;
  }

  @Override
  public boolean shouldOverrideUrlLoading(WebView web, WebResourceRequest request) {
    String url = request.getUrl().toString();
    switch (origin.decide(url, request.isForMainFrame(), isAtCheckout)) {
      case HERE:
        if (request.isForMainFrame() && origin.isCheckout(url)) setAtCheckout(web, true);
        return false;
      case OUTSIDE:
        externalLinks.open(url);
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
    } else if (!isAtCheckout && isPage(url)) {
      // Forms and history navigate without asking, also to a finished checkout.
      web.stopLoading();
      web.loadUrl(origin.toAddress("/"));
    }
  }

  /** Also called when the page changes its address by itself. */
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
    if (request.isForMainFrame()) fail(request.getUrl().toString(), LoadError.OFFLINE);
  }

  /** Statuses of proxies without a server behind them; any other response is our page. */
  @Override
  public void onReceivedHttpError(WebView web, WebResourceRequest request, WebResourceResponse response) {
    String url = request.getUrl().toString();
    int status = response.getStatusCode();
    if (request.isForMainFrame() && origin.owns(url) && status > 501) fail(url, LoadError.OFFLINE);
  }

  @Override
  public void onReceivedSslError(WebView web, SslErrorHandler handler, SslError error) {
    handler.cancel();
    if (origin.owns(error.getUrl())) fail(error.getUrl(), LoadError.UNSAFE);
  }

  /** The default warning can be dismissed by the user. */
  @Override
  public void onSafeBrowsingHit(WebView web, WebResourceRequest request, int threat, SafeBrowsingResponse response) {
    response.backToSafety(true);
  }

  /** Returns true because otherwise Android ends the app with the page's process. */
  @Override
  public boolean onRenderProcessGone(WebView web, RenderProcessGoneDetail detail) {
    listener.onGone(web);
    return true;
  }

  private void fail(String url, LoadError loadError) {
    failedUrl = url;
    listener.onFailed(loadError);
  }

  /** Banks confirm in frames that need third-party cookies. */
  private void setAtCheckout(WebView web, boolean isThere) {
    isAtCheckout = isThere;
    CookieManager.getInstance().setAcceptThirdPartyCookies(web, isThere);
  }

  /** Excludes WebView's own placeholder pages. */
  private static boolean isPage(String url) {
    return !url.startsWith("about:") && !url.startsWith("chrome-error:");
  }
}
