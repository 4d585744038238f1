package android.webkit;

public final class URLUtil {
  /** Simplified: the last segment of the path. */
  public static String guessFileName(String url, String disposition, String type) {
    return url.substring(url.lastIndexOf('/') + 1);
  }
}
