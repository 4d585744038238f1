package standin;

import android.webkit.ServiceWorkerController;
import android.webkit.ServiceWorkerWebSettings;

final class Workers extends ServiceWorkerController {
  @Override
  public ServiceWorkerWebSettings getServiceWorkerWebSettings() {
    return new ServiceWorkerWebSettings() {
      @Override
      public void setAllowFileAccess(boolean allows) {
        Phone.note("worker's files " + allows);
      }

      @Override
      public void setAllowContentAccess(boolean allows) {
        Phone.note("worker's content " + allows);
      }
    };
  }
}
