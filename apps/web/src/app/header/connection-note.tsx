import { useEffect, useState } from "react";
import type { ConnectionState } from "../../lib/socket/connection-status.ts";
import { useConnection } from "../../lib/socket/socket.ts";

/** A lost connection is not mentioned before; most return within this time. */
const SHOWN_AFTER_MS = 1_500;

const TEXTS: Readonly<Record<ConnectionState, string>> = {
  connecting: "",
  connected: "",
  silent: "Connection problem. Trying again...",
  reconnecting: "Connection lost. Reconnecting...",
  unreachable: "Holo Arena is not answering. Trying again...",
  busy: "Holo Arena is busy right now. Trying again...",
  offline: "You are offline. Trying again...",
  displaced: "You have too many tabs open. Close one and reload.",
};

export default function ConnectionNote() {
  const connection = useConnection();
  const isLost = connection === "reconnecting";
  const [isLong, setLong] = useState(false);

  useEffect(() => {
    if (!isLost) return setLong(false);
    const timer = setTimeout(() => setLong(true), SHOWN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isLost]);

  const text = TEXTS[connection];
  return text === "" || (isLost && !isLong) ? null : <p className="connection-lost">{text}</p>;
}
