package arena.holo.app;

import android.app.Activity;
import android.content.SharedPreferences;
import android.graphics.drawable.ColorDrawable;
import android.os.Build;
import android.view.View;
import android.view.Window;
import android.view.WindowInsetsController;
import android.webkit.ValueCallback;
import android.webkit.WebView;

/**
 * The colours behind the page and the system bars. The player chooses the theme in the page; the
 * app asks for it and keeps it for the next start.
 */
final class PageTheme implements ValueCallback<String> {
  static final String QUESTION = "document.documentElement.dataset.theme";
  private static final String KEPT = "isDay";

  private final Activity activity;
  private final SharedPreferences kept;
  private boolean isDay;

  PageTheme(Activity activity) {
    this.activity = activity;
    this.kept = activity.getPreferences(Activity.MODE_PRIVATE);
    // The page's default is night, whatever the phone's theme is.
    this.isDay = kept.getBoolean(KEPT, false);
  }

  int toGround() {
    return activity.getColor(isDay ? R.color.paper : R.color.ground);
  }

  int toInk() {
    return activity.getColor(isDay ? R.color.paper_ink : R.color.ground_ink);
  }

  void ask(WebView web) {
    web.evaluateJavascript(QUESTION, this);
  }

  /** @param answer JSON; values other than the two theme names are ignored */
  @Override
  public void onReceiveValue(String answer) {
    boolean saysDay = "\"day\"".equals(answer);
    if (saysDay == isDay || !(saysDay || "\"night\"".equals(answer))) return;
    isDay = saysDay;
    kept.edit().putBoolean(KEPT, isDay).apply();
    apply();
  }

  @SuppressWarnings("deprecation")
  void apply() {
    Window window = activity.getWindow();
    window.setBackgroundDrawable(new ColorDrawable(toGround()));
    if (Build.VERSION.SDK_INT >= 31) activity.getSplashScreen().setSplashScreenTheme(isDay ? R.style.Day : R.style.Night);
    // From 35 on the bars are transparent.
    if (Build.VERSION.SDK_INT < 35) window.setStatusBarColor(toGround());
    // Before 26 the navigation keys are always white, so the bar stays black.
    if (Build.VERSION.SDK_INT >= 26 && Build.VERSION.SDK_INT < 35) window.setNavigationBarColor(toGround());
    if (Build.VERSION.SDK_INT >= 30) {
      int both = WindowInsetsController.APPEARANCE_LIGHT_STATUS_BARS | WindowInsetsController.APPEARANCE_LIGHT_NAVIGATION_BARS;
      window.getInsetsController().setSystemBarsAppearance(isDay ? both : 0, both);
    } else {
      int both = View.SYSTEM_UI_FLAG_LIGHT_STATUS_BAR | View.SYSTEM_UI_FLAG_LIGHT_NAVIGATION_BAR;
      window.getDecorView().setSystemUiVisibility(isDay ? both : 0);
    }
  }
}
