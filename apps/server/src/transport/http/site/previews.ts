import { isGameId } from "@holo/kernel/ids.ts";
import { gamePictureQuery, type MatchView } from "@holo/protocol/game/games.ts";
import { FILE_ROUTES } from "@holo/protocol/routes.ts";
import { gameOf } from "@holo/rules/registry.ts";
import { isFree } from "@holo/table/stakes.ts";
import type { Games } from "../../../game/game.ts";
import type { Matches } from "../../../match/match.ts";
import { sleep } from "../../../platform/runtime.ts";

/** Meta tags for the head of a page, so that messengers show a preview of a link. */
export type FindPreview = (pathname: string, query: Readonly<Record<string, string>>) => Promise<string | null>;

export interface PreviewDeps {
  readonly games: Pick<Games, "loadMatch">;
  readonly matches: Pick<Matches, "findInvitation">;
  readonly publicUrl: string;
}

interface Preview {
  readonly title: string;
  readonly description: string;
  readonly image: { readonly path: string; readonly alt: string };
  readonly isListed: boolean;
}

/** In apps/web/public: for all links but those of finished games. */
const SHARED_IMAGE = { path: "/icons/share.png", alt: "A game of checkers on Holo Arena" };
/** Of every picture. */
const SIZE = { width: 1200, height: 630 };

const PATIENCE_MS = 1_000;

const GENERAL: Preview = {
  title: "Holo Arena",
  description: "Checkers and chess for stakes, against real players. 18+ only.",
  image: SHARED_IMAGE,
  isListed: false,
};

/** Null for a page without its own preview. Previews contain only public data. */
export function makePreviews({ games, matches, publicUrl }: PreviewDeps): FindPreview {
  async function findPreview(pathname: string, query: Readonly<Record<string, string>>): Promise<Preview | null> {
    const [, screen, id = ""] = pathname.split("/");
    if (screen === "invite") return toInvitationPreview((await matches.findInvitation(id))?.match ?? null);
    if (screen !== "game" || !isGameId(id)) return null;
    return toGamePreview(await games.loadMatch(id, null), gamePictureQuery.safeParse(query).data?.amount === "true");
  }

  return async (pathname, query) => {
    // The page itself needs no database: without an answer it is served without a preview.
    const preview = await Promise.race([
      findPreview(pathname, query).catch(() => null),
      sleep(PATIENCE_MS, null, { ref: false }),
    ]);
    return preview === null ? null : toTags(preview, publicUrl, pathname);
  };
}

function toInvitationPreview(match: MatchView | null): Preview {
  if (match?.status !== "pending") {
    return {
      title: "Holo Arena",
      description: "This invitation is no longer open.",
      image: SHARED_IMAGE,
      isListed: false,
    };
  }
  return {
    title: `${match.white.username} invites you to play ${gameOf(match.game).name.toLowerCase()}`,
    description: `${match.limitMinutes} minutes each, ${isFree(match.stake) ? "a free game." : `${match.stake} HC per piece. See every outcome before you accept.`} 18+ only.`,
    image: SHARED_IMAGE,
    isListed: false,
  };
}

/** @param withAmount whether the link shows what the players received */
function toGamePreview(match: MatchView | null, withAmount: boolean): Preview {
  // Whether such a game exists is not said.
  if (match === null || match.black === null) return GENERAL;
  const { id, white, black, game, limitMinutes, status } = match;
  const description = `${gameOf(game).name}, ${limitMinutes} minutes each, on Holo Arena.`;
  if (status === "active") {
    const title = `${white.username} plays ${black.username}`;
    return { title, description: `${description} Watch it live.`, image: SHARED_IMAGE, isListed: true };
  }
  const title = toResult(match, white.username, black.username);
  const path = FILE_ROUTES.gamePicture.path.replace("{id}", id);
  return {
    title,
    description: `${description} Replay all ${match.moveCount} moves.`,
    image: { path: withAmount ? `${path}?amount=true` : path, alt: `The final position. ${title}.` },
    isListed: status !== "cancelled",
  };
}

function toResult({ status, winner }: MatchView, white: string, black: string): string {
  if (status === "cancelled") return `${white} against ${black}, cancelled`;
  if (winner === null) return `${white} drew with ${black}`;
  return winner === 1 ? `${white} beat ${black}` : `${black} beat ${white}`;
}

function toTags({ title, description, image, isListed }: Preview, publicUrl: string, pathname: string): string {
  const tags: readonly (readonly [attribute: string, name: string, content: string])[] = [
    ...(isListed ? [] : [["name", "robots", "noindex"] as const]),
    ["property", "og:type", "website"],
    ["property", "og:site_name", "Holo Arena"],
    ["property", "og:title", title],
    ["property", "og:description", description],
    ["property", "og:url", `${publicUrl}${pathname}`],
    ["property", "og:image", `${publicUrl}${image.path}`],
    ["property", "og:image:width", String(SIZE.width)],
    ["property", "og:image:height", String(SIZE.height)],
    ["property", "og:image:alt", image.alt],
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
