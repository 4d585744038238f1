import { formatCoins, toKobo } from "@holo/kernel/money.ts";
import type { ReviewEnd, ReviewsView, ReviewView } from "@holo/protocol/admin-views.ts";
import { toRefusalView } from "@holo/protocol/refusals.ts";
import { type SubmitEvent, useId, useState } from "react";
import { callApi } from "../../lib/api.ts";
import { readCoins } from "../../lib/coins.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Failure, type FailureWords } from "../../ui/failure.tsx";
import { formatNaira } from "../../ui/naira.ts";
import { notify } from "../../ui/notify.ts";
import { Receipt, ReceiptRow, ReceiptTotal } from "../../ui/receipt.tsx";
import { TextField } from "../../ui/text-field.tsx";

const WORDS = {
  credit: {
    title: "Credit What Arrived?",
    text: "The player gets coins for what really arrived, and is shown so. This cannot be taken back.",
    act: "Credit",
    busy: "Crediting...",
    done: "Credited",
  },
  refund: {
    title: "Refund the Payment?",
    text: "All that arrived goes back to where it came from, and no coins are credited. The player is shown so. This cannot be taken back.",
    act: "Refund",
    busy: "Refunding...",
    done: "Refund ordered",
  },
} as const satisfies Record<ReviewEnd, object>;

interface ReviewDialogProps {
  readonly review: ReviewView;
  readonly end: ReviewEnd;
  readonly onClose: () => void;
  readonly onEnded: (reviews: ReviewsView) => void;
}

/** Shows in figures what ending a review this way does, and asks why. */
export function ReviewDialog({ review, end, onClose, onEnded }: ReviewDialogProps) {
  const { payment, username, arrivedKobo, arrivedCoins } = review;
  const words = WORDS[end];
  const formId = useId();
  const [reason, setReason] = useState("");
  const [error, setError] = useState<string>();
  const [failure, setFailure] = useState<FailureWords | null>(null);
  const [isSending, setSending] = useState(false);
  const arrived = arrivedKobo === null ? "Not known" : formatNaira(toKobo(BigInt(arrivedKobo)));

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setFailure(null);
    if (reason.trim() === "") return setError(toRefusalView("reason_missing").text);
    setSending(true);
    const answer = await callApi("endReview", { body: { reference: payment.reference, end, reason: reason.trim() } });
    setSending(false);
    if (!answer.ok) return setFailure(answer.refusal);
    notify({ kind: "done", title: words.done, text: `${username}: ${arrived}` });
    onEnded(answer.value);
  }

  return (
    <Dialog
      title={words.title}
      onClose={isSending ? undefined : onClose}
      actions={
        <>
          <Button disabled={isSending} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} kind="primary" busy={isSending && words.busy}>
            {words.act}
          </Button>
        </>
      }
    >
      <form id={formId} className="review-form" noValidate onSubmit={(event) => void submit(event)}>
        <p className="muted">{words.text}</p>
        <Receipt>
          <ReceiptRow term="Player">{username}</ReceiptRow>
          <ReceiptRow term="Asked for">{formatNaira(toKobo(BigInt(payment.kobo)))}</ReceiptRow>
          <ReceiptRow term="Arrived">{arrived}</ReceiptRow>
          <ReceiptTotal term={end === "credit" ? "The player gets" : "Goes back"}>
            {end === "refund" ? arrived : `${arrivedCoins === null ? "?" : formatCoins(readCoins(arrivedCoins))} HC`}
          </ReceiptTotal>
        </Receipt>
        <TextField
          label="Reason"
          hint="Kept in the log of acts."
          error={error}
          maxLength={REASON_MAX}
          autoComplete="off"
          value={reason}
          onChange={(event) => {
            setReason(event.target.value);
            setError(undefined);
          }}
        />
        {failure !== null && <Failure words={failure} />}
      </form>
    </Dialog>
  );
}

/** As the wire bounds it. */
const REASON_MAX = 500;
