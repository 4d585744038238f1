/**
 * Hides the content below through CSS, because the number of matches is unknown until they load.
 */
export function RecentMatchesPlaceholder() {
  return <div className="recent-ahead loading" aria-busy="true" />;
}
