import { type Coins, formatCoins, ZERO_COINS } from "@holo/kernel/money.ts";
import type { MatchView } from "@holo/protocol/game/games.ts";
import { isFree, LIMIT_MINUTES, STAKES } from "@holo/table/stakes.ts";
import { useSession } from "../../../lib/session/session.ts";
import { formatStake, toGameTerms } from "../../../shared/match/match.ts";
import { OpponentLine } from "../../../shared/people/opponent-line.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { classes } from "../../../ui/text/classes.ts";
import { formatRelativeTime } from "../../../ui/text/relative-time.ts";
import { useNow } from "../../../ui/text/use-now.ts";
import type { MatchChoice } from "./match-choice.ts";
import "./available-matches.css";

const CLOCK_MS = 30_000;

interface AvailableMatchesProps {
  readonly waiting: (choice: MatchChoice) => boolean;
  readonly findOffer: (choice: MatchChoice) => MatchView | null;
  readonly choice: MatchChoice;
  readonly onChoose: (choice: MatchChoice) => void;
}

export function AvailableMatches({ waiting, findOffer, choice, onChoose }: AvailableMatchesProps) {
  const isAnyWaiting = STAKES.some((stake) =>
    LIMIT_MINUTES.some((limitMinutes) => waiting({ game: choice.game, stake, limitMinutes })),
  );
  const { feeBps } = useSession().settings;
  return (
    <Panel className="available-matches">
      <h2>Available matches</h2>
      {isAnyWaiting ? (
        <p className="meta">
          <span className="dot" aria-hidden="true" />
          An opponent is waiting. Pick a square to set stake and time.
        </p>
      ) : (
        <p className="meta">Nobody is waiting right now. Pick a square to set stake and time.</p>
      )}
      <table>
        <thead>
          <tr>
            <th scope="col">Stake</th>
            {LIMIT_MINUTES.map((minutes) => (
              <th key={minutes} scope="col">
                {minutes}min
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {STAKES.map((stake) => (
            <tr key={stake}>
              <th scope="row">
                {isFree(stake) ? (
                  "Free"
                ) : (
                  <>
                    {stake} <span className="meta">HC</span>
                  </>
                )}
              </th>
              {LIMIT_MINUTES.map((limitMinutes) => {
                const terms = { game: choice.game, stake, limitMinutes };
                const isChosen = stake === choice.stake && limitMinutes === choice.limitMinutes;
                return (
                  <td key={limitMinutes}>
                    <Cell
                      name={`${formatStake(stake)}, ${limitMinutes} minutes`}
                      isWaiting={waiting(terms)}
                      offer={findOffer(terms)}
                      buyIn={toGameTerms(terms.game, stake, feeBps).buyIn}
                      isChosen={isChosen}
                      onChoose={() => onChoose(terms)}
                    />
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

interface CellProps {
  readonly name: string;
  readonly isWaiting: boolean;
  /** Who waits, once it is known. */
  readonly offer: MatchView | null;
  readonly buyIn: Coins;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function Cell({ name, isWaiting, offer, buyIn, isChosen, onChoose }: CellProps) {
  return (
    <button type="button" className={classes(isWaiting && "waiting")} aria-pressed={isChosen} onClick={onChoose}>
      <span className="visually-hidden">{name}: </span>
      {isWaiting ? (
        <>
          <span className="dot" aria-hidden="true" />
          <span>
            Waiting
            {offer !== null && <Who match={offer} />}
          </span>
        </>
      ) : (
        <>
          <span aria-hidden="true">{buyIn === ZERO_COINS ? "Free" : `${formatCoins(buyIn, "up")} HC`}</span>
          <span className="visually-hidden">nobody waiting</span>
        </>
      )}
    </button>
  );
}

function Who({ match }: { readonly match: MatchView }) {
  const now = useNow(CLOCK_MS);
  return (
    <span className="who">
      <b className="unbroken" translate="no">
        {match.white.username}
      </b>{" "}
      <OpponentLine playerId={match.white.id} game={match.game} stake={match.stake} brief />{" "}
      {formatRelativeTime(match.createdAt, now)}
    </span>
  );
}
