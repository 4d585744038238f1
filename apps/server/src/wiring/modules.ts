import process from "node:process";
import type { PlayerId } from "@holo/kernel/ids.ts";
import { wholeCoins } from "@holo/kernel/money.ts";
import {
  type Accounts,
  DEVELOPMENT_RATE_LIMITS,
  findPlayers,
  loadRole,
  openAccounts,
  PRODUCTION_RATE_LIMITS,
  searchPlayers,
} from "../accounts/accounts.ts";
import { addDevelopmentPlayers, DEVELOPMENT_PASSWORD } from "../accounts/development-players.ts";
import {
  type Admin,
  applyOwnerEmail,
  loadRateAt,
  openAdmin,
  openMaintenance,
  openSettings,
  recordAuditEvent,
} from "../admin/admin.ts";
import type { Config } from "../config.ts";
import { type FairPlay, openFairPlay, openScreener } from "../fairplay/fairplay.ts";
import { hasOpenGame } from "../game/game.ts";
import { openWallet, postOpening } from "../ledger/ledger.ts";
import { type Notices, openNotices } from "../notices/notices.ts";
import { openPayments, type Payments } from "../payments/payments.ts";
import { openFiles } from "../platform/files/open-files.ts";
import { openReleases, type Releases } from "../releases/releases.ts";
import { pushLimits } from "../transport/http/accounts/restrictions.ts";
import type { Platform } from "./platform.ts";
import { openPlay, type Play, type PlayDeps } from "./play.ts";
import { startRefreshTimer } from "./refresh-timer.ts";
import { startUpkeep } from "./upkeep.ts";

export interface Modules extends Play {
  readonly accounts: Accounts;
  readonly payments: Payments;
  readonly fairPlay: FairPlay;
  readonly admin: Admin;
  readonly releases: Releases;
  readonly notices: Notices;
  close(): Promise<void>;
}

export async function openModules(
  config: Config,
  platform: Platform,
  provider: NonNullable<Config["paystack"]>,
  /** False: who opens them screens ended games. */
  { isScreening = true }: { readonly isScreening?: boolean } = {},
): Promise<Modules> {
  const { log, database, tableTime, wheel, metrics, push } = platform;
  const shared = { database, time: tableTime, wheel, log, metrics, publicUrl: config.publicUrl };
  const { queueMail } = platform.outbox;

  const accounts = openAccountModule(config, platform);
  await applyOwnerEmail(database, tableTime, config.ownerEmail);
  // With the sandbox only: their password is public, and their coins were never paid for.
  if (config.mode === "development" && config.paystack === null) await addPlayers(platform, accounts);
  const { settings, maintenance } = await openSwitches(platform);
  const play = await openPlayModules(platform, {
    feeBps: () => settings.current().feeBps,
    masksContacts: config.masksContacts,
  });
  const sendLimits = (playerId: PlayerId) => pushLimits({ queries: database.kysely, time: tableTime, push }, playerId);
  const rateKobo = () => settings.current().rateKobo;
  const fairPlay = openFairPlay({
    ...shared,
    secret: platform.secret,
    rateKobo,
    queueMail,
    notify: (playerId, title, text) => push(playerId, { type: "notice", title, text }),
    sendFrame: push,
    // Payments ask fair play before they pay, and it acts on what waits.
    payments: {
      listHeld: (queries, playerId) => payments.listHeld(queries, playerId),
      recheckHeld: (tx, playerId, at) => payments.recheckHeld(tx, playerId, at),
      returnHeld: (tx, afterCommit, playerId, paymentIds) => payments.returnHeld(tx, afterCommit, playerId, paymentIds),
    },
  });
  const stopUpkeep = startUpkeep(platform, { accounts, fairPlay }, config.retentionDays);
  const payments = openPayments({
    ...shared,
    provider,
    rateKobo,
    loadRateAt,
    sendFrame: push,
    onHoldChanged: (playerId) => {
      sendLimits(playerId).catch((err) => log.warn({ err }, "a player's restrictions could not be sent"));
    },
    queueMail,
    confirmPassword: accounts.confirmPassword,
    recordTrace: accounts.recordTrace,
    screen: fairPlay.screen,
    removePlayer: accounts.removePlayer,
    payerBearsFee: config.payerBearsFee,
    openRateLimiter: platform.openRateLimiter,
    withdrawalsPerDay: () => config.withdrawalsPerDay,
    correctionLimitKobo: BigInt(config.correctionLimitNaira) * 100n,
    hasOpenGame,
    disputeCases: fairPlay,
  });
  // Those who wait at other servers can be paired with from the first connection on.
  await play.lobby.refreshOnline();
  const stopRefreshTimer = startRefreshTimer(platform, { ...play, settings, maintenance });
  const admin = openAdmin({
    ...shared,
    links: platform.own.isShared ? platform.links : null,
    queueMail,
    onRoleChanged: (playerId) => push(playerId, { type: "role_changed" }),
    payments,
    fairPlay,
    settings,
    maintenance,
    games: play.games,
    accounts,
    notify: (playerId, title, text) => push(playerId, { type: "notice", title, text }),
    pushLimits: sendLimits,
  });

  const notices = openNotices({
    ...shared,
    bus: platform.bus,
    outbox: platform.outbox,
    publicKey: platform.pushKey,
    otherServices: config.pushService === null ? [] : [config.pushService],
  });

  const screener = openScreener({
    ...shared,
    stalls: platform.stalls,
    chessEngine: config.chessEngine,
    isPolling: isScreening,
  });

  return {
    accounts,
    notices,
    ...play,
    payments,
    fairPlay,
    admin,
    releases: openReleaseModule(config, platform),
    async close() {
      await screener.close();
      stopRefreshTimer();
      stopUpkeep();
      admin.close();
      await payments.close();
      await play.close();
      await notices.close();
    },
  };
}

export function openAccountModule(config: Config, platform: Platform): Accounts {
  const { database, time, tableTime, secret, outbox, bus } = platform;
  const isProduction = config.mode === "production";
  const accounts = openAccounts({
    database,
    time,
    tableTime,
    secret,
    publicUrl: config.publicUrl,
    secureCookies: isProduction,
    rateLimits: isProduction ? PRODUCTION_RATE_LIMITS : DEVELOPMENT_RATE_LIMITS,
    openRateLimiter: platform.openRateLimiter,
    onPlayerCreated: openWallet,
    queueMail: outbox.queueMail,
    onSessionsEnded: (playerId) => bus.publish("sessions_ended", { playerId }),
    onRelationChanged: (playerIds) => bus.publish("relations_changed", { playerIds }),
  });
  // Before any other subscriber looks up sessions.
  bus.subscribe("sessions_ended", ({ playerId }) => accounts.forgetSessions(playerId));
  return accounts;
}

const OPENING_HC = 500;

async function addPlayers({ database, time }: Platform, accounts: Accounts): Promise<void> {
  const added = await addDevelopmentPlayers({
    database,
    time,
    accounts,
    creditOpeningBalance: async (tx, playerId, at) => {
      await postOpening(tx, { playerId, amount: wholeCoins(OPENING_HC), at });
    },
  });
  if (added.length > 0) process.stdout.write(`Players to try with: ${added.join(", ")} (${DEVELOPMENT_PASSWORD})\n`);
}

async function openSwitches({ database, tableTime, bus }: Platform) {
  const settings = await openSettings({
    database,
    time: tableTime,
    broadcast(current) {
      bus.publish("everyone", { frame: { type: "settings", ...current } });
      bus.publish("switches_changed", null);
    },
  });
  const maintenance = await openMaintenance({
    database,
    time: tableTime,
    broadcast(current) {
      bus.publish("everyone", { frame: { type: "maintenance", maintenance: current } });
      bus.publish("switches_changed", null);
    },
  });
  return { settings, maintenance };
}

export async function openPlayModules(
  platform: Platform,
  rules: Pick<PlayDeps, "feeBps" | "masksContacts">,
): ReturnType<typeof openPlay> {
  const { database, bus, tableTime } = platform;
  const play = await openPlay({
    ...platform,
    ...rules,
    time: tableTime,
    loadPlayers: (ids) => findPlayers(database.kysely, ids),
    searchPlayers: (text) => searchPlayers(database.kysely, text),
  });
  bus.subscribe("outage", play.games.creditOutage);
  bus.subscribe("relations_changed", ({ playerIds }) => play.lobby.relationsChanged(playerIds));
  return play;
}

function openReleaseModule(config: Config, { database, tableTime, log }: Platform): Releases {
  const releases = openReleases({
    database,
    time: tableTime,
    files: openFiles(config.files),
    isAdmin: async (queries, playerId) => (await loadRole(queries, playerId)) !== null,
    recordAuditEvent,
    androidCertificates: config.androidCertificates,
  });
  // Not awaited: games continue if the file storage is unreachable.
  releases.sweep().catch((err) => log.warn({ err }, "interrupted uploads could not be removed"));
  return releases;
}
