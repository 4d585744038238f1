package arena.holo.app;

/** Identifies the app to the page by two strings. There is nothing a page could call. */
final class HostIdentity {
  private HostIdentity() {}

  /** The page parses exactly one slash. */
  static String toUserAgent(String engine) {
    return engine + " HoloNative/" + Site.VERSION + " (android)";
  }

  /** Runs in the main frame. It checks the origin itself, because the page may have changed. */
  static String toScript() {
    return "if(location.origin==='" + Site.ORIGIN + "'&&!('HoloNative' in window))"
        + "Object.defineProperty(window,'HoloNative',{value:Object.freeze({platform:'android',version:'"
        + Site.VERSION + "'})})";
  }
}
