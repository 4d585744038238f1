package android.webkit;

public abstract class CookieManager {
  public static CookieManager getInstance() {
    return standin.Phone.cookies;
  }

  public abstract String getCookie(String url);

  public abstract void setAcceptCookie(boolean accepts);

  public abstract void setAcceptThirdPartyCookies(WebView web, boolean accepts);

  public abstract void flush();
}
