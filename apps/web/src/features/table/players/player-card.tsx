import { ofSeat } from "@holo/rules/by-seat.ts";
import { gameOf } from "@holo/rules/registry.ts";
import type { Seat } from "@holo/rules/rules.ts";
import type { LimitMinutes } from "@holo/table/stakes.ts";
import { isOpen } from "@holo/table/state.ts";
import { type ReactNode, useCallback } from "react";
import { useConnection } from "../../../lib/socket/socket.ts";
import { formatMode } from "../../../shared/match/match.ts";
import { OpponentLine } from "../../../shared/people/opponent-line.tsx";
import { PlayerName } from "../../../shared/people/player-name.tsx";
import { Disc } from "../../../ui/icon/disc.tsx";
import { Clock } from "../clock/clock.tsx";
import { type Tick, toAwayTick } from "../clock/ticking.ts";
import { TickingText } from "../clock/ticking-text.tsx";
import { isCutOff } from "../status/turn-text.ts";
import { countCaptured, type TableViewModel, toName, toOpponent } from "../view-model.ts";
import { CapturedMaterial } from "./captured-material.tsx";

const COLOURS: Readonly<Record<Seat, string>> = { 1: "White", 2: "Black" };

interface PlayerCardProps {
  readonly viewModel: TableViewModel;
  readonly seat: Seat;
  readonly place: "above" | "below";
}

export function PlayerCard({ viewModel, seat, place }: PlayerCardProps) {
  const name = toName(viewModel, seat);
  const player = ofSeat(viewModel.shown.players, seat);
  const { look } = gameOf(viewModel.shown.table.game);
  const captured = look === "discs" ? countCaptured(viewModel, seat) : 0;
  const enemy = toOpponent(seat);
  return (
    <section className={`player-card ${place}`} aria-label={name}>
      <div className="who">
        <Disc seat={seat} size={34} />
        <div className="names">
          <div className="name">
            {player === null ? (
              <span className="nobody">{name}</span>
            ) : (
              <PlayerName player={player} gameId={viewModel.shown.table.gameId} />
            )}
          </div>
          <div className="state">
            <PlayerState viewModel={viewModel} seat={seat} />
            {player !== null && (
              <OpponentLine
                playerId={player.id}
                game={viewModel.shown.table.game}
                stake={viewModel.shown.table.stake}
                brief
              />
            )}
            {look === "figures" && <CapturedMaterial viewModel={viewModel} seat={seat} />}
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
  const isUnknown = isCutOff(useConnection());
  if (seat === viewModel.seat)
    return (
      <span className="said">
        {isOpen(table.status) ? (
          <>
            <span className="play">You play </span>
            {COLOURS[seat].toLowerCase()}
          </>
        ) : (
          COLOURS[seat]
        )}
      </span>
    );
  if (ofSeat(players, seat) === null) {
    return <span className="said">{formatMode(table.game, (table.limitMs / 60_000) as LimitMinutes)}</span>;
  }
  const sinceAt = ofSeat(awaySinceAt, seat);
  // What was known before the connection was lost may be wrong by now.
  if (isUnknown) return <Presence>Not known now</Presence>;
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
    <Presence>
      <TickingText tick={tick} />
    </Presence>
  );
}

/** Grey: the player is away, or it is not known. */
function Presence({ children }: { readonly children: ReactNode }) {
  return (
    <>
      <i className="presence" />
      {children}
    </>
  );
}
