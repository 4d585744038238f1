/** In the place of the recent matches until they have come: nobody knows how many there are, so what stands below waits with them. */
export function RecentAhead() {
  return <div className="recent-ahead loading" aria-busy="true" />;
}
