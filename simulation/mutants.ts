import type { Fault } from "./faults/faults.ts";

/** A bug that the simulation must notice: one change of the product's source. */
export interface Mutant {
  readonly name: string;
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  readonly faults?: readonly Fault[];
  /** Which reaches it soon. */
  readonly seed?: number;
  readonly games?: number;
  readonly payers?: number;
}

const TABLE = "packages/table/src";
const ARENA = "apps/server/src/arena";

export const MUTANTS: readonly Mutant[] = [
  {
    name: "a move is accepted for an older board",
    file: `${TABLE}/decide.ts`,
    find: `if (command.atVersion !== state.boardVersion) return refuse("stale_version");`,
    replace: "",
  },
  {
    name: "the wrong player's clock is charged",
    file: `${TABLE}/decide.ts`,
    find: "const remainingMs = replaceSeat(state.clock.remainingMs, seat, leftMs);",
    replace: "const remainingMs = replaceSeat(state.clock.remainingMs, toOpponent(seat), leftMs);",
  },
  {
    name: "no move is charged",
    file: `${TABLE}/decide.ts`,
    find: "const chargedMs = isTimed ? charge.chargedMs : 0;",
    replace: "const chargedMs = 0;",
  },
  {
    name: "a move is charged twice its time",
    file: `${TABLE}/clock.ts`,
    find: "return { chargedMs: Math.floor(elapsedMs - lagMs), lagMs };",
    replace: "return { chargedMs: Math.floor(2 * elapsedMs - lagMs), lagMs };",
  },
  {
    name: "clocks run before both players have moved",
    file: `${TABLE}/decide.ts`,
    find: "const isTimed = state.pliesEver >= CLOCK_STARTS_AFTER_PLIES;",
    replace: "const isTimed = true;",
  },
  {
    name: "a flag gives the game to the player whose time is up",
    file: `${TABLE}/decide.ts`,
    find: "const winner = rules.canWin(state.position, toOpponent(turn)) ? toOpponent(turn) : null;",
    replace: "const winner = rules.canWin(state.position, toOpponent(turn)) ? turn : null;",
    faults: ["time passes"],
  },
  {
    name: "an expired clock ends no game",
    file: `${TABLE}/decide.ts`,
    find: `if (deadline === null || at < deadline.at) return refuse("not_due");`,
    replace: `if (deadline === null || at < deadline.at || deadline.type === "time") return refuse("not_due");`,
    faults: ["time passes"],
  },
  {
    name: "a promotion is stored as a queen's",
    file: `${TABLE}/decide.ts`,
    find: "...(command.promotion === undefined ? {} : { promotion: command.promotion }),",
    replace: `...(command.promotion === undefined ? {} : { promotion: "q" as const }),`,
    games: 24,
  },
  {
    name: "a repeated command is decided again",
    file: `${TABLE}/decide.ts`,
    find: `  if (repeated !== null) return repeated;
  if (command.type === "offer_rematch"`,
    replace: `  if (command.type === "offer_rematch"`,
    faults: ["half-open clients"],
  },
  {
    name: "an offer is accepted for another board",
    file: `${TABLE}/decide-offers.ts`,
    find: `return command.answer === "accept" && command.atVersion !== state.boardVersion ? "stale_version" : null;`,
    replace: "return null;",
  },
  {
    name: "an outage adds a bonus to one clock alone",
    file: `${TABLE}/decide-outage-credit.ts`,
    find: "remainingMs: [charged[0] + bonusMs, charged[1] + bonusMs],",
    replace: "remainingMs: [charged[0] + bonusMs, charged[1]],",
    faults: ["frozen database"],
  },
  {
    name: "a bonus is added twice",
    file: `${TABLE}/decide-outage-credit.ts`,
    find: "remainingMs: [charged[0] + bonusMs, charged[1] + bonusMs],",
    replace: "remainingMs: [charged[0] + 2 * bonusMs, charged[1] + 2 * bonusMs],",
    faults: ["frozen database"],
  },
  {
    name: "a restart is not credited",
    file: `${ARENA}/table/table-actor.ts`,
    find: "for (const outage of this.#host.outages) this.#creditUnmeasured(outage);",
    replace: "",
    faults: ["kill", "kill"],
  },
  {
    name: "a flag falls during an outage of the database",
    file: `${ARENA}/table/table-actor.ts`,
    find: `return outages.lostMs() - arrival.lostMs > FLAG_DELAY_MS_MAX ? "unavailable" : null;`,
    replace: "return null;",
    faults: ["outage at a flag"],
  },
  {
    name: "outages are not stored",
    file: `${ARENA}/table/outage-store.ts`,
    find: "on conflict do nothing`.execute(queries);",
    replace: "on conflict do nothing`.compile(queries);",
    faults: ["kill"],
  },
  {
    name: "a lost commit counts as done",
    file: `${ARENA}/log/group-commit.ts`,
    find: `this.#log.warn({ err: error, rows: writes.length }, "a commit of moves had an unknown outcome; trying again");`,
    replace: "return new Map(writes.map(({ gameId }) => [gameId, COMMITTED]));",
    faults: ["killed database", "killed database"],
  },
  {
    name: "a move is answered before its commit",
    file: `${ARENA}/log/group-commit.ts`,
    find: "this.#waiting.push({ write, wasLocked: false, answer });",
    replace: `this.#games.delete(gameId);
    this.#waiting.push({ write, wasLocked: false, answer: () => undefined });
    setImmediate(() => answer(COMMITTED));`,
    faults: ["frozen database"],
  },
  {
    name: "commits do not wait for the disk",
    file: "apps/server/src/platform/database/database.ts",
    find: "-c synchronous_commit=on",
    replace: "-c synchronous_commit=off",
    faults: ["killed database", "killed database"],
  },
  {
    name: "fsync is off",
    file: "apps/server/src/platform/postgres/cluster.ts",
    find: `if (durable) return { ...settings, fsync: "on" };`,
    replace: `if (durable) return { ...settings, fsync: "off" };`,
    faults: ["power cut"],
  },
  {
    name: "the disk reports writes that it has not made",
    file: "simulation/machine/machine.ts",
    find: `writeFileSync(control, Buffer.alloc(2 * FIELD_BYTES));`,
    replace: `writeFileSync(control, Buffer.from([...Buffer.alloc(FIELD_BYTES), 2, ...Buffer.alloc(FIELD_BYTES - 1)]));`,
    faults: ["power cut"],
  },
  {
    name: "a commit is not waited for before a power cut",
    file: "apps/server/src/platform/database/database.ts",
    find: "-c synchronous_commit=on",
    replace: "-c synchronous_commit=off",
    faults: ["power cut", "power cut"],
  },
  {
    name: "a settlement of unknown outcome is refused",
    file: `${ARENA}/table/command-queue.ts`,
    find: "(error) => this.#resyncAndRetry(queued, error, attempt, encoded),",
    replace: `() => (this.#finish(), queued.answer(refused("something_went_wrong")), this.#run()),`,
    faults: ["silent database"],
  },
  {
    name: "the opponent sees the id of a command",
    file: `${ARENA}/log/log-record.ts`,
    find: "if (record.commandId === undefined || record.by !== viewer) return record.publicText;",
    replace: "if (record.commandId === undefined) return record.publicText;",
  },
  {
    name: "network times are shown during the game",
    file: `${ARENA}/log/log-record.ts`,
    find: "const publicText = JSON.stringify({ version, at, by, events });",
    replace: "const publicText = JSON.stringify({ version, at, by, events, lagMs });",
  },
  {
    name: "the log's hashes are not chained",
    file: `${ARENA}/log/log-record.ts`,
    find: "hash: toChainedHash(hashBefore, text) };",
    replace: `hash: toChainedHash("", text) };`,
  },
  {
    name: "strangers read the chat",
    file: `${ARENA}/chat/chat.ts`,
    find: "if (seatOf(table, watcher.player) !== null && !resyncing.includes(watcher)) watcher.send(frame);",
    replace: "if (!resyncing.includes(watcher)) watcher.send(frame);",
  },
  {
    name: "some records are sent to nobody",
    file: `${ARENA}/table/table-actor.ts`,
    find: "this.#sendToWatchers(record, encoded, isJoined);",
    replace: "if (record.version % 9 !== 0) this.#sendToWatchers(record, encoded, isJoined);",
  },
  {
    name: "records found by a resync are sent to nobody",
    file: `${ARENA}/table/table-actor.ts`,
    find: "this.#presence.send((watcher) => toTableFrame(this, watcher, before.version, time.now()));",
    replace: "",
    faults: ["silent database"],
  },
  {
    name: "a player who leaves is not noticed",
    file: `${ARENA}/table/table-actor.ts`,
    find: "    this.#presence.send(() => frame);",
    replace: "    if (isPresent) this.#presence.send(() => frame);",
  },
  {
    name: "a chat message is sent to its author alone",
    file: `${ARENA}/chat/chat.ts`,
    find: "const frame = toChatFrame(table.state, { messages });",
    replace: `const frame = toChatFrame(table.state, { messages });
    for (const watcher of table.watchers) if (watcher.player?.id === messages[0]?.senderId) watcher.send(frame);
    if (messages.length > 0) return;`,
  },
  {
    name: "the lobby does not learn that a game is over",
    file: `${ARENA}/table/broadcast.ts`,
    find: "if (!isUnlisted(state)) this.#lobby.update(toTableMatchView(state, players), everywhere);",
    replace:
      "if (!isUnlisted(state) && isOpen(state.status)) this.#lobby.update(toTableMatchView(state, players), everywhere);",
  },
  {
    name: "a stopped table never runs again",
    file: `${ARENA}/table/table-actor.ts`,
    find: "this.#commands.resume(() => this.start());",
    replace: "",
    faults: ["full tables"],
  },
  {
    name: "a wrong balance is pushed",
    file: `${ARENA}/table/broadcast.ts`,
    find: `{ type: "wallet", balance: String(balance), sequence }`,
    replace: `{ type: "wallet", balance: String(BigInt(balance) + 1n), sequence }`,
  },
  {
    name: "no balance is pushed",
    file: `${ARENA}/table/broadcast.ts`,
    find: `    this.sendWallets(wallets);
    if (record.events`,
    replace: "    if (record.events",
  },
  {
    name: "the opponent's open game is not pushed",
    file: `${ARENA}/table/broadcast.ts`,
    find: "for (const playerId of state.players) if (playerId !== null) this.sendOpenGame(playerId, openGame, everywhere);",
    replace: "this.sendOpenGame(state.players[0], openGame, everywhere);",
  },
  {
    name: "pushes of the open game are not numbered",
    file: `${ARENA}/table/broadcast.ts`,
    find: "this.#sequence = Math.max(this.#sequence + 1, this.#time.now() * 1_000);",
    replace: "",
  },
  {
    name: "the sweeper sleeps",
    file: `${ARENA}/table/sweeper.ts`,
    find: "const ids = await loadOverdue(queries, addMs(time.now(), -OVERDUE_AFTER_MS));",
    replace: "const ids: GameId[] = [];",
    faults: ["kill", "time passes"],
  },
  {
    name: "the loser is paid",
    file: `${ARENA}/log/settlement.ts`,
    find: "const winnerId = players[result.winner - 1];",
    replace: "const winnerId = players[2 - result.winner];",
  },
  {
    name: "an acknowledgement names another version",
    file: `${ARENA}/answer.ts`,
    find: `return { type: "done", gameId: state.gameId, version, status`,
    replace: `return { type: "done", gameId: state.gameId, version: version + 1, status`,
  },
  {
    name: "a transfer's webhook is believed without asking",
    file: "apps/server/src/payments/withdrawal/decide-withdrawal.ts",
    find: `  if (source === "webhook") return ASK;`,
    replace: "",
    games: 5,
    payers: 8,
  },
];
