import { Link } from "wouter";
import { Note } from "./note.tsx";
import { formatBreak } from "./permit.ts";
import { useLimits } from "./use-limits.ts";
import "./break-notice.css";

/** Why nothing can be deposited or played now, for players who chose so; nothing for everybody else. */
export function BreakNotice() {
  const until = useLimits()?.excludedUntil ?? null;
  if (until === null) return null;
  return (
    <div className="break-notice" role="status">
      <Note icon="clock">
        <b className="strong">You are taking a break.</b> {formatBreak(until, Date.now())}{" "}
        <Link href="/wallet" className="link">
          To the wallet
        </Link>
      </Note>
    </div>
  );
}
