package android.view;

import android.graphics.Insets;
import standin.Phone;

public final class WindowInsets {
  public static final WindowInsets CONSUMED = new WindowInsets(Insets.of(0, 0, 0, 0));
  private final Insets taken;

  WindowInsets(Insets taken) {
    this.taken = taken;
  }

  public Insets getInsets(int types) {
    Phone.needs(30);
    return taken;
  }

  public static final class Type {
    private Type() {}

    public static int systemBars() {
      return 7;
    }

    public static int displayCutout() {
      return 128;
    }

    public static int ime() {
      return 8;
    }
  }
}
