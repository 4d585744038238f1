package android.webkit;

public class WebResourceResponse {
  private final int status;

  WebResourceResponse(int status) {
    this.status = status;
  }

  public int getStatusCode() {
    return status;
  }
}
