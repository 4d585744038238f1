package arena.holo.app;

/** What the app tells the page: two words, no function. Nothing a page could call leads into the app. */
final class Greeting {
  private Greeting() {}

  /** Has one slash, as the page's helper expects. */
  static String toUserAgent(String engine) {
    return engine + " HoloNative/" + Site.VERSION + " (android)";
  }

  /**
   * Runs in the main frame alone, as all that the app runs in a page. The page may have changed since it was sent, so it asks once more
   * where it is.
   */
  static String toScript() {
    return "if(location.origin==='" + Site.ORIGIN + "'&&!('HoloNative' in window))"
        + "Object.defineProperty(window,'HoloNative',{value:Object.freeze({platform:'android',version:'"
        + Site.VERSION + "'})})";
  }
}
