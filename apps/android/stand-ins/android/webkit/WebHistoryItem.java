package android.webkit;

public abstract class WebHistoryItem {
  public abstract String getUrl();
}
