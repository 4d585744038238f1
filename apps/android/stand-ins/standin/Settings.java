package standin;

import android.webkit.WebSettings;
import java.util.Map;
import java.util.TreeMap;

/** The engine settings that were changed. */
public final class Settings extends WebSettings {
  public final Map<String, Object> set = new TreeMap<>();
  private String userAgent = Phone.engine;

  @Override
  public String getUserAgentString() {
    return userAgent;
  }

  @Override
  public void setUserAgentString(String userAgent) {
    this.userAgent = userAgent;
  }

  @Override
  public void setJavaScriptEnabled(boolean isEnabled) {
    set.put("script", isEnabled);
  }

  @Override
  public void setDomStorageEnabled(boolean isEnabled) {
    set.put("storage", isEnabled);
  }

  @Override
  public void setMixedContentMode(int mode) {
    set.put("mixed", mode);
  }

  @Override
  public void setAllowFileAccess(boolean allows) {
    set.put("files", allows);
  }

  @Override
  public void setAllowContentAccess(boolean allows) {
    set.put("content", allows);
  }

  @Override
  @SuppressWarnings("deprecation")
  public void setAllowFileAccessFromFileURLs(boolean allows) {
    set.put("files from files", allows);
  }

  @Override
  @SuppressWarnings("deprecation")
  public void setAllowUniversalAccessFromFileURLs(boolean allows) {
    set.put("all from files", allows);
  }

  @Override
  public void setGeolocationEnabled(boolean isEnabled) {
    set.put("place", isEnabled);
  }

  @Override
  public void setSupportZoom(boolean supports) {
    set.put("zoom", supports);
  }

  @Override
  public void setBuiltInZoomControls(boolean isEnabled) {
    set.put("pinch", isEnabled);
  }

  @Override
  public void setDisplayZoomControls(boolean isEnabled) {
    set.put("zoom buttons", isEnabled);
  }

  @Override
  public void setSafeBrowsingEnabled(boolean isEnabled) {
    Phone.needs(26);
    set.put("safe browsing", isEnabled);
  }
}
