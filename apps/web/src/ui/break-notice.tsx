import type { LimitsView } from "@holo/protocol/limit-views.ts";
import { toRefusalView } from "@holo/protocol/refusals.ts";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { Note } from "./note.tsx";
import { formatBreak } from "./permit.ts";
import { useLimits } from "./use-limits.ts";
import "./break-notice.css";

/** Why nothing can be deposited or played now, for players who chose so, are leaving or are blocked; nothing for everybody else. */
export function BreakNotice({ act = <ToWallet /> }: { readonly act?: ReactNode }) {
  const limits = useLimits();
  const words = limits === null ? null : toWords(limits);
  if (words === null) return null;
  return (
    <div className="break-notice" role="status">
      <Note icon="clock">
        <b className="strong">{words.title}.</b> {words.text} {limits?.blockedFor != null && <ToContact />} {act}
      </Note>
    </div>
  );
}

function toWords({ blockedFor, closingAt, excludedUntil }: LimitsView) {
  if (blockedFor !== null) {
    const blocked = toRefusalView("blocked_by_house");
    return {
      title: blocked.title,
      text: `The reason: ${blockedFor} ${blocked.text}`,
    };
  }
  if (closingAt !== null) return toRefusalView("account_closing");
  if (excludedUntil === null) return null;
  return { title: "You are taking a break", text: formatBreak(excludedUntil, Date.now()) };
}

function ToContact() {
  return (
    <Link href="/contact" className="link unbroken">
      Contact us
    </Link>
  );
}

function ToWallet() {
  return (
    <Link href="/wallet" className="link unbroken">
      To the wallet
    </Link>
  );
}
