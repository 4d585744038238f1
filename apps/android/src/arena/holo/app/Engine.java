package arena.holo.app;

/** The version of WebView, which updates separately from Android. */
final class Engine {
  /** The page's build target. */
  static final int VERSION_MIN = 114;

  private Engine() {}

  /** @param userAgent accepted if it contains no version */
  static boolean isTooOld(String userAgent) {
    String mark = " Chrome/";
    int start = userAgent.indexOf(mark);
    int dot = userAgent.indexOf('.', start);
    if (start < 0 || dot < 0) return false;
    String major = userAgent.substring(start + mark.length(), dot);
    return major.matches("\\d{1,4}") && Integer.parseInt(major) < VERSION_MIN;
  }
}
