import { addMs, type Instant, MINUTE_MS } from "@holo/kernel/instant.ts";
import type { ReportOutcome } from "@holo/protocol/house-views.ts";
import { formatLetter } from "../platform/mail/letter.ts";
import type { NewMail } from "../platform/mail/outbox.ts";

const NEWS_MS = 3 * 24 * 60 * MINUTE_MS;

export const REPORT_TITLE = "Your report has been answered";

/** What its reporter is told of a report; of others no more than that. */
export const REPORT_WORDS: Readonly<Record<ReportOutcome, string>> = {
  acted: "We have looked at it, and we have acted.",
  nothing_found: "We have looked at it, and found nothing against the rules.",
  unclear: "We have looked at it, and could not tell what happened. We keep it in mind.",
};

export function writeReportMail(order: {
  readonly email: string;
  readonly username: string;
  readonly gameId: string;
  readonly outcome: ReportOutcome;
  readonly publicUrl: string;
  readonly at: Instant;
}): NewMail {
  const { email, username, gameId, outcome, publicUrl, at } = order;
  const letter = formatLetter({
    title: REPORT_TITLE,
    paragraphs: [`Hello ${username}. You told us of a game. ${REPORT_WORDS[outcome]}`, "Thank you for telling us."],
    act: { text: "To the game", url: `${publicUrl}/game/${gameId}` },
    notes: ["What we do about other players stays between them and us."],
  });
  return { kind: "report_answered", to: email, subject: REPORT_TITLE, ...letter, expiresAt: addMs(at, NEWS_MS) };
}
