package android.webkit;

public class SslErrorHandler {
  SslErrorHandler() {}

  public void cancel() {
    standin.Phone.note("cancel");
  }
}
