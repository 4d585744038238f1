import type { Fault } from "./faults/faults.ts";

/**
 * A bug that must be noticed: one change of the product's source. Without `test` and `faults` it is
 * looked for in virtual runs.
 */
export interface Mutant {
  readonly name: string;
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  /** A test of the product that must fail: cheaper than a run. */
  readonly test?: string;
  /** Of a campaign, where virtual runs leave out what reaches the bug. */
  readonly faults?: readonly Fault[];
  readonly games?: number;
  /** Default: 1. */
  readonly servers?: number;
  /** The finding that names this bug; any other one may have another cause. Default: any. */
  readonly expects?: RegExp;
}

const TABLE = "packages/table/src";
const GAME = "apps/server/src/game";
const SERVERS = "apps/server/src/platform/servers";
const OWN_TEST = `${SERVERS}/own-server.test.ts`;
const LINKS_TEST = `${SERVERS}/links.test.ts`;

/** Each rule of owning games undone once; some in two ways. */
const OWNING: readonly Mutant[] = [
  {
    name: "1: a game is read before it is claimed",
    file: `${GAME}/table/tables.ts`,
    find: `    const claims = await claimGames(database.kysely, fence, ids);
    const here = [...claims].filter(([, { owner, isOwn }]) => isOwn || owner === null).map(([gameId]) => gameId);
    const contents = await loadTableContents(database.kysely, loadPlayers, here);`,
    replace: `    const contents = await loadTableContents(database.kysely, loadPlayers, ids);
    const claims = await claimGames(database.kysely, fence, ids);`,
    servers: 2,
  },
  {
    name: "2: a batch of moves is written without the fence",
    file: `${GAME}/log/game-writer.ts`,
    find: "where server_id = $1 and ended_at is null\n      and",
    replace: "where server_id = $1\n      and",
    test: `${GAME}/log/claim-store.race.test.ts`,
  },
  {
    name: "2b: a batch of moves does not lock the fence",
    file: `${GAME}/log/game-writer.ts`,
    find: "::text = $2 for share)",
    replace: "::text = $2)",
    test: `${GAME}/log/claim-store.race.test.ts`,
  },
  {
    name: "3: an ended server lives again",
    file: `${SERVERS}/own-server.ts`,
    find: "else await this.#renew(client);",
    replace: `else
      await client.query(
        "update servers set ended_at = null, last_beat_at = null, end_cause = null where server_id = $1",
        [this.id],
      );`,
    test: OWN_TEST,
  },
  {
    name: "4: clocks of servers are compared",
    file: `${SERVERS}/others.ts`,
    find: "stillMs >= ENDED_AFTER_MS",
    replace: "this.#deps.time.now() - server.seenAt >= ENDED_AFTER_MS",
    test: OWN_TEST,
  },
  {
    name: "5: another start of PostgreSQL is not noticed",
    file: `${GAME}/log/game-writer.ts`,
    find: "and extract(epoch from pg_postmaster_start_time())::text = $2",
    replace: "and $2::text is not null",
    test: `${GAME}/table/failover.test.ts`,
  },
  {
    name: "6: a frozen transaction keeps its server from being ended",
    file: `${SERVERS}/server-rows.ts`,
    find: "      await terminateSessions(client, ending.process);\n",
    replace: "",
    test: OWN_TEST,
  },
  {
    name: "7: busy tables are released",
    file: `${GAME}/table/tables.ts`,
    find: "      for (const table of tables) while (table.isCommitting && !table.isStopped) await sleep(DRAIN_MS);\n",
    replace: "",
    test: `${GAME}/table/unattended.race.test.ts`,
  },
  {
    name: "8: one record that exists fails its batch",
    file: `${GAME}/log/game-writer.ts`,
    find: "\n  on conflict do nothing`;",
    replace: "`;",
    test: `${GAME}/log/group-commit.test.ts`,
  },
  {
    name: "9: unsigned messages are believed",
    file: `${SERVERS}/envelope.ts`,
    find: "mac.length === expected.length && timingSafeEqual(mac, expected) ?",
    replace: "mac.length + expected.length + Number(timingSafeEqual(mac, mac)) > 0 ?",
    test: LINKS_TEST,
  },
  {
    name: "9b: repeated messages are believed",
    file: `${SERVERS}/links.ts`,
    find: "if (lastSeq !== null && envelope.seq <= lastSeq) return refused.inc();",
    replace: "",
    test: LINKS_TEST,
  },
  {
    name: "10: an owner without NATS stays",
    file: `${SERVERS}/own-server.ts`,
    find: "if (!this.isShared || hasNats()) {",
    replace: "if (this.isShared || hasNats()) {",
    test: OWN_TEST,
  },
  {
    name: "11: the loss of a last message is not noticed",
    file: `${SERVERS}/links.ts`,
    find: "    for (const serverId of peers.keys()) write(serverId, []);\n",
    replace: "",
    test: LINKS_TEST,
  },
  {
    name: "12: the games of an ended server stay with it",
    file: `${GAME}/forwarding/gateway.ts`,
    find: "      void this.#rewatchAll(ended.serverId);\n",
    replace: "",
    test: `${GAME}/forwarding/owner-ends.test.ts`,
  },
  {
    name: "12b: games that nobody watches are not taken over",
    file: `${GAME}/table/tables.ts`,
    find: "await Promise.all([this.#claimAbandoned(), this.recheckWaiting()]);",
    replace: "await Promise.all([this.recheckWaiting()]);",
    test: `${GAME}/table/unattended.race.test.ts`,
  },
  {
    name: "13: games that wait have an owner",
    file: `${GAME}/log/claim-store.ts`,
    find: "locked.status <> 'waiting' and (locked.owner is null",
    replace: "(locked.owner is null",
    test: `${GAME}/log/claim-store.race.test.ts`,
  },
  {
    name: "14: only the first of many abandoned games are taken over",
    file: `${GAME}/table/tables.ts`,
    find: "await Promise.allSettled(ids.map((gameId) => this.locate(gameId)));",
    replace: "await Promise.allSettled(ids.slice(0, 1).map((gameId) => this.locate(gameId)));\n      count = 0;",
    test: `${GAME}/table/unattended.race.test.ts`,
  },
  {
    name: "15: a clock expires without asking for a move on its way",
    file: `${GAME}/table/tables.ts`,
    find: "return moverId === null || !(await this.#toRouter().isInFlight(table, moverId));",
    replace: "return true;",
    test: `${GAME}/table/flags.test.ts`,
  },
  {
    name: "16: a move that is sent again is charged to its later arrival",
    file: `${GAME}/forwarding/first-arrivals.ts`,
    find: "    const known = this.#firsts.get(key);",
    replace: "    this.#firsts.delete(key);\n    const known = this.#firsts.get(key);",
    test: `${GAME}/forwarding/first-arrivals.test.ts`,
  },
  {
    name: "17: whoever reconnects thinks anew",
    file: `${GAME}/forwarding/remote-tables.ts`,
    find: "if (startsTurn && player !== null)",
    replace: "if (player !== null)",
    test: `${GAME}/forwarding/owner.test.ts`,
  },
  {
    name: "18: one interval is credited twice",
    file: `${GAME}/table/table-credits.ts`,
    find: "    const stallMs = Math.max(0, backAt - Math.max(fromAt, this.#clock.turnStartAt()));",
    replace: "    const stallMs = Math.max(0, 2 * (toAt - fromAt));",
    test: `${GAME}/forwarding/owner-ends.test.ts`,
  },
  {
    name: "18b: what was not credited is forgotten by the next claim",
    file: `${GAME}/log/claim-store.ts`,
    find: "coalesce(found.unserved_from, found.last_beat_at)",
    replace: "found.last_beat_at",
    test: `${GAME}/log/claim-store.race.test.ts`,
  },
  {
    name: "18c: the time without an owner is not credited",
    file: `${GAME}/table/table-credits.ts`,
    find: "for (const seat of [1, 2] as const) this.add(seat, isCredited ? { ...unserved, fromAt: againFromAt } : unserved);",
    replace: "",
    test: `${GAME}/forwarding/owner-ends.test.ts`,
  },
  {
    name: "19: a process that stood still earns a bonus",
    file: `${SERVERS}/server-rows.ts`,
    find: "and pid <> pg_backend_pid()) then 'stalled'",
    replace: "and pid <> pg_backend_pid()) then 'gone'",
    test: OWN_TEST,
  },
  {
    name: "20: a server that has ended is heard",
    file: `${SERVERS}/links.ts`,
    find: "envelope.to !== own.id || ended.has(envelope.from)) return",
    replace: "envelope.to !== own.id) return",
    test: LINKS_TEST,
  },
];

const PLAYING: readonly Mutant[] = [
  {
    name: "a move is accepted for an older board",
    file: `${TABLE}/decide.ts`,
    find: `if (command.atVersion !== state.boardVersion) return refuse("stale_version");`,
    replace: "",
    expects: /was a move for version \d+, but the board was of version/,
  },
  {
    name: "the wrong player's clock is charged",
    file: `${TABLE}/decide.ts`,
    find: "const remainingMs = replaceSeat(state.clock.remainingMs, seat, leftMs);",
    replace: "const remainingMs = replaceSeat(state.clock.remainingMs, toOpponent(seat), leftMs);",
    expects: /charges the mover another time/,
  },
  {
    name: "no move is charged",
    file: `${TABLE}/decide.ts`,
    find: "const chargedMs = isTimed ? charge.chargedMs : 0;",
    replace: "const chargedMs = 0;",
    expects: /charges only 0 ms of|players thought for/,
  },
  {
    name: "clocks run before both players have moved",
    file: `${TABLE}/decide.ts`,
    find: "const isTimed = state.pliesEver >= CLOCK_STARTS_AFTER_PLIES;",
    replace: "const isTimed = true;",
    expects: /charges \d+ ms of 0 ms/,
  },
  {
    name: "a flag gives the game to the player whose time is up",
    file: `${TABLE}/decide.ts`,
    find: "const winner = rules.canWin(state.position, toOpponent(turn)) ? toOpponent(turn) : null;",
    replace: "const winner = rules.canWin(state.position, toOpponent(turn)) ? turn : null;",
    faults: ["time passes"],
    expects: /gives the game to the player whose time is up/,
  },
  {
    name: "an expired clock ends no game",
    file: `${TABLE}/decide.ts`,
    find: `if (deadline === null || at < deadline.at) return refuse("not_due");`,
    replace: `if (deadline === null || at < deadline.at || deadline.type === "time") return refuse("not_due");`,
    faults: ["time passes"],
    expects: /comes long after a clock expired/,
  },
  {
    name: "a promotion is stored as a queen's",
    file: `${TABLE}/decide.ts`,
    find: "...(command.promotion === undefined ? {} : { promotion: command.promotion }),",
    replace: `...(command.promotion === undefined ? {} : { promotion: "q" as const }),`,
    games: 24,
    expects: /can no longer be shown|is not the move that was sent/,
  },
  {
    name: "a repeated command is decided again",
    file: `${TABLE}/decide.ts`,
    find: `  if (repeated !== null) return repeated;
  if (command.type === "offer_rematch"`,
    replace: `  if (command.type === "offer_rematch"`,
    expects: /was refused \(\w+\) and is stored|is stored \d+ times/,
  },
  {
    name: "an offer is accepted for another board",
    file: `${TABLE}/decide-offers.ts`,
    find: `return command.answer === "accept" && command.atVersion !== state.boardVersion ? "stale_version" : null;`,
    replace: "return null;",
    expects: /accepted an offer for another board/,
  },
  {
    name: "an outage adds a bonus to one clock alone",
    file: `${TABLE}/decide-outage-credit.ts`,
    find: "remainingMs: [charged[0] + bonusMs, charged[1] + bonusMs],",
    replace: "remainingMs: [charged[0] + bonusMs, charged[1]],",
    expects: /charges -?\d+ ms of \d+ ms in a credit|changes the clock of the opponent/,
  },
  {
    name: "a restart is not credited",
    file: `${GAME}/table/table.ts`,
    find: "for (const outage of this.#tables.outages) this.#credits.addUnmeasured(outage);",
    replace: "",
    test: `${GAME}/game.test.ts`,
  },
  {
    name: "a flag falls during an outage of the database",
    file: `${GAME}/table/table-clock.ts`,
    find: "    if (!this.#deps.outages.isServed()) return this.#setTimer(RECHECK_MS);\n    const due = this.#toDeadline();",
    replace:
      "    const due = this.#toDeadline();\n    if (due !== null && due.at <= this.#deps.time.now()) return this.#owner.onDue();",
    test: `${GAME}/game.test.ts`,
  },
  {
    name: "outages are not stored",
    file: `${GAME}/table/outages.ts`,
    find: "on conflict do nothing`.execute(queries);",
    replace: "on conflict do nothing`.compile(queries);",
    expects: /was down for \d+ ms, which is not stored as an outage/,
  },
  {
    name: "a lost commit counts as done",
    file: `${GAME}/log/group-commit.ts`,
    find: `this.#log.warn({ err: error, rows: writes.length }, "a commit of moves had an unknown outcome; trying again");`,
    replace: "return new Map(writes.map(({ gameId }) => [gameId, COMMITTED]));",
    expects: /was sent version \d+(?: unlike it is stored|, which is not stored)|was acknowledged as/,
  },
  {
    name: "a move is answered before its commit",
    file: `${GAME}/log/group-commit.ts`,
    find: "this.#waiting.push({ write, fence, answer });",
    replace: `this.#inFlight.delete(gameId);
    this.#waiting.push({ write, fence, answer: () => undefined });
    setImmediate(() => answer(COMMITTED));`,
    expects: /was sent while the database could not write it/,
  },
  {
    name: "fsync is off",
    file: "apps/server/src/platform/postgres/cluster.ts",
    find: `if (durable) return { ...settings, fsync: "on" };`,
    replace: `if (durable) return { ...settings, fsync: "off" };`,
    faults: ["power cut"],
    expects: /which is not stored|unlike it is stored/,
  },
  {
    name: "a settlement of unknown outcome is refused",
    file: `${GAME}/table/table.ts`,
    find: "if (this.#isOwned) return this.#readAgain(commit);",
    replace: `if (this.#isOwned) return this.#stop(commit.queued, error, refused("something_went_wrong"));`,
    expects: /was refused \(something_went_wrong\) and is stored/,
  },
  {
    name: "the opponent sees the id of a command",
    file: `${GAME}/log/log-record.ts`,
    find: "if (record.commandId === undefined || record.by !== viewer) return record.publicText;",
    replace: "if (record.commandId === undefined) return record.publicText;",
    expects: /was sent the command's id of another player/,
  },
  {
    name: "network times are shown during the game",
    file: `${GAME}/log/log-record.ts`,
    find: "const publicText = JSON.stringify({ version, at, by, events });",
    replace: "const publicText = JSON.stringify({ version, at, by, events, lagMs });",
    expects: /was sent network times/,
  },
  {
    name: "strangers read the chat",
    file: `${GAME}/chat/chat.ts`,
    find: "if (seatOf(table, watcher.player) !== null && !resyncing.includes(watcher)) watcher.send(frame);",
    replace: "if (!resyncing.includes(watcher)) watcher.send(frame);",
    expects: /a visitor was sent a frame "chat"/,
  },
  {
    name: "some records are sent to nobody",
    file: `${GAME}/table/table.ts`,
    find: "    else this.#watchers.sendRecord(encoded, startsTurn);",
    replace: "    else if (record.version % 9 !== 0) this.#watchers.sendRecord(encoded, startsTurn);",
    expects: /was not sent version \d+ until it asked|was sent version \d+ after/,
  },
  {
    name: "a player who leaves is not noticed",
    file: `${GAME}/table/table-watchers.ts`,
    find: `    const frame = toPresenceFrame(this.#table, seat);
    this.#send(() => frame, false);`,
    replace: `    const frame = toPresenceFrame(this.#table, seat);
    if (isPresent) this.#send(() => frame, false);`,
    expects: /was not sent until it asked that player \d had left/,
  },
  {
    name: "a chat message is sent to its author alone",
    file: `${GAME}/chat/chat.ts`,
    find: "const frame = toChatFrame(table.state, { messages });",
    replace: `const frame = toChatFrame(table.state, { messages });
    for (const watcher of table.watchers) if (watcher.player?.id === messages[0]?.senderId) watcher.send(frame);
    if (messages.length > 0) return;`,
    expects: /was sent message \d+ after \d+|was not sent message \d+ until it asked/,
  },
  {
    name: "the lobby does not learn that a game is over",
    file: `${GAME}/table/broadcast.ts`,
    find: `if (!isUnlisted(state)) this.#publish("match",`,
    replace: `if (!isUnlisted(state) && isOpen(state.status)) this.#publish("match",`,
    expects: /does not see \S+ in the lobby, which is completed/,
  },
  {
    name: "a stopped table never runs again",
    file: `${GAME}/table/table.ts`,
    find: "this.#restarts.set(delayMs, () => void this.#read(null));",
    replace: "",
    faults: ["full tables"],
    expects: /command \S+ was not answered/,
  },
  {
    name: "a wrong balance is pushed",
    file: `${GAME}/table/broadcast.ts`,
    find: `{ type: "wallet", balance: String(balance), sequence }`,
    replace: `{ type: "wallet", balance: String(BigInt(balance) + 1n), sequence }`,
    expects: /was sent the balance \d+ as number/,
  },
  {
    name: "no balance is pushed",
    file: `${GAME}/table/broadcast.ts`,
    find: `    this.sendWallets(wallets);
    if (record.events`,
    replace: "    if (record.events",
    expects: /has not been sent the balance number|was not sent the change \d+ of the balance/,
  },
  {
    name: "the opponent's open game is not pushed",
    file: `${GAME}/table/broadcast.ts`,
    find: "for (const playerId of state.players) if (playerId !== null) this.sendOpenGame(playerId, openGame, everywhere);",
    replace: "this.sendOpenGame(state.players[0], openGame, everywhere);",
    expects: /was not sent that \S+ was|has been sent the open game/,
  },
  {
    name: "pushes of the open game are not numbered",
    file: `${GAME}/table/broadcast.ts`,
    find: "this.#sequence = Math.max(this.#sequence + 1, this.#time.now() * 1_000);",
    replace: "",
    expects: /was sent open games in another order than numbered/,
  },
  {
    name: "the sweeper sleeps",
    file: `${GAME}/table/sweeper.ts`,
    find: "const ids = await loadOverdue(queries, addMs(time.now(), -OVERDUE_AFTER_MS));",
    replace: "const ids: GameId[] = [];",
    test: `${GAME}/table/silence.race.test.ts`,
  },
  {
    name: "the loser is paid",
    file: `${GAME}/log/game-entries.ts`,
    find: "const winnerId = ofSeat(players, result.winner);",
    replace: "const winnerId = ofSeat(players, result.winner === 1 ? 2 : 1);",
    expects: /only the winner received the pot/,
  },
  {
    name: "a seat in a free game is paid for",
    file: `${GAME}/log/game-entries.ts`,
    find: "  if (isFree(state.stake)) return [];",
    replace: "",
    test: "apps/server/src/match/free-games.test.ts",
  },
  {
    name: "an acknowledgement names another version",
    file: `${GAME}/answer.ts`,
    find: `return { type: "done", gameId: state.gameId, version, status`,
    replace: `return { type: "done", gameId: state.gameId, version: version + 1, status`,
    expects: /was acknowledged as/,
  },
  {
    name: "what NATS did not bring is not made up for",
    file: "apps/server/src/wiring/refresh-timer.ts",
    find: "const isBehind = isMissed || isOneSilent || !links.isConnected;",
    replace: "const isBehind = false;",
    servers: 2,
    expects: /has not been sent the balance number|has been sent the open game|in the lobby|was not sent that/,
  },
  {
    name: "a record of another server does not answer copies of its command",
    file: `${GAME}/log/fold.ts`,
    find: "state = evolve(rulesOf(state.game), state, record);",
    replace: "state = { ...evolve(rulesOf(state.game), state, record), answered: state.answered };",
    faults: ["killed at a commit", "half-open clients", "killed at a commit"],
    servers: 2,
    expects: /was refused \(\w+\) and is stored|is stored \d+ times/,
  },
];

export const MUTANTS: readonly Mutant[] = [...OWNING, ...PLAYING];
