package arena.holo.app;

import android.view.View;
import android.view.Window;
import android.view.WindowManager;

/** Keeps the screen on at a table, as long as somebody is there. */
final class Awake implements Runnable {
  /** Longer than a player thinks; a phone left lying on a finished game goes dark. */
  static final long UNTOUCHED_MS_MAX = 15 * 60 * 1000L;

  private final Window window;
  private final View view;
  private boolean isAtTable;

  Awake(Window window, View view) {
    this.window = window;
    this.view = view;
  }

  void moveTo(boolean isTable) {
    isAtTable = isTable;
    touch();
  }

  void touch() {
    view.removeCallbacks(this);
    if (!isAtTable) {
      run();
      return;
    }
    window.addFlags(WindowManager.LayoutParams.FLAG_KEEP_SCREEN_ON);
    view.postDelayed(this, UNTOUCHED_MS_MAX);
  }

  /** Lets the screen go dark when the phone likes. */
  @Override
  public void run() {
    window.clearFlags(WindowManager.LayoutParams.FLAG_KEEP_SCREEN_ON);
  }
}
