import { assert } from "@holo/kernel/assert.ts";
import { addMs, type Instant, MINUTE_MS, SECOND_MS } from "@holo/kernel/instant.ts";
import type { Database, Queries, Tx } from "../database/database.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { PushDelivery, Pusher, PushSubscription } from "../push/pusher.ts";
import { removeSubscription } from "../push/subscriptions-store.ts";
import { randomUUID, sleep } from "../runtime.ts";
import type { Time } from "../time/time.ts";
import type { TimerWheel } from "../time/timer-wheel.ts";
import type { Mailer } from "./mailer.ts";
import { type ClaimedMail, claimMail, endMail, postponeMail, removeEndedMails, saveMail } from "./outbox-store.ts";
import { makeSeal, type Seal } from "./seal.ts";

export interface NewMail {
  /** The kind of mail in snake_case, for operators. */
  readonly kind: string;
  /** Whose deletion deletes the mail. Null if it is about no account. */
  readonly accountId: string | null;
  readonly to: string;
  /** At most 200 characters, on one line. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Not sent after this instant: the expiry of its link, or three days for notices. */
  readonly expiresAt: Instant;
}

export type QueueMail = (tx: Tx, mail: NewMail) => Promise<void>;

interface NewPush {
  /** A second message under the same id is not stored. */
  readonly id: string;
  readonly kind: string;
  readonly accountId: string;
  readonly subscription: PushSubscription;
  readonly text: string;
  readonly expiresAt: Instant;
}

/** Stores mails, from the transaction of their cause, and notices until they are accepted. */
export interface Outbox {
  /**
   * Writes the mail in the caller's transaction. It is sent within seconds of the commit, at least
   * once, until it expires or is refused. Asserts that address and subject contain no line break.
   */
  readonly queueMail: QueueMail;
  /** Writes a message to a browser, sent as mails are. */
  readonly queuePush: (queries: Queries, push: NewPush) => Promise<void>;
  /** Sends all due mails. The outbox calls it every second; tests call it directly. */
  sendDue(): Promise<void>;
  /**
   * Starts no new delivery and waits three seconds for current ones. The next start sends the rest.
   */
  close(): Promise<void>;
}

interface OutboxDeps {
  readonly database: Database;
  readonly time: Time;
  readonly wheel: TimerWheel;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly mailer: Mailer;
  readonly pusher: Pusher;
  readonly secret: string;
}

type Content =
  | { readonly text: string; readonly html: string }
  | { readonly push: Pick<NewPush, "subscription" | "text"> };

const CHECK_EVERY_MS = SECOND_MS;
const SENDERS_MAX = 4;
const SEND_MS_MAX = MINUTE_MS;
/** Longer than a delivery can take, so that a mail is claimed by one worker at a time. */
const CLAIM_MS = 2 * MINUTE_MS;
const PAUSE_MS_MIN = 5 * SECOND_MS;
const PAUSE_MS_MAX = 10 * MINUTE_MS;
const CLOSING_MS_MAX = 3 * SECOND_MS;
const ENDED_MAILS_KEPT_MS = 30 * 24 * 60 * MINUTE_MS;
const CLEAN_UP_EVERY_MS = 60 * MINUTE_MS;

const CONTROL = /\p{Cc}/u;

/** Back-off after failed attempts: 5 s, doubled each time, at most 10 minutes. */
export function toPauseMs(attempts: number): number {
  return Math.min(PAUSE_MS_MAX, PAUSE_MS_MIN * 2 ** (attempts - 1));
}

const SEAL_PURPOSE = "holo outbox";

export function makeQueueMail(secret: string, time: Pick<Time, "now">): QueueMail {
  const seal = makeSeal(secret, SEAL_PURPOSE);
  return async (tx, { kind, accountId, to, subject, text, html, expiresAt }) => {
    assert(!CONTROL.test(to) && !CONTROL.test(subject), "a mail's address or subject contains a control character");
    const id = randomUUID();
    const sealedBody = seal.close(JSON.stringify({ text, html }), id);
    await saveMail(tx, { id, accountId, recipient: to, kind, subject, sealedBody, createdAt: time.now(), expiresAt });
  };
}

export function openOutbox(deps: OutboxDeps): Outbox {
  const { database, time, wheel, log, mailer } = deps;
  const seal = makeSeal(deps.secret, SEAL_PURPOSE);
  const senders = new Set<Promise<void>>();
  const closing = new AbortController();
  const deliver = makeDelivery(deps, seal, closing.signal);
  let isClosing = false;
  let cleanedUpMs = Number.NEGATIVE_INFINITY;
  let cancel = schedule();

  function schedule(): () => void {
    return wheel.schedule(time.monotonicMs() + CHECK_EVERY_MS, () => {
      wake();
      cleanUp();
      cancel = schedule();
    });
  }

  function wake(): void {
    if (isClosing || senders.size >= SENDERS_MAX) return;
    const sender = sendAll()
      .catch((err) => log.error({ err }, "the outbox could not be read or written"))
      .finally(() => senders.delete(sender));
    senders.add(sender);
  }

  async function sendAll(): Promise<void> {
    while (!isClosing) {
      const at = time.now();
      const mail = await claimMail(database.kysely, at, addMs(at, CLAIM_MS));
      if (mail === null) return;
      wake();
      await deliver(mail);
    }
  }

  function cleanUp(): void {
    if (time.monotonicMs() - cleanedUpMs < CLEAN_UP_EVERY_MS) return;
    cleanedUpMs = time.monotonicMs();
    removeEndedMails(database.kysely, addMs(time.now(), -ENDED_MAILS_KEPT_MS)).catch((err) =>
      log.error({ err }, "old mails could not be deleted"),
    );
  }

  async function waitForSenders(): Promise<void> {
    while (senders.size > 0) await Promise.all(senders);
  }

  return {
    queueMail: makeQueueMail(deps.secret, time),

    async queuePush(queries, { id, kind, accountId, subscription, text, expiresAt }) {
      const content: Content = { push: { subscription, text } };
      const sealedBody = seal.close(JSON.stringify(content), id);
      const createdAt = time.now();
      await saveMail(queries, { id, accountId, recipient: id, kind, subject: "", sealedBody, createdAt, expiresAt });
    },

    async sendDue() {
      wake();
      await waitForSenders();
    },

    async close() {
      isClosing = true;
      cancel();
      await Promise.race([waitForSenders(), sleep(CLOSING_MS_MAX, undefined, { ref: false })]);
      closing.abort();
      await waitForSenders();
      mailer.close();
    },
  };
}

function makeDelivery(
  { database, time, log, metrics, mailer, pusher }: OutboxDeps,
  seal: Seal,
  cancelled: AbortSignal,
): (mail: ClaimedMail) => Promise<void> {
  const sent = metrics.counter("holo_mails_sent_total", "Mails handed to the mail server");
  const failed = metrics.counter(
    "holo_mail_attempts_failed_total",
    "Failed attempts to send a mail that will be retried",
  );
  const givenUp = metrics.counter("holo_mails_given_up_total", "Mails permanently rejected or expired unsent");

  async function hand(mail: ClaimedMail, content: Content, signal: AbortSignal): Promise<PushDelivery> {
    const { id, recipient, subject, createdAt, expiresAt } = mail;
    if (!("push" in content))
      return await mailer.send({ id, to: recipient, subject, ...content, writtenAt: createdAt }, signal);
    const delivery = await pusher.send({ ...content.push, expiresAt }, time.now(), signal);
    if (delivery === "gone") await removeSubscription(database.kysely, content.push.subscription.endpoint);
    return delivery;
  }

  async function tryToSend(mail: ClaimedMail): Promise<"sent" | "given_up" | "failed"> {
    const facts = { mail: mail.id, kind: mail.kind, attempts: mail.attempts };
    if (mail.expiresAt <= time.now()) {
      log.warn(facts, "a mail expired before it could be sent");
      return "given_up";
    }
    const body = seal.open(mail.sealedBody, mail.id);
    if (body === null) {
      log.error(facts, "a mail was encrypted with another secret and cannot be sent");
      return "given_up";
    }
    try {
      const signal = AbortSignal.any([cancelled, AbortSignal.timeout(SEND_MS_MAX)]);
      const delivery = await hand(mail, JSON.parse(body), signal);
      if (delivery === "delivered") return "sent";
      if (delivery === "refused") log.warn(facts, "a mail was permanently rejected");
      return "given_up";
    } catch (error) {
      // The error itself is not logged: mail servers repeat the address in their responses.
      const { code, responseCode } = error as { readonly code?: unknown; readonly responseCode?: unknown };
      log.warn({ ...facts, code, responseCode }, "a mail could not be sent yet");
      return "failed";
    }
  }

  return async (mail) => {
    const end = await tryToSend(mail);
    if (end === "failed") {
      failed.inc();
      return await postponeMail(database.kysely, mail.id, addMs(time.now(), toPauseMs(mail.attempts)));
    }
    (end === "sent" ? sent : givenUp).inc();
    await endMail(database.kysely, mail.id, end, time.now());
  };
}
