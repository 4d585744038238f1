package standin;

import android.webkit.CookieManager;
import android.webkit.WebView;

final class Cookies extends CookieManager {
  @Override
  public String getCookie(String url) {
    return "holo_session=secret";
  }

  @Override
  public void setAcceptCookie(boolean accepts) {
    Phone.note("cookies " + accepts);
  }

  @Override
  public void setAcceptThirdPartyCookies(WebView web, boolean accepts) {
    Phone.note("third cookies " + accepts);
  }

  @Override
  public void flush() {
    Phone.note("flush");
  }
}
