package android.net.http;

import android.net.Uri;

public class SslError {
  private final Uri uri;

  SslError(Uri uri) {
    this.uri = uri;
  }

  public String getUrl() {
    return uri.toString();
  }
}
