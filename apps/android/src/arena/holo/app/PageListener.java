package arena.holo.app;

import android.webkit.WebView;

/** What happens to the page, for the screen around it. */
interface PageListener {
  /** The page stands at another address, loaded or not. */
  void onMoved(String url);

  /** There is something to see. */
  void onShown();

  void onFailed(Trouble trouble);

  /** The page's process ended, and took this view with it. */
  void onGone(WebView web);
}
