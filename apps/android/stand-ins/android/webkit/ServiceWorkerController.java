package android.webkit;

public abstract class ServiceWorkerController {
  public static ServiceWorkerController getInstance() {
    return standin.Phone.workers;
  }

  public abstract ServiceWorkerWebSettings getServiceWorkerWebSettings();
}
