import { isGameId } from "@holo/kernel/ids.ts";
import type { MatchView } from "@holo/protocol/game/games.ts";
import { gameOf } from "@holo/rules/registry.ts";
import { isFree } from "@holo/table/stakes.ts";
import type { Games } from "../../../game/game.ts";
import type { Matches } from "../../../match/match.ts";
import { sleep } from "../../../platform/runtime.ts";

/** Meta tags for the head of a page, so that messengers show a preview of a link. */
export type FindPreview = (pathname: string) => Promise<string | null>;

export interface PreviewDeps {
  readonly games: Pick<Games, "loadMatch">;
  readonly matches: Pick<Matches, "findInvitation">;
  readonly publicUrl: string;
}

interface Preview {
  readonly title: string;
  readonly description: string;
  readonly isListed: boolean;
}

/** In apps/web/public: the same picture for all links. */
const IMAGE = { path: "/icons/share.png", width: 1200, height: 630 };

const PATIENCE_MS = 1_000;

/** Null for a page without its own preview. Previews contain only public data. */
export function makePreviews({ games, matches, publicUrl }: PreviewDeps): FindPreview {
  async function findPreview(pathname: string): Promise<Preview | null> {
    const [, screen, id = ""] = pathname.split("/");
    if (screen === "invite") return toInvitationPreview((await matches.findInvitation(id))?.match ?? null);
    if (screen !== "game" || !isGameId(id)) return null;
    return toGamePreview(await games.loadMatch(id, null));
  }

  return async (pathname) => {
    // The page itself needs no database: without an answer it is served without a preview.
    const preview = await Promise.race([
      findPreview(pathname).catch(() => null),
      sleep(PATIENCE_MS, null, { ref: false }),
    ]);
    return preview === null ? null : toTags(preview, publicUrl, pathname);
  };
}

function toInvitationPreview(match: MatchView | null): Preview {
  if (match?.status !== "pending") {
    return { title: "Holo Arena", description: "This invitation is no longer open.", isListed: false };
  }
  return {
    title: `${match.white.username} invites you to play ${gameOf(match.game).name.toLowerCase()}`,
    description: `${match.limitMinutes} minutes each, ${isFree(match.stake) ? "a free game." : `${match.stake} HC per piece. See every outcome before you accept.`} 18+ only.`,
    isListed: false,
  };
}

function toGamePreview(match: MatchView | null): Preview | null {
  if (match === null || match.black === null || match.status === "cancelled") return null;
  const { white, black, game, limitMinutes, winner } = match;
  const description = `${gameOf(game).name}, ${limitMinutes} minutes each, on Holo Arena.`;
  if (match.status === "active") {
    return {
      title: `${white.username} plays ${black.username}`,
      description: `${description} Watch it live.`,
      isListed: true,
    };
  }
  const [one, other] = winner === 2 ? [black, white] : [white, black];
  return {
    title: winner === null ? `${one.username} drew with ${other.username}` : `${one.username} beat ${other.username}`,
    description: `${description} Replay all ${match.moveCount} moves.`,
    isListed: true,
  };
}

function toTags({ title, description, isListed }: Preview, publicUrl: string, pathname: string): string {
  const { path, width, height } = IMAGE;
  const tags: readonly (readonly [attribute: string, name: string, content: string])[] = [
    ...(isListed ? [] : [["name", "robots", "noindex"] as const]),
    ["property", "og:type", "website"],
    ["property", "og:site_name", "Holo Arena"],
    ["property", "og:title", title],
    ["property", "og:description", description],
    ["property", "og:url", `${publicUrl}${pathname}`],
    ["property", "og:image", `${publicUrl}${path}`],
    ["property", "og:image:width", String(width)],
    ["property", "og:image:height", String(height)],
    ["property", "og:image:alt", "A game of checkers on Holo Arena"],
    ["name", "twitter:card", "summary_large_image"],
  ];
  return tags
    .map(([attribute, name, content]) => `<meta ${attribute}="${name}" content="${escapeHtml(content)}">`)
    .join("");
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", '"': "&quot;", "<": "&lt;", ">": "&gt;" };

function escapeHtml(text: string): string {
  return text.replace(/[&"<>]/g, (character) => ENTITIES[character] ?? "");
}
