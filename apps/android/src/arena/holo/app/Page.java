package arena.holo.app;

import android.os.Build;
import android.webkit.CookieManager;
import android.webkit.ServiceWorkerController;
import android.webkit.ServiceWorkerWebSettings;
import android.webkit.WebBackForwardList;
import android.webkit.WebSettings;
import android.webkit.WebView;

/** Configures a WebView for our site. No object of the app is exposed to pages. */
final class Page {
  private Page() {}

  @SuppressWarnings("deprecation")
  static void setUp(WebView web) {
    WebSettings settings = web.getSettings();
    // The page parses exactly one slash.
    settings.setUserAgentString(settings.getUserAgentString() + " HoloNative/" + Site.VERSION + " (android)");
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

  /** Service workers have separate settings. */
  private static void closeFiles(ServiceWorkerWebSettings settings) {
    settings.setAllowFileAccess(false);
    settings.setAllowContentAccess(false);
  }

  /** Steps back to our last page, skipping those of a checkout; 0 if there is none. */
  static int countStepsBack(WebView web, Origin origin) {
    WebBackForwardList history = web.copyBackForwardList();
    int current = history.getCurrentIndex();
    for (int steps = 1; steps <= current; steps++) {
      if (origin.owns(history.getItemAtIndex(current - steps).getUrl())) return steps;
    }
    return 0;
  }
}
