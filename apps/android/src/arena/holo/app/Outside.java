package arena.holo.app;

import android.content.ActivityNotFoundException;
import android.content.Context;
import android.content.Intent;
import android.net.Uri;
import android.widget.Toast;

/** Hands an address to the phone's browser or mail program. */
final class Outside {
  private final Context context;

  Outside(Context context) {
    this.context = context;
  }

  /** @param url judged before: http, https or mailto */
  void open(String url) {
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
