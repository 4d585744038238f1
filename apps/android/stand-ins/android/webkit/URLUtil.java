package android.webkit;

public final class URLUtil {
  /** Enough of it for tests: the address's last part. */
  public static String guessFileName(String url, String disposition, String type) {
    return url.substring(url.lastIndexOf('/') + 1);
  }
}
