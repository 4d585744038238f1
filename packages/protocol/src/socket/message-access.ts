import type { RefusalCode } from "../refusals/refusals.ts";
import type { CommandFrame, WatchFrame } from "./frames.ts";

interface CommandAccess {
  readonly access: "player";
  /** The refusal for a visitor. Default: `login_required`. */
  readonly visitorRefusal?: RefusalCode;
  /** Carrying it out may take coins, so the session is loaded again. */
  readonly takesCoins?: true;
}

interface WatchAccess {
  readonly access: "anyone";
}

type MessageAccess = Readonly<Record<CommandFrame["type"], CommandAccess> & Record<WatchFrame["type"], WatchAccess>>;

export const MESSAGE_ACCESS: MessageAccess = {
  create: { access: "player", visitorRefusal: "create_login_required", takesCoins: true },
  join: { access: "player", visitorRefusal: "join_login_required", takesCoins: true },
  cancel: { access: "player", visitorRefusal: "cancel_login_required" },
  resign: { access: "player" },
  offer_draw: { access: "player" },
  request_takeback: { access: "player" },
  offer_rematch: { access: "player", takesCoins: true },
  answer_draw: { access: "player" },
  answer_takeback: { access: "player" },
  answer_rematch: { access: "player", takesCoins: true },
  chat: { access: "player" },
  move: { access: "player" },
  watch: { access: "anyone" },
  unwatch: { access: "anyone" },
  watch_stats: { access: "anyone" },
  unwatch_stats: { access: "anyone" },
  watch_lobby: { access: "anyone" },
  unwatch_lobby: { access: "anyone" },
  watch_availability: { access: "anyone" },
  unwatch_availability: { access: "anyone" },
  probe: { access: "anyone" },
};
