import { useConnection } from "./connection.ts";
import "./connection-banner.css";

/** Says that the page is cut off, under the header, as long as it is. */
export function ConnectionBanner() {
  const connection = useConnection();
  return (
    <div className="connection-banner" role="status">
      {connection === "lost" && <p>No connection. Trying again...</p>}
    </div>
  );
}
