package arena.holo.app;

import android.os.Build;
import android.webkit.CookieManager;
import android.webkit.ServiceWorkerController;
import android.webkit.ServiceWorkerWebSettings;
import android.webkit.WebBackForwardList;
import android.webkit.WebSettings;
import android.webkit.WebView;

/** How a WebView is set up for our site, and what is asked of it. There is no bridge: no object of the app is added to it. */
final class Page {
  private Page() {}

  @SuppressWarnings("deprecation")
  static void setUp(WebView web) {
    WebSettings settings = web.getSettings();
    settings.setUserAgentString(Greeting.toUserAgent(settings.getUserAgentString()));
    settings.setJavaScriptEnabled(true);
    settings.setDomStorageEnabled(true);
    settings.setMixedContentMode(WebSettings.MIXED_CONTENT_NEVER_ALLOW);
    settings.setAllowFileAccess(false);
    settings.setAllowContentAccess(false);
    settings.setAllowFileAccessFromFileURLs(false);
    settings.setAllowUniversalAccessFromFileURLs(false);
    settings.setGeolocationEnabled(false);
    settings.setSupportZoom(true);
    settings.setBuiltInZoomControls(true);
    settings.setDisplayZoomControls(false);
    if (Build.VERSION.SDK_INT >= 26) settings.setSafeBrowsingEnabled(true);
    closeFiles(ServiceWorkerController.getInstance().getServiceWorkerWebSettings());
    CookieManager.getInstance().setAcceptCookie(true);
    CookieManager.getInstance().setAcceptThirdPartyCookies(web, false);
    WebView.setWebContentsDebuggingEnabled(Site.IS_DEVELOPMENT);
  }

  /** A worker of our page has settings of its own. */
  private static void closeFiles(ServiceWorkerWebSettings settings) {
    settings.setAllowFileAccess(false);
    settings.setAllowContentAccess(false);
  }

  /**
   * How many steps lead back to the last page of ours, 0 where there is none. The checkout's are left out: a payment is not gone through
   * backwards, and the wallet says what became of it.
   */
  static int countStepsBack(WebView web, Origin origin) {
    WebBackForwardList history = web.copyBackForwardList();
    int current = history.getCurrentIndex();
    for (int steps = 1; steps <= current; steps++) {
      if (origin.owns(history.getItemAtIndex(current - steps).getUrl())) return steps;
    }
    return 0;
  }
}
