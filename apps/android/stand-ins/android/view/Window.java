package android.view;

import android.content.Context;
import android.graphics.drawable.Drawable;

public abstract class Window {
  public Window(Context context) {}

  public abstract View getDecorView();

  public abstract void setBackgroundDrawable(Drawable drawable);

  public abstract void setStatusBarColor(int color);

  public abstract void setNavigationBarColor(int color);

  public abstract WindowInsetsController getInsetsController();

  public abstract void addFlags(int flags);

  public abstract void clearFlags(int flags);
}
