import type { RestrictionsView } from "@holo/protocol/accounts/restrictions.ts";
import { toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { serverClock } from "../../lib/clock/server-clock.ts";
import { RefusalNote } from "../../ui/feedback/failure-note.tsx";
import { Note } from "../../ui/feedback/note.tsx";
import { formatExclusionEnd, isPlayRestricted, toMoneyHoldNote } from "./seat-restrictions.ts";
import { usePauseRefusal } from "./use-may-play.ts";
import { useRestrictions } from "./use-restrictions.ts";
import "./restriction-note.css";

/**
 * Why a player cannot play: banned, self-excluded, deleting the account, or with disputed or owed
 * coins. Renders nothing for others.
 */
export function RestrictionNote({ action = <WalletLink /> }: { readonly action?: ReactNode }) {
  const limits = useRestrictions();
  const note = limits === null ? null : toNoteText(limits);
  if (note === null) return null;
  return (
    <div className="restriction-note" role="status">
      <Note icon="clock">
        <b className="strong">{note.title}.</b> {note.text} {limits?.bannedFor != null && <ContactLink />} {action}
      </Note>
    </div>
  );
}

/** When a player can start a game again after too many cancelled or missed ones (ruling 17). */
export function CoolDownNote() {
  const pause = usePauseRefusal();
  const isRestricted = isPlayRestricted(useRestrictions());
  if (pause === null || isRestricted) return null;
  return (
    <div className="restriction-note">
      <RefusalNote refusal={pause} />
    </div>
  );
}

function toNoteText(limits: RestrictionsView) {
  const { bannedFor, closingAt, excludedUntil, moneyHold } = limits;
  if (bannedFor !== null) {
    const blocked = toRefusalView("banned");
    return {
      title: blocked.title,
      text: `Reason: ${bannedFor} ${blocked.text}`,
    };
  }
  if (closingAt !== null) return toRefusalView("account_closing");
  if (excludedUntil !== null) {
    return { title: "You are taking a break", text: formatExclusionEnd(limits, serverClock.now()) };
  }
  return moneyHold === null ? null : toMoneyHoldNote(moneyHold);
}

function ContactLink() {
  return (
    <Link href="/contact" className="link unbroken">
      Contact us
    </Link>
  );
}

function WalletLink() {
  return (
    <Link href="/wallet" className="link unbroken">
      Go to wallet
    </Link>
  );
}
