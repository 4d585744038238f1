package android.webkit;

public abstract class SafeBrowsingResponse {
  public abstract void backToSafety(boolean report);
}
