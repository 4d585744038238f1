package android.webkit;

public abstract class ServiceWorkerWebSettings {
  public abstract void setAllowFileAccess(boolean allows);

  public abstract void setAllowContentAccess(boolean allows);
}
