package arena.holo.app;

import android.app.Activity;
import android.view.View;
import android.widget.TextView;

/** Replaces the page after a load error. It is a view of the app, so no page can imitate it. */
final class Notice implements View.OnClickListener {
  private final View view;
  private final Runnable retry;

  /** @param activity after setContentView */
  Notice(Activity activity, Runnable retry) {
    this.view = activity.findViewById(R.id.notice);
    this.retry = retry;
    view.findViewById(R.id.retry).setOnClickListener(this);
  }

  void show(LoadError loadError, PageTheme theme) {
    view.setBackgroundColor(theme.toGround());
    write(R.id.notice_title, loadError.title, theme);
    write(R.id.notice_text, loadError.text, theme);
    view.setVisibility(View.VISIBLE);
  }

  void hide() {
    view.setVisibility(View.GONE);
  }

  @Override
  public void onClick(View button) {
    retry.run();
  }

  private void write(int id, int text, PageTheme theme) {
    TextView line = (TextView) view.findViewById(id);
    line.setText(text);
    line.setTextColor(theme.toInk());
  }
}
