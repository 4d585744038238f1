import type { BySeat } from "@holo/rules/by-seat.ts";
import { gameOf } from "@holo/rules/registry.ts";
import type { GameType, PieceKind, Seat } from "@holo/rules/rules.ts";
import { COLORS, type Drawings, defineSymbols } from "./drawings.ts";

/** What the picture of a finished game shows. */
export interface GamePicture {
  readonly game: GameType;
  /** 64 characters as in MatchView. */
  readonly board: string;
  readonly names: BySeat<string>;
  readonly outcome: "win" | "draw" | "cancelled";
  readonly winner: Seat | null;
  readonly headline: string;
  readonly moveCount: number;
  readonly limitMinutes: number;
  /** Null unless a player wants the sum to be seen. */
  readonly amount: string | null;
}

export const PICTURE_WIDTH = 1200;
export const PICTURE_HEIGHT = 630;

export type Face = "Familjen Grotesk" | "Hanken Grotesk";
/** The width of a text at a size of 1. */
export type Measure = (text: string, face: Face) => number;

interface Text {
  readonly x: number;
  /** Of the base line. */
  readonly y: number;
  readonly size: number;
  readonly face: Face;
  readonly color: keyof typeof COLORS;
  /** The text is drawn smaller if it is longer. */
  readonly widthMax: number;
  readonly anchor?: "start" | "end";
}

const LEFT = 56;
const COLUMN = 508;
const SQUARE = 69;
const BOARD = { x: 606, y: 39 };
const FRAME = 12;
const ROWS: BySeat<number> = [250, 346];
const ROW_HEIGHT = 84;
/** Half the height of a capital letter, at a size of 1. */
const HALF_CAPITAL = 0.34;

export function drawPicture(picture: GamePicture, drawings: Drawings, measure: Measure): string {
  const { game, names, headline, moveCount, limitMinutes, amount } = picture;
  const draw = (text: string, place: Text): string => drawText(text, place, measure);
  const { pieces, ids } = drawPieces(picture);
  const facts = `${gameOf(game).name} · ${moveCount} ${moveCount === 1 ? "move" : "moves"} · ${limitMinutes} min each`;
  const symbols = new Set([...ids, "coin", "wordmark", "flat-1", "flat-2"]);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${PICTURE_WIDTH} ${PICTURE_HEIGHT}">
${defineSymbols(drawings, symbols)}
<rect width="100%" height="100%" fill="${COLORS.ground}"/>
<use href="#coin" x="${LEFT}" y="50" width="52" height="52"/>
<use href="#wordmark" x="${LEFT + 66}" y="54" width="254" height="44" color="${COLORS.ink}"/>
${draw(headline, { x: LEFT, y: 198, size: 56, face: "Familjen Grotesk", color: "ink", widthMax: COLUMN })}
${drawRow(names[0], 1, picture, draw)}
${drawRow(names[1], 2, picture, draw)}
${draw(facts, { x: LEFT, y: 492, size: 28, face: "Hanken Grotesk", color: "ink-2", widthMax: COLUMN })}
${amount === null ? "" : drawAmount(amount, draw)}
${drawBoard()}
${pieces}
</svg>`;
}

type Draw = (text: string, place: Text) => string;

function drawRow(name: string, seat: Seat, { outcome, winner }: GamePicture, draw: Draw): string {
  const y = ROWS[seat - 1]!;
  const isWinner = outcome === "win" && winner === seat;
  const score = outcome === "cancelled" ? "–" : outcome === "draw" ? "½" : isWinner ? "1" : "0";
  const scoreColor = isWinner ? "jade" : outcome === "draw" ? "brass" : "ink-2";
  const edge = isWinner ? COLORS.jade : COLORS.line;
  const baseLine = y + 56;
  return `<rect x="${LEFT}" y="${y}" width="${COLUMN}" height="${ROW_HEIGHT}" rx="14" fill="${COLORS["surface-2"]}" stroke="${edge}" stroke-width="2"/>
<use href="#flat-${seat}" x="${LEFT + 20}" y="${y + 22}" width="40" height="40"/>
${draw(name, { x: LEFT + 76, y: baseLine, size: 40, face: "Familjen Grotesk", color: isWinner ? "ink" : "ink-2", widthMax: COLUMN - 160 })}
${draw(score, { x: LEFT + COLUMN - 24, y: baseLine, size: 44, face: "Familjen Grotesk", color: scoreColor, widthMax: 44, anchor: "end" })}`;
}

function drawAmount(amount: string, draw: Draw): string {
  return `<use href="#coin" x="${LEFT}" y="525" width="44" height="44"/>
${draw(amount, { x: LEFT + 58, y: 561, size: 38, face: "Familjen Grotesk", color: "ink", widthMax: COLUMN - 58 })}`;
}

function drawText(text: string, place: Text, measure: Measure): string {
  const { x, y, face, color, widthMax, anchor = "start" } = place;
  const size = Math.min(place.size, Math.floor((10 * widthMax) / Math.max(measure(text, face), 0.01)) / 10);
  // What is smaller keeps the middle of its line.
  const baseLine = y - (place.size - size) * HALF_CAPITAL;
  return `<text x="${x}" y="${baseLine}" font-family="${face}" font-size="${size}" text-anchor="${anchor}" fill="${COLORS[color]}">${escapeText(text)}</text>`;
}

function drawBoard(): string {
  const { x, y } = BOARD;
  const side = 8 * SQUARE;
  const dark = Array.from({ length: 64 }, (_, square) => square)
    .filter((square) => ((square >> 3) + (square & 7)) % 2 === 1)
    .map((square) => `M${toX(square)} ${toY(square)}h${SQUARE}v${SQUARE}h-${SQUARE}z`)
    .join("");
  return `<rect x="${x - FRAME}" y="${y - FRAME}" width="${side + 2 * FRAME}" height="${side + 2 * FRAME}" rx="12" fill="${COLORS.frame}" stroke="${COLORS["frame-edge"]}"/>
<rect x="${x}" y="${y}" width="${side}" height="${side}" fill="${COLORS["sq-light"]}"/><path d="${dark}" fill="${COLORS["sq-dark"]}"/>`;
}

function drawPieces({ game, board }: GamePicture): { readonly pieces: string; readonly ids: ReadonlySet<string> } {
  const kinds = Object.entries(gameOf(game).pieces) as [PieceKind, BySeat<string>][];
  const idOf = new Map(
    kinds.flatMap(([kind, letters]) => letters.map((letter, index) => [letter, `${toSymbol(kind)}-${index + 1}`])),
  );
  const ids = new Set<string>();
  const pieces = [...board].map((letter, square) => {
    const id = idOf.get(letter);
    if (id === undefined) return "";
    ids.add(id);
    const margin = gameOf(game).look === "discs" ? 3 : 0;
    const size = SQUARE - 2 * margin;
    return `<use href="#${id}" x="${toX(square) + margin}" y="${toY(square) + margin}" width="${size}" height="${size}"/>`;
  });
  return { pieces: pieces.join(""), ids };
}

function toSymbol(kind: PieceKind): string {
  return kind === "man" ? "disc" : kind;
}

function toX(square: number): number {
  return BOARD.x + (square & 7) * SQUARE;
}

function toY(square: number): number {
  return BOARD.y + (square >> 3) * SQUARE;
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

function escapeText(text: string): string {
  // A control character would make the SVG unreadable.
  return text.replace(/\p{Cc}/gu, "").replace(/[&<>]/g, (character) => ENTITIES[character] ?? "");
}
