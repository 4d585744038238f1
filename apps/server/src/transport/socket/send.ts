import type { CommandId } from "@holo/kernel/ids.ts";
import { type RefusalCode, type RefusalFigures, toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import type { Answer } from "../../game/game.ts";
import type { Connection } from "./connection.ts";

export function send(connection: Connection, frame: ServerFrame): void {
  connection.send(JSON.stringify(frame));
}

export function refuseFrame(connection: Connection, code: RefusalCode): void {
  send(connection, { type: "bad_frame", refusal: toRefusalView(code) });
}

export function refuseCommand(
  connection: Connection,
  commandId: CommandId,
  code: RefusalCode,
  figures: RefusalFigures = {},
): void {
  send(connection, { type: "refused", commandId, refusal: toRefusalView(code, figures) });
}

export function sendAnswer(connection: Connection, commandId: CommandId, answer: Answer): void {
  if (answer.type === "refused") return refuseCommand(connection, commandId, answer.code, answer.figures);
  if (answer.type === "unknown") return send(connection, { type: "retry", commandId });
  const { gameId, version, status } = answer;
  send(connection, { type: "done", commandId, gameId, version, status });
}
