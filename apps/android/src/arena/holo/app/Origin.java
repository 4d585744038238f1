package arena.holo.app;

/**
 * Decides what an address is to the app's site. Addresses are compared by character, never parsed:
 * WebView writes each in one canonical form, so a different spelling is foreign.
 */
final class Origin {
  /** A longer intent would exceed Android's transaction limit of a megabyte. */
  private static final int OUTSIDE_LENGTH_MAX = 8192;

  /** The provider's checkout and the pages it links to. */
  private static final String[] CHECKOUTS = {"https://checkout.paystack.com/", "https://standard.paystack.co/"};

  /** The end of a bank's confirmation, from the provider's guide for apps. */
  private static final String CHECKOUT_DONE = "https://standard.paystack.co/close";

  private final String text;

  /** @param text in the form of URL.origin, without a slash at the end */
  Origin(String text) {
    this.text = text;
  }

  String toAddress(String path) {
    return text + path;
  }

  boolean owns(String url) {
    if (url == null || !url.startsWith(text)) return false;
    // A dot, a digit or an @ would continue with another host, port or user.
    return url.length() == text.length() || "/?#".indexOf(url.charAt(text.length())) >= 0;
  }

  /** A table's page. */
  boolean isGame(String url) {
    return isNamed("/game/", url);
  }

  /**
   * A link from another program to a table or an invitation, without the query that messengers
   * append; null for any other.
   */
  String toLink(String url) {
    String bare = url == null ? null : url.split("[?#]", 2)[0];
    return isGame(bare) || isNamed("/invite/", bare) ? bare : null;
  }

  private boolean isNamed(String folder, String url) {
    String start = text + folder;
    if (url == null || !url.startsWith(start)) return false;
    return url.substring(start.length()).matches("[A-Za-z0-9_-]{1,64}");
  }

  /**
   * Downloads of a player's data need the session. Releases must not have it: they may redirect to
   * a file store, and Android repeats headers on redirects.
   */
  boolean needsSession(String url) {
    return owns(url) && url.startsWith(text + "/api/");
  }

  boolean isCheckout(String url) {
    for (String checkout : CHECKOUTS) if (url.startsWith(checkout)) return true;
    return false;
  }

  /**
   * Where a navigation opens. Frames stay within themselves. After the checkout every https page
   * opens inside, because it may be the bank's, until our origin returns.
   */
  NavigationTarget decide(String url, boolean isMainFrame, boolean isAtCheckout) {
    if (!isMainFrame) return url.startsWith("https://") || url.startsWith("about:") ? NavigationTarget.HERE : NavigationTarget.NOWHERE;
    if (url.equals(CHECKOUT_DONE)) return NavigationTarget.WALLET;
    if (owns(url) || isCheckout(url)) return NavigationTarget.HERE;
    if (isAtCheckout && url.startsWith("https://")) return NavigationTarget.HERE;
    return isForOutside(url) ? NavigationTarget.OUTSIDE : NavigationTarget.NOWHERE;
  }

  boolean isForOutside(String url) {
    boolean isKnown = url.startsWith("https://") || url.startsWith("http://") || url.startsWith("mailto:");
    return isKnown && url.length() <= OUTSIDE_LENGTH_MAX;
  }
}
