package android.webkit;

public abstract class WebBackForwardList {
  public abstract int getCurrentIndex();

  public abstract WebHistoryItem getItemAtIndex(int index);
}
