package android.net;

public abstract class Uri {
  private Uri() {}

  public static Uri parse(String text) {
    return new Written(text);
  }

  public abstract String getScheme();

  public abstract String getHost();

  /** Parsed only when a part is requested, as on Android. */
  private static final class Written extends Uri {
    private final String text;

    Written(String text) {
      this.text = text;
    }

    @Override
    public String getScheme() {
      int colon = text.indexOf(':');
      return colon < 0 ? null : text.substring(0, colon);
    }

    @Override
    public String getHost() {
      return java.net.URI.create(text).getHost();
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
