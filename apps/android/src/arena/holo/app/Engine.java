package arena.holo.app;

/** The WebView's own version, which Android updates apart from itself. */
final class Engine {
  /** What the page is built for; an older one shows nothing, or half of it. */
  static final int VERSION_MIN = 114;

  private Engine() {}

  /** @param userAgent where no version is found in it, nothing is held against it */
  static boolean isTooOld(String userAgent) {
    String mark = " Chrome/";
    int start = userAgent.indexOf(mark);
    int dot = userAgent.indexOf('.', start);
    if (start < 0 || dot < 0) return false;
    String major = userAgent.substring(start + mark.length(), dot);
    return major.matches("\\d{1,4}") && Integer.parseInt(major) < VERSION_MIN;
  }
}
