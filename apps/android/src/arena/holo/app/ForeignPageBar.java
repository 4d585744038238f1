package arena.holo.app;

import android.app.Activity;
import android.net.Uri;
import android.view.View;
import android.widget.TextView;

/** Shows the host above every foreign page, because there is no address bar. */
final class ForeignPageBar {
  private final TextView line;

  /** @param activity after setContentView */
  ForeignPageBar(Activity activity) {
    line = (TextView) activity.findViewById(R.id.page_bar);
  }

  void hide() {
    line.setVisibility(View.GONE);
  }

  void show(String url, PageTheme theme) {
    String host = Uri.parse(url).getHost();
    // An address without a host is shown whole.
    line.setText(host == null ? url : host);
    line.setTextColor(theme.toInk());
    line.setBackgroundColor(theme.toGround());
    line.setVisibility(View.VISIBLE);
  }
}
