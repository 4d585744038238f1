import type { ReactNode } from "react";
import { Link } from "wouter";
import { Note } from "./note.tsx";
import { formatBreak } from "./permit.ts";
import { useLimits } from "./use-limits.ts";
import "./break-notice.css";

/** Why nothing can be deposited or played now, for players who chose so; nothing for everybody else. */
export function BreakNotice({ act = <ToWallet /> }: { readonly act?: ReactNode }) {
  const until = useLimits()?.excludedUntil ?? null;
  if (until === null) return null;
  return (
    <div className="break-notice" role="status">
      <Note icon="clock">
        <b className="strong">You are taking a break.</b> {formatBreak(until, Date.now())} {act}
      </Note>
    </div>
  );
}

function ToWallet() {
  return (
    <Link href="/wallet" className="link unbroken">
      To the wallet
    </Link>
  );
}
