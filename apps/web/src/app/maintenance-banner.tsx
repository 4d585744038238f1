import { useMaybeSession } from "../lib/session.ts";
import "./maintenance-banner.css";

/** What the house says of its maintenance, at the head of every page as long as it is on. */
export function MaintenanceBanner() {
  const text = useMaybeSession()?.maintenance?.text;
  return (
    <div className="maintenance-banner" role="status">
      {text !== undefined && (
        <p className="wrap">
          <b>Maintenance.</b> {text} <span>No new games and no deposits until it is over.</span>
        </p>
      )}
    </div>
  );
}
