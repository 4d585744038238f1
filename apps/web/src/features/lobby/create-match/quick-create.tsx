import { formatCoins, toKoboOwed } from "@holo/kernel/money.ts";
import type { MatchView } from "@holo/protocol/game/games.ts";
import { GAMES } from "@holo/rules/registry.ts";
import { isFree, LIMIT_MINUTES, STAKES } from "@holo/table/stakes.ts";
import { useSession } from "../../../lib/session/session.ts";
import { formatStake, toGameTerms } from "../../../shared/match/match.ts";
import { formatNaira } from "../../../shared/money/naira.ts";
import { Button } from "../../../ui/button/button.tsx";
import { useOffline } from "../../../ui/feedback/offline-note.tsx";
import { Segmented } from "../../../ui/form/segmented.tsx";
import type { MatchChoice } from "./match-choice.ts";
import { useCreateRefusal } from "./use-create-refusal.ts";
import "./quick-create.css";

const GAME_CHOICES = GAMES.map(({ id, name }) => ({ value: id, text: name }));
const LIMITS = LIMIT_MINUTES.map((limit) => ({ value: `${limit}`, text: `${limit} min` }));

interface QuickCreateProps {
  readonly choice: MatchChoice;
  readonly onChoose: (choice: MatchChoice) => void;
  readonly findOffer: (choice: MatchChoice) => MatchView | null;
  readonly onJoin: (match: MatchView) => void;
}

interface PlayBarProps {
  readonly choice: MatchChoice;
  readonly busy: boolean;
  readonly onPlay: () => void;
}

/** On phones always in sight. */
export function PlayBar({ choice, busy, onPlay }: PlayBarProps) {
  const { buyIn, refusal } = useCreateRefusal(choice);
  const isOffline = useOffline();
  return (
    <div className="play-bar">
      <Button
        kind="primary"
        wide
        busy={busy && "Creating..."}
        resting={isOffline}
        disabled={refusal !== null}
        onClick={onPlay}
      >
        {isFree(choice.stake) ? "Play free" : `Play · ${formatCoins(buyIn, "up")} HC`}
      </Button>
    </div>
  );
}

/** On phones above the form: game, stake and time, each in one press. */
export function QuickCreate({ choice, onChoose, findOffer, onJoin }: QuickCreateProps) {
  return (
    <section className="quick-create" aria-label="Choose a match">
      <Segmented
        label="Game"
        value={choice.game}
        options={GAME_CHOICES}
        onChange={(game) => onChoose({ ...choice, game })}
      />
      <div className="stake-tiles">
        {STAKES.map((stake) => (
          <StakeTile
            key={stake}
            choice={{ ...choice, stake }}
            isChosen={stake === choice.stake}
            offer={findOffer({ ...choice, stake })}
            onChoose={onChoose}
            onJoin={onJoin}
          />
        ))}
      </div>
      <Segmented
        label="Minutes"
        value={`${choice.limitMinutes}`}
        options={LIMITS}
        onChange={(value) => {
          const limitMinutes = LIMIT_MINUTES.find((limit) => `${limit}` === value);
          if (limitMinutes !== undefined) onChoose({ ...choice, limitMinutes });
        }}
      />
    </section>
  );
}

interface StakeTileProps extends Pick<QuickCreateProps, "choice" | "onChoose" | "onJoin"> {
  readonly isChosen: boolean;
  readonly offer: MatchView | null;
}

/** If a player waits on these terms, a press leads to their match, through the fee dialog. */
function StakeTile({ choice, isChosen, offer, onChoose, onJoin }: StakeTileProps) {
  const { settings } = useSession();
  const { buyIn } = toGameTerms(choice.game, choice.stake, settings.feeBps);
  function press() {
    onChoose(choice);
    if (offer !== null) onJoin(offer);
  }
  return (
    <button type="button" aria-pressed={isChosen} onClick={press}>
      <b>{formatStake(choice.stake)}</b>
      {!isFree(choice.stake) && <span className="total">{formatCoins(buyIn, "up")} HC</span>}
      {offer === null ? (
        <span className="meta">
          {isFree(choice.stake) ? "No stake, no fee" : formatNaira(toKoboOwed(buyIn, settings.rateKobo))}
        </span>
      ) : (
        <span className="offer">
          Join{" "}
          <span className="unbroken" translate="no">
            {offer.white.username}
          </span>{" "}
          now
        </span>
      )}
    </button>
  );
}
