package arena.holo.app;

import static arena.holo.app.Checks.equal;
import static arena.holo.app.Checks.that;

final class OriginChecks {
  private static final Origin ORIGIN = new Origin("https://arena.example");
  private static final String[] OURS = {
    "https://arena.example",
    "https://arena.example/",
    "https://arena.example/game/1",
    "https://arena.example/\\evil.example",
    "https://arena.example?https://evil.example",
    "https://arena.example#@evil.example",
  };

  private OriginChecks() {}

  static void run() {
    for (String url : OURS) that("owns " + show(url), () -> equal(ORIGIN.owns(url), true));
    for (String url : ForeignAddresses.FOR_THE_BROWSER) that("does not own " + show(url), () -> equal(ORIGIN.owns(url), false));
    for (String url : ForeignAddresses.FOR_NO_PROGRAM) that("does not own " + show(url), () -> equal(ORIGIN.owns(url), false));
    that("does not own a missing address", () -> equal(ORIGIN.owns(null) || ORIGIN.isGame(null), false));
    that("distinguishes ports with a common prefix", OriginChecks::checkPort);
    that("recognizes a table's page, and nothing similar", OriginChecks::checkGame);
    that("rejects an engine by its stated version only", OriginChecks::checkEngine);
  }

  private static void checkPort() {
    Origin development = new Origin("http://10.0.2.2:3000");
    equal(development.owns("http://10.0.2.2:3000/"), true);
    for (String url : new String[] {"http://10.0.2.2/", "http://10.0.2.2:30001/", "http://10.0.2.2:3000@evil.example/"}) {
      equal(development.owns(url), false);
    }
  }

  private static void checkGame() {
    equal(ORIGIN.isGame("https://arena.example/game/01J9-a_Z"), true);
    String[] others = {
      "", "/game", "/game/", "/games/1", "/game/1/", "/game/1/../../wallet", "/game/..", "/game/1?next=/wallet", "/game/1#a",
      "/game/1%2f", "/game/1\n", "//game/1", "/matches", "/game/" + new String(new char[65]).replace('\0', 'a'),
    };
    for (String path : others) if (ORIGIN.isGame("https://arena.example" + path)) throw new AssertionError(path);
    for (String stranger : ForeignAddresses.FOR_THE_BROWSER) if (ORIGIN.isGame(stranger)) throw new AssertionError(stranger);
  }

  private static void checkEngine() {
    // The engine that the page is built for.
    int oldest = Integer.getInteger("engine");
    equal(Engine.isTooOld("Mozilla/5.0 (wv) Chrome/" + (oldest - 1) + ".0.5672.136 Mobile"), true);
    equal(Engine.isTooOld("Mozilla/5.0 (wv) Chrome/51.0.2704.90 Mobile"), true);
    equal(Engine.isTooOld("Mozilla/5.0 (wv) Chrome/" + oldest + ".0.5735.61 Mobile"), false);
    for (String unread : new String[] {"", "Mozilla/5.0", " Chrome/", " Chrome/12", " Chrome/99999.0", " Chrome/x.1"}) {
      equal(Engine.isTooOld(unread), false);
    }
  }

  /** Escaped to one line. */
  static String show(String url) {
    StringBuilder shown = new StringBuilder();
    for (char letter : url.toCharArray()) shown.append(letter < 32 || letter > 126 ? String.format("\\u%04x", (int) letter) : letter);
    return shown.length() == 0 ? "(nothing)" : shown.toString();
  }
}
