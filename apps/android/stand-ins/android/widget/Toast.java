package android.widget;

import android.content.Context;
import standin.Phone;

public class Toast {
  public static final int LENGTH_LONG = 1;
  private final int text;

  private Toast(int text) {
    this.text = text;
  }

  public static Toast makeText(Context context, int text, int length) {
    return new Toast(text);
  }

  public void show() {
    Phone.toasts.add(text);
  }
}
