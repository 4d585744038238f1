import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { type GameId, toGameId } from "@holo/kernel/ids.ts";

/**
 * The secret of a game by invitation: its id and a signature of 128 bits. It is computed, so that
 * neither the database nor a backup holds it, and its creator can request it again.
 */
interface Invitations {
  toToken(gameId: GameId): string;
  /** The token's game; null for a token of another origin. */
  parse(token: string): GameId | null;
}

const ID_BYTES = 16;
const SIGNATURE_BYTES = 16;
const TOKEN = /^[\w-]{43}$/;

export function openInvitations(secret: string): Invitations {
  const key = new Uint8Array(hkdfSync("sha256", secret, "", "holo invitations", 32));

  function sign(id: Uint8Array): Uint8Array {
    return createHmac("sha256", key).update(id).digest().subarray(0, SIGNATURE_BYTES);
  }

  return {
    toToken(gameId) {
      const id = Buffer.from(gameId.replaceAll("-", ""), "hex");
      return Buffer.concat([id, sign(id)]).toString("base64url");
    },
    parse(token) {
      if (!TOKEN.test(token)) return null;
      const bytes = Buffer.from(token, "base64url");
      const id = bytes.subarray(0, ID_BYTES);
      if (!timingSafeEqual(bytes.subarray(ID_BYTES), sign(id))) return null;
      return toGameId(id.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5"));
    },
  };
}
