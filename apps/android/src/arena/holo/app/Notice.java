package arena.holo.app;

import android.app.Activity;
import android.view.View;
import android.widget.TextView;

/** Stands before the page while there is none. It is part of the app and no page: nothing on the net can look like it, or reach it. */
final class Notice implements View.OnClickListener {
  private final View view;
  private final Runnable retry;

  /** @param activity already shows its layout */
  Notice(Activity activity, Runnable retry) {
    this.view = activity.findViewById(R.id.notice);
    this.retry = retry;
    view.findViewById(R.id.retry).setOnClickListener(this);
  }

  void show(Trouble trouble, Skin skin) {
    view.setBackgroundColor(skin.toGround());
    write(R.id.notice_title, trouble.title, skin);
    write(R.id.notice_text, trouble.text, skin);
    view.setVisibility(View.VISIBLE);
  }

  void hide() {
    view.setVisibility(View.GONE);
  }

  boolean isShown() {
    return view.getVisibility() == View.VISIBLE;
  }

  @Override
  public void onClick(View button) {
    retry.run();
  }

  private void write(int id, int text, Skin skin) {
    TextView line = (TextView) view.findViewById(id);
    line.setText(text);
    line.setTextColor(skin.toInk());
  }
}
