package arena.holo.app;

/** The reason why no page is shown. */
enum LoadError {
  OFFLINE(R.string.offline, R.string.offline_text),
  UNSAFE(R.string.unsafe, R.string.unsafe_text),
  STOPPED(R.string.stopped, R.string.stopped_text),
  NO_ENGINE(R.string.no_engine, R.string.no_engine_text),
  OLD_ENGINE(R.string.old_engine, R.string.old_engine_text);

  final int title;
  final int text;

  LoadError(int title, int text) {
    this.title = title;
    this.text = text;
  }
}
