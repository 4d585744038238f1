import type { Seat } from "@holo/rules/rules.ts";
import { useCallback } from "react";
import { PlayerName } from "../../../shared/people/player-name.tsx";
import { Disc } from "../../../ui/icon/disc.tsx";
import { Clock } from "../clock/clock.tsx";
import { type Tick, toAwayTick } from "../clock/ticking.ts";
import { TickingText } from "../clock/ticking-text.tsx";
import { countCaptured, type TableViewModel, toName, toOpponent } from "../view-model.ts";

const COLOURS: Readonly<Record<Seat, string>> = { 1: "white", 2: "black" };

interface PlayerCardProps {
  readonly viewModel: TableViewModel;
  readonly seat: Seat;
  readonly place: "above" | "below";
}

export function PlayerCard({ viewModel, seat, place }: PlayerCardProps) {
  const name = toName(viewModel, seat);
  const player = viewModel.shown.players[seat - 1] ?? null;
  const captured = viewModel.shown.table.game === "checkers" ? countCaptured(viewModel, seat) : 0;
  const enemy = toOpponent(seat);
  return (
    <section className={`player-card ${place}`} aria-label={name}>
      <div className="who">
        <Disc seat={seat} size={34} />
        <div className="names">
          <div className="name">
            {player === null ? name : <PlayerName player={player} gameId={viewModel.shown.table.gameId} />}
          </div>
          <div className="state">
            <PlayerState viewModel={viewModel} seat={seat} />
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
      <Clock viewModel={viewModel} seat={seat} />
    </section>
  );
}

function PlayerState({ viewModel, seat }: Pick<PlayerCardProps, "viewModel" | "seat">) {
  const { table, players, awaySinceAt } = viewModel.shown;
  if (seat === viewModel.seat) return `You play ${COLOURS[seat]}`;
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
