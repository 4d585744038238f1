import type { Seat } from "@holo/rules/rules.ts";
import { useCallback } from "react";
import { Disc } from "../../ui/disc.tsx";
import { PlayerName } from "../../ui/people/player-name.tsx";
import { Clock } from "./clock.tsx";
import { countCaptured, type Scene, toName, toOpponent } from "./scene.ts";
import { type Tick, toAwayTick } from "./ticking.ts";
import { TickingText } from "./ticking-text.tsx";
import "./player-card.css";

const COLOURS: Readonly<Record<Seat, string>> = { 1: "white", 2: "black" };

interface PlayerCardProps {
  readonly scene: Scene;
  readonly seat: Seat;
  readonly place: "above" | "below";
}

export function PlayerCard({ scene, seat, place }: PlayerCardProps) {
  const name = toName(scene, seat);
  const player = scene.shown.players[seat - 1] ?? null;
  const captured = scene.shown.table.game === "checkers" ? countCaptured(scene, seat) : 0;
  const enemy = toOpponent(seat);
  return (
    <section className={`player-card ${place}`} aria-label={name}>
      <div className="who">
        <Disc seat={seat} size={34} />
        <div className="names">
          <div className="name">
            {player === null ? name : <PlayerName player={player} gameId={scene.shown.table.gameId} />}
          </div>
          <div className="state">
            <PlayerState scene={scene} seat={seat} />
          </div>
        </div>
        {captured > 0 && (
          <span className="taken-count">
            <span className="visually-hidden">captured</span>
            <svg width="18" height="18" aria-hidden="true" focusable="false">
              <use href={`#flat-${enemy}`} />
            </svg>
            {captured}
          </span>
        )}
      </div>
      <Clock scene={scene} seat={seat} />
    </section>
  );
}

function PlayerState({ scene, seat }: Pick<PlayerCardProps, "scene" | "seat">) {
  const { table, players, awaySinceAt } = scene.shown;
  if (seat === scene.seat) return `You play ${COLOURS[seat]}`;
  if (players[seat - 1] === null) {
    return `${table.game === "chess" ? "Chess" : "Checkers"}, ${table.limitMs / 60_000} minutes`;
  }
  const sinceAt = awaySinceAt[seat - 1] ?? null;
  return sinceAt === null ? (
    <>
      <i className="presence here" />
      Online
    </>
  ) : (
    <Away sinceAt={sinceAt} />
  );
}

function Away({ sinceAt }: { readonly sinceAt: number }) {
  const tick = useCallback((now: number): Tick => toAwayTick(sinceAt, now), [sinceAt]);
  return (
    <>
      <i className="presence" />
      <TickingText tick={tick} />
    </>
  );
}
