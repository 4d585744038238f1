package arena.holo.app;

import android.app.DownloadManager;
import android.content.Context;
import android.net.Uri;
import android.os.Build;
import android.os.Environment;
import android.webkit.CookieManager;
import android.webkit.DownloadListener;
import android.webkit.URLUtil;
import android.widget.Toast;

/** Passes our site's downloads to Android. Foreign files open in the browser. */
final class Downloads implements DownloadListener {
  private final Context context;
  private final Origin origin;
  private final ExternalLinks externalLinks;

  Downloads(Context context, Origin origin, ExternalLinks externalLinks) {
    this.context = context;
    this.origin = origin;
    this.externalLinks = externalLinks;
  }

  @Override
  public void onDownloadStart(String url, String userAgent, String disposition, String type, long bytes) {
    if (!origin.owns(url)) {
      if (origin.isForOutside(url)) externalLinks.open(url);
      return;
    }
    String name = URLUtil.guessFileName(url, disposition, type);
    int text = enqueue(url, userAgent, type, name) ? R.string.downloading : R.string.no_download;
    Toast.makeText(context, text, Toast.LENGTH_LONG).show();
  }

  private DownloadManager.Request toRequest(String url, String userAgent, String type, String name) {
    DownloadManager.Request request = new DownloadManager.Request(Uri.parse(url));
    request.setTitle(name);
    request.setMimeType(type);
    request.addRequestHeader("User-Agent", userAgent);
    String cookie = origin.needsSession(url) ? CookieManager.getInstance().getCookie(url) : null;
    if (cookie != null) request.addRequestHeader("Cookie", cookie);
    request.setNotificationVisibility(DownloadManager.Request.VISIBILITY_VISIBLE_NOTIFY_COMPLETED);
    // Before 29 the public folder needs a permission; the app's folder does not.
    if (Build.VERSION.SDK_INT >= 29) request.setDestinationInExternalPublicDir(Environment.DIRECTORY_DOWNLOADS, name);
    else request.setDestinationInExternalFilesDir(context, Environment.DIRECTORY_DOWNLOADS, name);
    return request;
  }

  private boolean enqueue(String url, String userAgent, String type, String name) {
    DownloadManager downloads = (DownloadManager) context.getSystemService(Context.DOWNLOAD_SERVICE);
    if (downloads == null) return false;
    try {
      downloads.enqueue(toRequest(url, userAgent, type, name));
      return true;
    } catch (RuntimeException off) {
      // Android throws several types if the download manager is disabled or the storage is missing.
      return false;
    }
  }
}
