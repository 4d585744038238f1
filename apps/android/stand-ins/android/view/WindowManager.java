package android.view;

public interface WindowManager {
  class LayoutParams {
    public static final int FLAG_KEEP_SCREEN_ON = 128;
  }
}
