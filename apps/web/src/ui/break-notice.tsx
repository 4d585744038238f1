import { toRefusalView } from "@holo/protocol/refusals.ts";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { Note } from "./note.tsx";
import { formatBreak } from "./permit.ts";
import { useLimits } from "./use-limits.ts";
import "./break-notice.css";

/** Why nothing can be deposited or played now, for players who chose so, or are leaving; nothing for everybody else. */
export function BreakNotice({ act = <ToWallet /> }: { readonly act?: ReactNode }) {
  const limits = useLimits();
  const until = limits?.excludedUntil ?? null;
  const isClosing = (limits?.closingAt ?? null) !== null;
  if (until === null && !isClosing) return null;
  const closing = toRefusalView("account_closing");
  return (
    <div className="break-notice" role="status">
      <Note icon="clock">
        <b className="strong">{isClosing ? closing.title : "You are taking a break"}.</b>{" "}
        {isClosing || until === null ? closing.text : formatBreak(until, Date.now())} {act}
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
