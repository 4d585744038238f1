package android.webkit;

public abstract class WebSettings {
  public static final int MIXED_CONTENT_NEVER_ALLOW = 1;

  public abstract String getUserAgentString();

  public abstract void setUserAgentString(String userAgent);

  public abstract void setJavaScriptEnabled(boolean isEnabled);

  public abstract void setDomStorageEnabled(boolean isEnabled);

  public abstract void setMixedContentMode(int mode);

  public abstract void setAllowFileAccess(boolean allows);

  public abstract void setAllowContentAccess(boolean allows);

  public abstract void setAllowFileAccessFromFileURLs(boolean allows);

  public abstract void setAllowUniversalAccessFromFileURLs(boolean allows);

  public abstract void setGeolocationEnabled(boolean isEnabled);

  public abstract void setSupportZoom(boolean supports);

  public abstract void setBuiltInZoomControls(boolean isEnabled);

  public abstract void setDisplayZoomControls(boolean isEnabled);

  public abstract void setSafeBrowsingEnabled(boolean isEnabled);
}
