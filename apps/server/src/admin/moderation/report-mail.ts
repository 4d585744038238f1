import type { PlayerId } from "@holo/kernel/ids.ts";
import { addMs, type Instant, MINUTE_MS } from "@holo/kernel/instant.ts";
import type { ReportOutcome } from "@holo/protocol/report-terms.ts";
import { formatMailContent } from "../../platform/mail/mail-content.ts";
import type { NewMail } from "../../platform/mail/outbox.ts";

const MAIL_LIFE_MS = 3 * 24 * 60 * MINUTE_MS;

export const REPORT_TITLE = "Your report has been answered";

/** Everything that the reporter learns about the outcome. */
export const REPORT_OUTCOME_TEXTS: Readonly<Record<ReportOutcome, string>> = {
  acted: "We've looked into it and taken action.",
  nothing_found: "We've looked into it and found nothing against the rules.",
  unclear: "We've looked into it and couldn't tell what happened. We'll keep it in mind.",
};

export function toReportMail(order: {
  readonly playerId: PlayerId;
  readonly email: string;
  readonly username: string;
  readonly gameId: string;
  readonly outcome: ReportOutcome;
  readonly publicUrl: string;
  readonly at: Instant;
}): NewMail {
  const { playerId, email, username, gameId, outcome, publicUrl, at } = order;
  const content = formatMailContent({
    title: REPORT_TITLE,
    paragraphs: [
      `Hello ${username}. You reported a game. ${REPORT_OUTCOME_TEXTS[outcome]}`,
      "Thank you for telling us.",
    ],
    action: { text: "Open the game", url: `${publicUrl}/game/${gameId}` },
    notes: ["We don't share what we do about other players."],
  });
  const mail = { kind: "report_answered", accountId: playerId, to: email, subject: REPORT_TITLE } as const;
  return { ...mail, ...content, expiresAt: addMs(at, MAIL_LIFE_MS) };
}
