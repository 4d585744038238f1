import type { PayoutHoldView } from "@holo/protocol/admin/money.ts";
import { useState } from "react";
import { callApi } from "../../../lib/api/api.ts";
import { Button } from "../../../ui/button/button.tsx";
import { Note } from "../../../ui/feedback/note.tsx";
import { formatFutureTime } from "../../../ui/text/relative-time.ts";
import { useNow } from "../../../ui/text/use-now.ts";
import { ReasonDialog, type ReasonDialogTexts } from "../reason-dialog.tsx";

const CAUSES: Readonly<Record<PayoutHoldView["cause"], string>> = {
  restore: "A backup was restored",
  operator: "The operator held them",
  database_changed: "The database was moved or recovered",
};

const TEXTS: ReasonDialogTexts = {
  title: "Send Withdrawals Again?",
  body: "Do this only once every unknown transfer is explained: its player's withdrawals are on hold, or someone else ordered it. Otherwise that money can be paid twice.",
  submit: "Release",
  busy: "Releasing...",
  done: "Withdrawals released",
  reasonLabel: "What you found",
  reasonHint: "Kept in the activity log.",
};
const REASON_MAX = 500;
const CLOCK_MS = 30_000;

export function PayoutHoldNote({ hold: { cause, fromAt } }: { readonly hold: PayoutHoldView }) {
  const now = useNow(CLOCK_MS);
  const [isReleasing, setReleasing] = useState(false);
  return (
    <div className="payout-hold">
      <Note icon="clock">
        <b>All withdrawals wait.</b> {CAUSES[cause]} ({formatFutureTime(fromAt, now)}), so the records may miss some
        that were sent. A comparison without an unknown transfer sends them again.
      </Note>
      <Button size="small" onClick={() => setReleasing(true)}>
        Release withdrawals
      </Button>
      {isReleasing && (
        <ReasonDialog
          texts={TEXTS}
          reasonMax={REASON_MAX}
          send={(reason) => callApi("releasePayouts", { body: { fromAt, reason } })}
          onClose={() => setReleasing(false)}
        />
      )}
    </div>
  );
}
