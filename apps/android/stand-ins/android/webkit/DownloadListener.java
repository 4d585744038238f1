package android.webkit;

public interface DownloadListener {
  void onDownloadStart(String url, String userAgent, String disposition, String type, long bytes);
}
