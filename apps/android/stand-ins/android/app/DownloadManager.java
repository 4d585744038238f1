package android.app;

import android.content.Context;
import android.net.Uri;
import standin.Phone;

public class DownloadManager {
  DownloadManager() {}

  static {
    Phone.downloads = new DownloadManager();
  }

  public long enqueue(Request request) {
    if (Phone.isWithoutDownloads) throw new IllegalArgumentException("Unknown URL content://downloads/my_downloads");
    Phone.note("download " + request.said);
    return 1;
  }

  public static class Request {
    public static final int VISIBILITY_VISIBLE_NOTIFY_COMPLETED = 1;
    final StringBuilder said = new StringBuilder();

    public Request(Uri uri) {
      said.append(uri);
    }

    public Request setTitle(CharSequence title) {
      return this;
    }

    public Request setMimeType(String type) {
      return say("type", type);
    }

    public Request addRequestHeader(String header, String value) {
      return say(header, value);
    }

    public Request setNotificationVisibility(int visibility) {
      return this;
    }

    public Request setDestinationInExternalPublicDir(String folder, String name) {
      return store("public", folder + "/" + name);
    }

    public Request setDestinationInExternalFilesDir(Context context, String folder, String name) {
      return store("own", folder + "/" + name);
    }

    private Request store(String name, String file) {
      if (Phone.isWithoutStorage) throw new IllegalStateException("Failed to get external storage files directory");
      return say(name, file);
    }

    private Request say(String name, String value) {
      said.append(" | ").append(name).append(": ").append(value);
      return this;
    }
  }
}
