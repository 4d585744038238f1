package arena.holo.app;

import android.content.ActivityNotFoundException;
import android.content.Context;
import android.content.Intent;
import android.net.Uri;
import android.os.SystemClock;
import android.widget.Toast;

/** Opens addresses in the phone's browser or mail program. */
final class ExternalLinks {
  /** A page must not flood the phone with windows. */
  static final long APART_MS = 1000;

  private final Context context;
  private long openedAtMs = -APART_MS;

  ExternalLinks(Context context) {
    this.context = context;
  }

  /** Opens at most one address a second. @param url http, https or mailto */
  void open(String url) {
    long nowMs = SystemClock.elapsedRealtime();
    if (nowMs - openedAtMs < APART_MS) return;
    openedAtMs = nowMs;
    boolean isMail = url.startsWith("mailto:");
    Intent intent = new Intent(isMail ? Intent.ACTION_SENDTO : Intent.ACTION_VIEW, Uri.parse(url));
    // Only programs that accept links from web pages; mail programs may not declare it.
    if (!isMail) intent.addCategory(Intent.CATEGORY_BROWSABLE);
    intent.addFlags(Intent.FLAG_ACTIVITY_NEW_TASK);
    try {
      context.startActivity(intent);
    } catch (ActivityNotFoundException nobody) {
      // The phone may have no such program.
      Toast.makeText(context, R.string.nobody_opens, Toast.LENGTH_LONG).show();
    }
  }
}
