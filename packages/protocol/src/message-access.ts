import type { ClientFrame } from "./frames.ts";
import type { RefusalCode } from "./refusals/refusals.ts";
import type { Access } from "./route.ts";

export interface MessageAccess {
  readonly access: Extract<Access, "anyone" | "player">;
  /** What a visitor is refused with; left out, `login_required`. */
  readonly visitorRefusal?: RefusalCode;
  /** Carrying it out may take coins, so the session is looked up again. */
  readonly takesCoins?: true;
}

const COMMAND: MessageAccess = { access: "player" };
const WATCH: MessageAccess = { access: "anyone" };

/** Who may send each message over the socket. The server refuses everyone else before it acts. */
export const MESSAGE_ACCESS: Readonly<Record<ClientFrame["type"], MessageAccess>> = {
  create: { access: "player", visitorRefusal: "create_login_required", takesCoins: true },
  join: { access: "player", visitorRefusal: "join_login_required", takesCoins: true },
  cancel: { access: "player", visitorRefusal: "cancel_login_required" },
  resign: COMMAND,
  offer_draw: COMMAND,
  request_takeback: COMMAND,
  offer_rematch: { access: "player", takesCoins: true },
  answer_draw: COMMAND,
  answer_takeback: COMMAND,
  answer_rematch: { access: "player", takesCoins: true },
  chat: COMMAND,
  move: COMMAND,
  watch: WATCH,
  unwatch: WATCH,
  watch_stats: WATCH,
  unwatch_stats: WATCH,
  watch_lobby: WATCH,
  unwatch_lobby: WATCH,
};
