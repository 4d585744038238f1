package android.view;

import android.content.Context;
import standin.Phone;

public class View {
  public static final int VISIBLE = 0;
  public static final int GONE = 8;
  public static final int SYSTEM_UI_FLAG_LIGHT_STATUS_BAR = 8192;
  public static final int SYSTEM_UI_FLAG_LIGHT_NAVIGATION_BAR = 16;

  private int visibility;
  private OnClickListener listener;

  public View(Context context) {}

  public final <T extends View> T findViewById(int id) {
    return Phone.screen.find(id);
  }

  public void setOnClickListener(OnClickListener listener) {
    this.listener = listener;
  }

  public boolean performClick() {
    listener.onClick(this);
    return true;
  }

  public void setOnApplyWindowInsetsListener(OnApplyWindowInsetsListener listener) {
    Phone.screen.edges = listener;
  }

  public WindowInsets onApplyWindowInsets(WindowInsets insets) {
    Phone.note("insets left to the system");
    return insets;
  }

  public void setPadding(int left, int top, int right, int bottom) {
    Phone.note("padding " + left + " " + top + " " + right + " " + bottom);
  }

  public void setBackgroundColor(int color) {}

  public void setVisibility(int visibility) {
    this.visibility = visibility;
  }

  public int getVisibility() {
    return visibility;
  }

  public void setSystemUiVisibility(int flags) {
    Phone.note("bars " + (flags == 0 ? "night" : "day"));
  }

  public boolean postDelayed(Runnable action, long delayMs) {
    Phone.post(action, delayMs);
    return true;
  }

  public boolean removeCallbacks(Runnable action) {
    Phone.unpost(action);
    return true;
  }

  public interface OnClickListener {
    void onClick(View view);
  }

  public interface OnApplyWindowInsetsListener {
    WindowInsets onApplyWindowInsets(View view, WindowInsets insets);
  }
}
