package arena.holo.app;

/** Where a requested address opens. */
enum NavigationTarget {
  /** In the page. */
  HERE,
  /** In the phone's browser or mail program. */
  OUTSIDE,
  /** The checkout has finished; show the wallet. */
  WALLET,
  NOWHERE
}
