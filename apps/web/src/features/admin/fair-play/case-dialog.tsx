import type { FairPlayCaseView } from "@holo/protocol/admin/fair-play-cases.ts";
import { FAIR_PLAY_TEXT_MAX } from "@holo/protocol/fair-play-terms.ts";
import { useState } from "react";
import { type ApiAnswer, callApi } from "../../../lib/api/api.ts";
import { toFailure } from "../../../lib/api/failure.ts";
import { serverClock } from "../../../lib/clock/server-clock.ts";
import { useAttempts } from "../../../ui/form/attempts.ts";
import { FormDialog } from "../../../ui/overlay/form-dialog.tsx";
import { notify } from "../../../ui/overlay/notify.ts";
import { formatFutureTime } from "../../../ui/text/relative-time.ts";
import { refreshAdmin } from "../admin-queries.ts";
import { ReasonDialog, type ReasonDialogTexts } from "../reason-dialog.tsx";
import { type CaseAct, formatAccept, formatClear } from "./case-texts.ts";
import { ForfeitReceipt } from "./forfeit-receipt.tsx";

type WrittenAct = Exclude<CaseAct, "confirm" | "withdraw">;
type Texts = Omit<ReasonDialogTexts, "body"> & { readonly body: (shown: FairPlayCaseView, now: number) => string };

const TEXTS: Readonly<Record<WrittenAct, Texts>> = {
  note: {
    title: "Write a Note",
    body: () => "Other members see it with the case, the player never.",
    submit: "Save",
    busy: "Saving...",
    done: "Note saved",
    doneText: "Kept with the case.",
    reasonLabel: "Note",
    reasonHint: "It can't be changed later.",
  },
  clear: {
    title: "Clear the Case?",
    body: formatClear,
    submit: "Clear",
    busy: "Clearing...",
    done: "Cleared",
    reasonLabel: "What you found",
    reasonHint: "Only members see this.",
  },
  propose: {
    title: "Propose to Forfeit?",
    body: ({ untilAt }, now) =>
      untilAt === null
        ? "Nothing moves yet. Another member has to confirm it."
        : `Nothing moves yet. Another member has to confirm it. Without that, the coins are sent ${formatFutureTime(untilAt, now)}.`,
    submit: "Propose",
    busy: "Proposing...",
    done: "Proposed",
    reasonLabel: "What you found",
    reasonHint: "The other member reads it before they confirm.",
  },
  accept: {
    title: "Accept the Appeal?",
    body: formatAccept,
    submit: "Accept",
    busy: "Accepting...",
    done: "Appeal accepted",
    reasonLabel: "Answer",
    reasonHint: "The player reads it. No signals and no other players, please.",
  },
  refuse: {
    title: "Refuse the Appeal?",
    body: () => "The decision stays, and there's no other appeal.",
    submit: "Refuse",
    busy: "Refusing...",
    done: "Appeal refused",
    reasonLabel: "Answer",
    reasonHint: "The player reads it. No signals and no other players, please.",
  },
};

interface CaseDialogProps {
  readonly act: CaseAct;
  readonly shown: FairPlayCaseView;
  readonly onDone: (changed: FairPlayCaseView) => void;
  readonly onRefused: () => void;
  readonly onClose: () => void;
}

export function CaseDialog({ act, ...props }: CaseDialogProps) {
  return act === "confirm" || act === "withdraw" ? (
    <ProposalDialog act={act} {...props} />
  ) : (
    <WrittenActDialog act={act} {...props} />
  );
}

function WrittenActDialog(props: CaseDialogProps & { readonly act: WrittenAct }) {
  const { act, shown, onDone, onRefused, onClose } = props;

  async function send(reason: string) {
    const answer = await callAct(act, shown.id, reason);
    if (answer.ok) onDone(answer.value);
    else onRefused();
    return answer;
  }

  return (
    <ReasonDialog
      texts={{ ...TEXTS[act], body: TEXTS[act].body(shown, serverClock.now()) }}
      kind={act === "propose" ? "danger" : "primary"}
      reasonMax={FAIR_PLAY_TEXT_MAX}
      send={send}
      onClose={onClose}
    >
      {act === "propose" && <ForfeitReceipt forfeit={shown.forfeit} />}
    </ReasonDialog>
  );
}

type ActRoute = "noteFairPlayCase" | "clearFairPlayCase" | "proposeForfeit" | "answerAppeal";

function callAct(act: WrittenAct, id: string, reason: string): Promise<ApiAnswer<ActRoute>> {
  switch (act) {
    case "note":
      return callApi("noteFairPlayCase", { body: { id, reason } });
    case "clear":
      return callApi("clearFairPlayCase", { body: { id, reason } });
    case "propose":
      return callApi("proposeForfeit", { body: { id, reason } });
    case "accept":
    case "refuse":
      return callApi("answerAppeal", { body: { id, reason, isAccepted: act === "accept" } });
  }
}

const PROPOSAL_TEXTS = {
  confirm: { title: "Confirm the Forfeit?", submit: "Forfeit", busy: "Forfeiting...", done: "Forfeited" },
  withdraw: { title: "Withdraw the Proposal?", submit: "Withdraw", busy: "Withdrawing...", done: "Proposal withdrawn" },
} as const;

function ProposalDialog(props: CaseDialogProps & { readonly act: "confirm" | "withdraw" }) {
  const { act, shown, onDone, onRefused, onClose } = props;
  const { failure, setFailure, attempt } = useAttempts();
  const [isSending, setSending] = useState(false);
  const texts = PROPOSAL_TEXTS[act];

  async function submit() {
    setSending(true);
    const body = { id: shown.id, proposalId: shown.proposal?.id ?? "0" };
    const answer = await attempt(() =>
      act === "confirm" ? callApi("confirmForfeit", { body }) : callApi("withdrawForfeit", { body }),
    );
    setSending(false);
    if (answer === null) return;
    refreshAdmin();
    if (!answer.ok) {
      onRefused();
      return setFailure(toFailure(answer.refusal));
    }
    onDone(answer.value);
    notify({ kind: "done", title: texts.done, text: "Kept in the activity log." });
    onClose();
  }

  return (
    <FormDialog
      title={texts.title}
      kind={act === "confirm" ? "danger" : "primary"}
      submitText={texts.submit}
      busyText={isSending && texts.busy}
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
    >
      {act === "confirm" ? (
        <>
          <p className="muted">
            {shown.player.username} loses these coins, reads that two people decided it, and can appeal once.
          </p>
          <ForfeitReceipt forfeit={shown.forfeit} />
        </>
      ) : (
        <p className="muted">The case stays open, and its time runs on.</p>
      )}
    </FormDialog>
  );
}
