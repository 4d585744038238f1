import { useEffect, useState } from "react";
import { useConnection } from "../../lib/socket/socket.ts";

/** Most lost connections are back within this time. */
const PATIENCE_MS = 1_500;

export default function SocketState() {
  const connection = useConnection();
  const isBack = connection === "connected" || connection === "connecting";
  const [isLong, setLong] = useState(false);

  useEffect(() => {
    if (isBack) return setLong(false);
    const timer = setTimeout(() => setLong(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [isBack]);

  if (isBack || !isLong) return null;
  return <p>{connection === "offline" ? "You are offline. Trying again..." : "Connection lost. Reconnecting..."}</p>;
}
