package arena.holo.app;

import android.webkit.WebView;

/** Page events for the screen. */
interface PageListener {
  /** The address changed, loaded or not. */
  void onMoved(String url);

  /** The page is visible. */
  void onShown();

  void onFailed(LoadError loadError);

  /** The page's process ended, and this view is unusable. */
  void onGone(WebView web);
}
