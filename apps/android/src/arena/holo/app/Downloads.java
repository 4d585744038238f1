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

/** Leaves what our site offers for download to Android's own downloads. A stranger's file is for the browser. */
final class Downloads implements DownloadListener {
  private final Context context;
  private final Origin origin;
  private final Outside outside;

  Downloads(Context context, Origin origin, Outside outside) {
    this.context = context;
    this.origin = origin;
    this.outside = outside;
  }

  @Override
  public void onDownloadStart(String url, String userAgent, String disposition, String type, long bytes) {
    if (!origin.owns(url)) {
      if (origin.isForOutside(url)) outside.open(url);
      return;
    }
    String name = URLUtil.guessFileName(url, disposition, type);
    int text = enqueue(toRequest(url, userAgent, type, name)) ? R.string.downloading : R.string.no_download;
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
    // Before 29 the folder everybody sees needs a permission; the app's own does not, and Android lists it under downloads all the same.
    if (Build.VERSION.SDK_INT >= 29) request.setDestinationInExternalPublicDir(Environment.DIRECTORY_DOWNLOADS, name);
    else request.setDestinationInExternalFilesDir(context, Environment.DIRECTORY_DOWNLOADS, name);
    return request;
  }

  private boolean enqueue(DownloadManager.Request request) {
    DownloadManager downloads = (DownloadManager) context.getSystemService(Context.DOWNLOAD_SERVICE);
    if (downloads == null) return false;
    try {
      downloads.enqueue(request);
      return true;
    } catch (IllegalArgumentException off) {
      // So says a phone on which the program of downloads was switched off.
      return false;
    }
  }
}
