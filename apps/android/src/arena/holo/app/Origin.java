package arena.holo.app;

/**
 * The one site this app belongs to, and what any address is to it. They are compared letter by letter and never taken apart: as the
 * WebView writes its own (lower case, escaped, without the scheme's port) there is one spelling of ours, and whatever differs is a stranger.
 */
final class Origin {
  /** Android hands an address on in one transaction of a megabyte, which a longer one would break. */
  private static final int OUTSIDE_LENGTH_MAX = 8192;

  /** The provider's pages a deposit leads to, and those that its own pages lead to. */
  private static final String[] CHECKOUTS = {"https://checkout.paystack.com/", "https://standard.paystack.co/"};

  /** Where the provider sends a web view when the bank is done, as its guide for apps says. */
  private static final String CHECKOUT_DONE = "https://standard.paystack.co/close";

  private final String text;

  /** @param text as URL.origin has it, without a slash at its end */
  Origin(String text) {
    this.text = text;
  }

  String toAddress(String path) {
    return text + path;
  }

  boolean owns(String url) {
    if (url == null || !url.startsWith(text)) return false;
    // What follows has to end the origin: a dot, a digit or an @ would go on with another host, port or user.
    return url.length() == text.length() || "/?#".indexOf(url.charAt(text.length())) >= 0;
  }

  /** A table's page, and nothing that could lead elsewhere from it: other apps send such links too. */
  boolean isGame(String url) {
    String start = text + "/game/";
    if (url == null || !url.startsWith(start)) return false;
    return url.substring(start.length()).matches("[A-Za-z0-9_-]{1,64}");
  }

  /**
   * Downloads that show what belongs to a player need the session. Releases do not, and may be sent on to a store of files that must
   * not see it: Android sends the same headers again wherever an answer leads.
   */
  boolean needsSession(String url) {
    return owns(url) && url.startsWith(text + "/api/");
  }

  boolean isCheckout(String url) {
    for (String checkout : CHECKOUTS) if (url.startsWith(checkout)) return true;
    return false;
  }

  /**
   * Where a page may lead the whole window. Frames lead nowhere but to pages within themselves. From the provider's checkout the way goes
   * on inside over the bank's own pages, whichever they are, until it comes home.
   */
  Verdict judge(String url, boolean isMainFrame, boolean isAtCheckout) {
    if (!isMainFrame) return url.startsWith("https://") || url.startsWith("about:") ? Verdict.HERE : Verdict.NOWHERE;
    if (url.equals(CHECKOUT_DONE)) return Verdict.WALLET;
    if (owns(url) || isCheckout(url)) return Verdict.HERE;
    if (isAtCheckout && url.startsWith("https://")) return Verdict.HERE;
    return isForOutside(url) ? Verdict.OUTSIDE : Verdict.NOWHERE;
  }

  boolean isForOutside(String url) {
    boolean isKnown = url.startsWith("https://") || url.startsWith("http://") || url.startsWith("mailto:");
    return isKnown && url.length() <= OUTSIDE_LENGTH_MAX;
  }
}
