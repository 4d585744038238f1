package arena.holo.app;

/** What becomes of an address that a page wants to go to. */
enum Verdict {
  /** The page goes there itself. */
  HERE,
  /** The phone's browser or mail program opens it. */
  OUTSIDE,
  /** The provider is done: the wallet shows what came of it. */
  WALLET,
  NOWHERE
}
