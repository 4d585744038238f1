package arena.holo.app;

import android.content.ActivityNotFoundException;
import android.content.Context;
import android.content.Intent;
import android.net.Uri;
import android.os.SystemClock;
import android.widget.Toast;

/** Hands an address to the phone's browser or mail program. */
final class Outside {
  /** A page must not pour windows over the phone. */
  static final long APART_MS = 1000;

  private final Context context;
  private long openedAtMs = -APART_MS;

  Outside(Context context) {
    this.context = context;
  }

  /** Opens one address a second at most, the first. @param url judged before: http, https or mailto */
  void open(String url) {
    long nowMs = SystemClock.elapsedRealtime();
    if (nowMs - openedAtMs < APART_MS) return;
    openedAtMs = nowMs;
    boolean isMail = url.startsWith("mailto:");
    Intent intent = new Intent(isMail ? Intent.ACTION_SENDTO : Intent.ACTION_VIEW, Uri.parse(url));
    // Only what programs offer to pages of strangers; those for mail do not all say so.
    if (!isMail) intent.addCategory(Intent.CATEGORY_BROWSABLE);
    intent.addFlags(Intent.FLAG_ACTIVITY_NEW_TASK);
    try {
      context.startActivity(intent);
    } catch (ActivityNotFoundException nobody) {
      // A phone may have no browser or no mail program.
      Toast.makeText(context, R.string.nobody_opens, Toast.LENGTH_LONG).show();
    }
  }
}
