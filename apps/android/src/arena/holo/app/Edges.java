package arena.holo.app;

import android.graphics.Insets;
import android.os.Build;
import android.view.View;
import android.view.WindowInsets;

/**
 * Keeps the page clear of bars, cut-outs and the keyboard. From 35 on a window goes from edge to edge; before, the system keeps it clear
 * itself and has nothing left to say here.
 */
final class Edges implements View.OnApplyWindowInsetsListener {
  @Override
  public WindowInsets onApplyWindowInsets(View view, WindowInsets insets) {
    if (Build.VERSION.SDK_INT < 30) return view.onApplyWindowInsets(insets);
    int types = WindowInsets.Type.systemBars() | WindowInsets.Type.displayCutout() | WindowInsets.Type.ime();
    Insets taken = insets.getInsets(types);
    view.setPadding(taken.left, taken.top, taken.right, taken.bottom);
    // The page must not make room for the same bars once more.
    return WindowInsets.CONSUMED;
  }
}
