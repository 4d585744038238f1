package arena.holo.app;

import android.app.Activity;
import android.net.Uri;
import android.view.View;
import android.widget.TextView;

/** Names the house whose page is shown, above every page that is not ours: there is no address bar to read it from. */
final class Whose {
  private final TextView line;

  /** @param activity already shows its layout */
  Whose(Activity activity) {
    line = (TextView) activity.findViewById(R.id.whose);
  }

  void hide() {
    line.setVisibility(View.GONE);
  }

  void show(String url, Skin skin) {
    String host = Uri.parse(url).getHost();
    // What has no host names itself.
    line.setText(host == null ? url : host);
    line.setTextColor(skin.toInk());
    line.setBackgroundColor(skin.toGround());
    line.setVisibility(View.VISIBLE);
  }
}
