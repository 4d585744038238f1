package standin;

import android.app.Activity;
import android.graphics.drawable.ColorDrawable;
import android.graphics.drawable.Drawable;
import android.view.View;
import android.view.ViewGroup;
import android.view.Window;
import android.view.WindowInsetsController;
import android.widget.TextView;
import android.window.SplashScreen;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The visible screen. */
public final class Screen implements SplashScreen, WindowInsetsController {
  public final List<View> children = new ArrayList<>();
  public final List<Integer> texts = new ArrayList<>();
  public final Window window;
  public View.OnApplyWindowInsetsListener edges;
  /** Texts that are not resources. */
  public String written;
  public int ground;
  public int splash;
  public int flags;
  public boolean isDay;
  /** The id of the view that contains the page, set before the app starts. */
  public static int stageId;
  private final Map<Integer, View> found = new HashMap<>();
  private final Activity activity;

  public Screen(Activity activity) {
    this.activity = activity;
    this.window = new Pane();
    Phone.screen = this;
  }

  /** Every id exists; its view has the type that the app asks for. */
  @SuppressWarnings("unchecked")
  public <T extends View> T find(int id) {
    if (!found.containsKey(id)) found.put(id, id == stageId ? new Box() : new TextView(activity));
    return (T) found.get(id);
  }

  @Override
  public void setSplashScreenTheme(int theme) {
    splash = theme;
  }

  @Override
  public void setSystemBarsAppearance(int appearance, int mask) {
    isDay = (appearance & mask) != 0;
  }

  private final class Box extends ViewGroup {
    Box() {
      super(activity);
    }
  }

  private final class Pane extends Window {
    Pane() {
      super(activity);
    }

    @Override
    public View getDecorView() {
      return find(0);
    }

    @Override
    public void setBackgroundDrawable(Drawable drawable) {
      ground = ((ColorDrawable) drawable).getColor();
    }

    @Override
    public void setStatusBarColor(int color) {
      Phone.note("status bar");
    }

    @Override
    public void setNavigationBarColor(int color) {
      Phone.note("navigation bar");
    }

    @Override
    public WindowInsetsController getInsetsController() {
      Phone.needs(30);
      return Screen.this;
    }

    @Override
    public void addFlags(int added) {
      flags |= added;
    }

    @Override
    public void clearFlags(int cleared) {
      flags &= ~cleared;
    }
  }
}
