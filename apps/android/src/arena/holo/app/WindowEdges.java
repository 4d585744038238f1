package arena.holo.app;

import android.graphics.Insets;
import android.os.Build;
import android.view.View;
import android.view.WindowInsets;

/**
 * Keeps the page clear of bars, cut-outs and the keyboard from API 35 on, where windows are edge to
 * edge. Before that the system does it and reports empty insets.
 */
final class WindowEdges implements View.OnApplyWindowInsetsListener {
  @Override
  public WindowInsets onApplyWindowInsets(View view, WindowInsets insets) {
    if (Build.VERSION.SDK_INT < 30) return view.onApplyWindowInsets(insets);
    int types = WindowInsets.Type.systemBars() | WindowInsets.Type.displayCutout() | WindowInsets.Type.ime();
    Insets taken = insets.getInsets(types);
    view.setPadding(taken.left, taken.top, taken.right, taken.bottom);
    // The page must not apply the same insets again.
    return WindowInsets.CONSUMED;
  }
}
