/** CSS hides the content below, because the number of matches is unknown until they load. */
export function RecentMatchesPlaceholder() {
  return <div className="recent-ahead loading" aria-busy="true" />;
}
