import type { GameId } from "@holo/kernel/ids.ts";
import { toCommandId } from "@holo/kernel/ids.ts";
import { EVERY_MATCH } from "@holo/protocol/lobby/lobby.ts";
import type { ClientFrame } from "@holo/protocol/socket/client-frames.ts";
import fc, { type Arbitrary } from "fast-check";
import { z } from "zod";

/** Texts that are almost what the protocol expects, for fuzzing. */

const GAME = "00000000-0000-4000-8000-000000000001" as GameId;
const COMMAND = toCommandId("fuzz-command");
const GAME_COMMAND = { commandId: COMMAND, gameId: GAME };

const FRAMES: Readonly<Record<ClientFrame["type"], ClientFrame>> = {
  create: {
    type: "create",
    sentAgoMs: 0,
    byInvitation: false,
    commandId: COMMAND,
    game: "chess",
    stake: 10,
    limitMinutes: 5,
    feeBps: 740,
  },
  join: { type: "join", sentAgoMs: 0, ...GAME_COMMAND },
  cancel: { type: "cancel", whileWaiting: false, ...GAME_COMMAND },
  resign: { type: "resign", ...GAME_COMMAND },
  move: { type: "move", ...GAME_COMMAND, atVersion: 2, path: [42, 35] },
  offer_draw: { type: "offer_draw", ...GAME_COMMAND, opponentMoves: 4 },
  request_takeback: { type: "request_takeback", ...GAME_COMMAND, opponentMoves: 4 },
  offer_rematch: { type: "offer_rematch", sentAgoMs: 0, ...GAME_COMMAND, feeBps: 740 },
  answer_draw: { type: "answer_draw", ...GAME_COMMAND, offer: 7, answer: "accept", atVersion: 6 },
  answer_takeback: { type: "answer_takeback", ...GAME_COMMAND, offer: 7, answer: "accept", atVersion: 6 },
  answer_rematch: { type: "answer_rematch", sentAgoMs: 0, ...GAME_COMMAND, offer: 7, answer: "accept" },
  chat: { type: "chat", ...GAME_COMMAND, text: "good game" },
  watch: { type: "watch", gameId: GAME, since: 0 },
  unwatch: { type: "unwatch", gameId: GAME },
  watch_stats: { type: "watch_stats" },
  unwatch_stats: { type: "unwatch_stats" },
  watch_lobby: { type: "watch_lobby", filter: EVERY_MATCH, count: 30, request: 1 },
  watch_availability: { type: "watch_availability" },
  unwatch_availability: { type: "unwatch_availability" },
  unwatch_lobby: { type: "unwatch_lobby" },
  probe: { type: "probe" },
};

/** JSON texts of values that no field accepts; some are no JSON at all. */
const WRONG_TEXTS = [
  "null",
  "true",
  "-1",
  "1.5",
  "1e309",
  "-0",
  "9007199254740993",
  "NaN",
  '""',
  '"\\u0000"',
  '"\\ud800"',
  `"${"x".repeat(2_000)}"`,
  "[]",
  "{}",
  `${"[".repeat(800)}${"]".repeat(800)}`,
  '{"toString":1}',
  "'",
];
const FORGED_NAMES = ["__proto__", "constructor", "balance", "board", "remainingMs", "player", "isAdmin", ""];

type Fields = Readonly<Record<string, string>>;

function toText(fields: Fields): string {
  return `{${Object.entries(fields)
    .map(([name, text]) => `${JSON.stringify(name)}:${text}`)
    .join(",")}}`;
}

function arbitraryFault(value: object): Arbitrary<string> {
  const fields: Fields = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, JSON.stringify(one)]));
  const whole = toText(fields);
  const names = Object.keys(fields);
  const anyName = names.length === 0 ? fc.string({ maxLength: 8 }) : fc.constantFrom(...names);
  const wrong = fc.oneof(fc.constantFrom(...WRONG_TEXTS), fc.json({ maxDepth: 2 }));
  return fc.oneof(
    fc.tuple(anyName, wrong).map(([name, text]) => toText({ ...fields, [name]: text })),
    anyName.map((name) => toText(Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name)))),
    fc
      .tuple(fc.constantFrom(...FORGED_NAMES), wrong)
      .map(([name, text]) => `${whole.slice(0, -1)}${names.length === 0 ? "" : ","}${JSON.stringify(name)}:${text}}`),
    fc.nat(whole.length).map((length) => whole.slice(0, length)),
    fc.constantFrom(`[${whole}]`, `${whole}${whole}`, `\u0000${whole}`, JSON.stringify(whole)),
    fc.string({ unit: "binary", maxLength: 60 }),
  );
}

export const arbitraryFrame: Arbitrary<string> = fc.oneof(...Object.values(FRAMES).map(arbitraryFault));

export function arbitraryBody(schema: z.ZodType): Arbitrary<string> {
  const valid = toArbitrary(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as JsonSchema);
  return valid.chain((value) =>
    typeof value === "object" && value !== null
      ? fc.oneof(
          { weight: 1, arbitrary: fc.constant(JSON.stringify(value)) },
          { weight: 4, arbitrary: arbitraryFault(value) },
        )
      : fc.constantFrom(...WRONG_TEXTS),
  );
}

interface JsonSchema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly pattern?: string;
  readonly format?: string;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

function toArbitrary(schema: JsonSchema): Arbitrary<unknown> {
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants !== undefined) return fc.oneof(...variants.map(toArbitrary));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case "string":
      return toTextArbitrary(schema);
    case "integer":
    case "number":
      return fc.integer({
        min: Math.max(schema.minimum ?? -9, -(2 ** 31)),
        max: Math.min(schema.maximum ?? 999, 2 ** 31 - 1),
      });
    case "boolean":
      return fc.boolean();
    case "array":
      return fc.array(toArbitrary(schema.items ?? {}), { maxLength: 4 });
    case "object": {
      const properties = Object.entries(schema.properties ?? {});
      return fc.record(Object.fromEntries(properties.map(([name, property]) => [name, toArbitrary(property)])), {
        requiredKeys: [...(schema.required ?? [])],
      });
    }
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function toTextArbitrary({ format, pattern, maxLength }: JsonSchema): Arbitrary<string> {
  if (format === "uuid") return fc.uuid();
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  return fc.string({ unit: "grapheme", maxLength: Math.min(maxLength ?? 40, 40) });
}
