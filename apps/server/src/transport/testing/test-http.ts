import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { PlayerId } from "@holo/kernel/ids.ts";
import { wholeCoins } from "@holo/kernel/money.ts";
import type { SessionView } from "@holo/protocol/accounts/session.ts";
import type { PlayerView } from "@holo/protocol/game/games.ts";
import type { MaintenanceView, SettingsView } from "@holo/protocol/platform.ts";
import { type Accounts, DEVELOPMENT_RATE_LIMITS, loadRole, openAccounts } from "../../accounts/accounts.ts";
import {
  applyOwnerEmail,
  loadRateAt,
  openAdmin,
  openMaintenance,
  openSettings,
  recordAuditEvent,
} from "../../admin/admin.ts";
import { type FairPlay, openFairPlay } from "../../fairplay/fairplay.ts";
import { hasOpenGame } from "../../game/game.ts";
import { openTestPlay, type TestPlay } from "../../game/testing/test-play.ts";
import { openWallet, postOpening } from "../../ledger/ledger.ts";
import { openNotices } from "../../notices/notices.ts";
import { openPayments, type Payments, type PaymentsDeps } from "../../payments/payments.ts";
import type { Database } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import { openFiles } from "../../platform/files/open-files.ts";
import type { NewMail } from "../../platform/mail/outbox.ts";
import { openMetrics } from "../../platform/metrics/metrics.ts";
import { openTestLog } from "../../platform/testing/test-log.ts";
import { openTimerWheel } from "../../platform/time/timer-wheel.ts";
import { openReleases, type ReleasesDeps } from "../../releases/releases.ts";
import type { AdmissionLimits } from "../admission/admission.ts";
import { pushLimits } from "../http/accounts/restrictions.ts";
import { makeHandlers } from "../http/handlers.ts";
import { createHttpApp } from "../http/http-app.ts";
import type { MetricsAccess } from "../http/metrics.ts";
import type { HttpApp } from "../http/routes.ts";
import { loadSite } from "../http/site/site.ts";

import { openTestAdmission } from "./test-admission.ts";

export const ORIGIN = "http://arena.test";
export const PASSWORD = "correct horse";

export interface TestPerson extends PlayerView {
  readonly cookie: string;
}

export const OWNER_EMAIL = "owner@arena.test";

export interface TestHttp {
  readonly app: HttpApp;
  readonly at: TestPlay;
  readonly accounts: Accounts;
  readonly payments: Payments;
  readonly fairPlay: FairPlay;
  readonly filesFolder: string;
  readonly mails: readonly NewMail[];
  readonly sentSettings: readonly SettingsView[];
  readonly sentMaintenance: readonly (MaintenanceView | null)[];
  logIn(username?: string): Promise<string>;
  addPlayer(): Promise<TestPerson>;
  close(): Promise<void>;
}

/** The key of the test's provider, even if it does not run. */
export const PROVIDER_KEY = "sk_test_nobody";
const NO_PROVIDER = { url: "http://127.0.0.1:9", secretKey: PROVIDER_KEY };

export async function openTestHttp(
  database: Database,
  options: {
    readonly siteFolder?: string;
    readonly isProduction?: boolean;
    readonly metricsAccess?: MetricsAccess;
    readonly isReady?: () => Promise<boolean>;
    readonly budgets?: Partial<AdmissionLimits>;
    readonly provider?: PaymentsDeps["provider"];
    readonly payerBearsFee?: boolean;
    readonly requiresStaffCodes?: boolean;
    readonly uploadPace?: ReleasesDeps["pace"];
  } = {},
): Promise<TestHttp> {
  const at = await openTestPlay(database, undefined, [], 0, () => settings.current().feeBps);
  const { games, matches, lobby, players, time, close } = at;
  const { isProduction = false, payerBearsFee = false } = options;
  const mails: NewMail[] = [];
  const told: SettingsView[] = [];
  const announced: (MaintenanceView | null)[] = [];
  await applyOwnerEmail(database, time, OWNER_EMAIL);
  const settings = await openSettings({ database, time, broadcast: (inForce) => void told.push(inForce) });
  const maintenance = await openMaintenance({ database, time, broadcast: (isOn) => void announced.push(isOn) });
  const accounts = openAccounts({
    database,
    time,
    secret: "a secret of at least thirty-two characters",
    publicUrl: ORIGIN,
    secureCookies: isProduction,
    rateLimits: DEVELOPMENT_RATE_LIMITS,
    onPlayerCreated: openWallet,
    queueMail: async (_tx, mail) => {
      mails.push(mail);
    },
    onSessionsEnded: (playerId) => at.bus.publish("sessions_ended", { playerId }),
    onRelationChanged: (playerIds) => lobby.relationsChanged(playerIds),
  });
  const push: PaymentsDeps["sendFrame"] = (playerId, frame) => void at.playerFrames.push({ playerId, frame });
  const wheel = openTimerWheel({ time, log: openTestLog() });
  const notify = (playerId: PlayerId, title: string, text: string) => push(playerId, { type: "notice", title, text });
  const fairPlay = openFairPlay({
    database,
    time,
    log: openTestLog(),
    metrics: openMetrics({ process: false }),
    publicUrl: ORIGIN,
    queueMail: async (_tx, mail) => void mails.push(mail),
    notify,
    sendFrame: push,
    payments: {
      listHeld: (queries, playerId) => payments.listHeld(queries, playerId),
      recheckHeld: (tx, playerId, at) => payments.recheckHeld(tx, playerId, at),
      returnHeld: (tx, afterCommit, playerId, paymentIds) => payments.returnHeld(tx, afterCommit, playerId, paymentIds),
    },
    secret: "a secret of at least thirty-two characters",
    rateKobo: () => settings.current().rateKobo,
  });
  const payments = openPayments({
    database,
    time,
    wheel,
    log: openTestLog(),
    metrics: openMetrics({ process: false }),
    provider: options.provider ?? NO_PROVIDER,
    publicUrl: ORIGIN,
    rateKobo: () => settings.current().rateKobo,
    loadRateAt,
    sendFrame: push,
    onHoldChanged: (playerId) => void pushLimits({ queries: database.kysely, time, push }, playerId),
    queueMail: async (_tx, mail) => void mails.push(mail),
    confirmPassword: accounts.confirmPassword,
    recordTrace: accounts.recordTrace,
    screen: fairPlay.screen,
    removePlayer: accounts.removePlayer,
    payerBearsFee,
    correctionLimitKobo: 5_000_000n,
    withdrawalsPerDay: () => 3,
    hasOpenGame,
    disputeCases: fairPlay,
    isPolling: false,
  });
  const admin = openAdmin({
    database,
    links: null,
    time,
    wheel,
    log: openTestLog(),
    metrics: at.metrics,
    publicUrl: ORIGIN,
    queueMail: async (_tx, mail) => void mails.push(mail),
    onRoleChanged: (playerId) => push(playerId, { type: "role_changed" }),
    payments,
    fairPlay,
    settings,
    maintenance,
    games,
    accounts,
    notify,
    pushLimits: (playerId) => pushLimits({ queries: database.kysely, time, push }, playerId),
  });
  const filesFolder = await mkdtemp(path.join(tmpdir(), "holo-files-"));
  const releases = openReleases({
    database,
    time,
    files: openFiles({ type: "disk", folder: filesFolder }),
    isAdmin: async (queries, playerId) => (await loadRole(queries, playerId)) !== null,
    recordAuditEvent,
    androidCertificates: [],
    ...(options.uploadPace && { pace: options.uploadPace }),
  });
  const notices = openNotices({
    database,
    bus: at.bus,
    time,
    log: openTestLog(),
    outbox: { queuePush: async () => undefined },
    publicKey: "the key of the test",
    otherServices: [],
  });
  const app = createHttpApp({
    log: openTestLog(),
    metrics: at.metrics,
    metricsAccess: options.metricsAccess ?? { isServed: true, token: null },
    handlers: makeHandlers({
      accounts,
      games,
      matches,
      lobby,
      players,
      payments,
      fairPlay,
      admin,
      releases,
      notices,
      queries: database.kysely,
      time,
      settings: settings.current,
      maintenance: maintenance.current,
      requiresStaffCodes: options.requiresStaffCodes ?? false,
      contact: {
        email: "support@arena.test",
        messagingUrl: "https://messages.arena.test/holo",
        version: "1.2.3+test",
      },
      payerBearsFee,
      push,
    }),
    accounts,
    games,
    matches,
    payments,
    releases,
    queries: database.kysely,
    findSession: accounts.findSession,
    site: await loadSite(options.siteFolder ?? "/nowhere", { hasWorker: true }),
    androidCertificates: [Array.from({ length: 32 }, () => "AB").join(":")],
    publicUrl: ORIGIN,
    origins: [ORIGIN],
    admission: openTestAdmission(options.budgets, { time, toKnownSource: accounts.toKnownSource }),
    time,
    isReady: options.isReady ?? (async () => true),
    isProduction,
    requiresStaffCodes: options.requiresStaffCodes ?? false,
  });
  async function logIn(username = `u${randomUUID().slice(0, 12)}`): Promise<string> {
    const email = `${username}@example.com`;
    await send(app, "POST", "/api/register", { username, email, password: PASSWORD });
    const answer = await send(app, "POST", "/api/login", { email, password: PASSWORD });
    return (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  }
  return {
    app,
    at,
    accounts,
    payments,
    fairPlay,
    filesFolder,
    mails,
    sentSettings: told,
    sentMaintenance: announced,
    async close() {
      admin.close();
      await notices.close();
      await payments.close();
      wheel.stop();
      await close();
      await rm(filesFolder, { recursive: true, force: true });
    },
    logIn,
    async addPlayer() {
      const cookie = await logIn();
      const { player } = (await (await send(app, "GET", "/api/session", undefined, { cookie })).json()) as SessionView;
      if (player === null) throw new Error("nobody was logged in");
      const { id, username } = player;
      const playerId = id as PlayerId;
      await transact(database, (tx) => postOpening(tx, { playerId, amount: wholeCoins(5_000), at: time.now() }));
      lobby.connect(playerId);
      return { id, username, cookie };
    },
  };
}

export async function send(
  app: HttpApp,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const given = { origin: ORIGIN, ...(body !== undefined && { "content-type": "application/json" }), ...headers };
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const init = { method, headers: given, ...(body !== undefined && { body: text }) };
  return await app.request(`${ORIGIN}${path}`, init, {});
}
