package android.window;

public interface SplashScreen {
  void setSplashScreenTheme(int theme);
}
