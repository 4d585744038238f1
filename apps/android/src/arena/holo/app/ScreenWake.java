package arena.holo.app;

import android.view.View;
import android.view.Window;
import android.view.WindowManager;

/** Keeps the screen on at a table while the phone is used. */
final class ScreenWake implements Runnable {
  /** Longer than a player thinks, so an unattended phone turns off. */
  static final long UNTOUCHED_MS_MAX = 15 * 60 * 1000L;

  private final Window window;
  private final View view;
  private boolean isAtTable;

  ScreenWake(Window window, View view) {
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

  @Override
  public void run() {
    window.clearFlags(WindowManager.LayoutParams.FLAG_KEEP_SCREEN_ON);
  }
}
