import { formatCoins, subtractCoins, toKoboOwed } from "@holo/kernel/money.ts";
import { GAMES } from "@holo/rules/registry.ts";
import { isFree, LIMIT_MINUTES, STAKES } from "@holo/table/stakes.ts";
import { useSession } from "../../../lib/session/session.ts";
import { formatStake } from "../../../shared/match/match.ts";
import { OutcomesReceipt, TermsReceipt } from "../../../shared/match/terms-receipt.tsx";
import { buysNothing } from "../../../shared/money/buys-nothing.ts";
import { DepositForGame } from "../../../shared/money/deposit-for-game.tsx";
import { formatNaira } from "../../../shared/money/naira.ts";
import { Button, ButtonLink } from "../../../ui/button/button.tsx";
import { RefusalNote } from "../../../ui/feedback/failure-note.tsx";
import { Note } from "../../../ui/feedback/note.tsx";
import { OfflineNote, useOffline } from "../../../ui/feedback/offline-note.tsx";
import { Segmented } from "../../../ui/form/segmented.tsx";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { Switch } from "../../../ui/form/switch.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { type MatchChoice, toChoicePath } from "./match-choice.ts";
import { useCreateRefusal } from "./use-create-refusal.ts";
import "./create-form.css";

const GAME_CHOICES = GAMES.map(({ id, name }) => ({ value: id, text: name }));
const STAKE_CHOICES = STAKES.map((stake) => ({ value: `${stake}`, text: formatStake(stake), stake }));
const LIMITS = LIMIT_MINUTES.map((limitMinutes) => ({
  value: `${limitMinutes}`,
  text: `${limitMinutes} minutes`,
  limitMinutes,
}));

const OPPONENTS = [
  { value: "anyone", text: "Anyone" },
  { value: "friend", text: "A friend" },
] as const;

interface CreateFormProps {
  readonly choice: MatchChoice;
  readonly onChoose: (choice: MatchChoice) => void;
  readonly byInvitation: boolean;
  readonly onChooseOpponent: (byInvitation: boolean) => void;
  readonly nearRating: boolean;
  readonly onChooseBand: (nearRating: boolean) => void;
  readonly busy: boolean;
  readonly onCreate: () => void;
  readonly onPlayFree: () => void;
}

export function CreateForm(props: CreateFormProps) {
  const { choice, onChoose, byInvitation, onChooseOpponent, nearRating, onChooseBand } = props;
  const { busy, onCreate, onPlayFree } = props;
  const { balance, openGame, settings } = useSession();
  const { buyIn, refusal, isShort } = useCreateRefusal(choice);
  const isPoor = buysNothing(balance, settings.feeBps);
  const isPlaying = openGame?.status === "active";
  const isOffline = useOffline();

  return (
    <Panel className="create-form">
      <SelectField
        label="Game type"
        value={choice.game}
        options={GAME_CHOICES}
        onChange={(value) => onChoose({ ...choice, game: value })}
      />
      <div className="pair">
        <SelectField
          label="Stake per piece"
          value={`${choice.stake}`}
          options={STAKE_CHOICES}
          onChange={(value) => {
            const chosen = STAKE_CHOICES.find((option) => option.value === value);
            if (chosen !== undefined) onChoose({ ...choice, stake: chosen.stake });
          }}
        />
        <SelectField
          label="Time limit"
          value={`${choice.limitMinutes}`}
          options={LIMITS}
          onChange={(value) => {
            const chosen = LIMITS.find((option) => option.value === value);
            if (chosen !== undefined) onChoose({ ...choice, limitMinutes: chosen.limitMinutes });
          }}
        />
      </div>
      <div className="opponent">
        <Segmented
          label="Opponent"
          value={byInvitation ? "friend" : "anyone"}
          options={OPPONENTS}
          onChange={(value) => onChooseOpponent(value === "friend")}
        />
        <p className="meta">
          {byInvitation
            ? "You get a link to share. Nobody else can see or join the match."
            : "The match is listed, and the first player who joins is your opponent."}
        </p>
        {!byInvitation && (
          <>
            <Switch label="Near my rating" on={nearRating} onChange={onChooseBand} />
            {nearRating && (
              <p className="meta">
                We match you within 100 points, then wider and wider. After 90 seconds with anyone.
              </p>
            )}
          </>
        )}
      </div>
      {isFree(choice.stake) ? (
        <Note>A free game: no stake, no fee and nothing to win. The rules and clocks are the same.</Note>
      ) : (
        <>
          <TermsReceipt
            game={choice.game}
            stake={choice.stake}
            feeBps={settings.feeBps}
            note={formatNaira(toKoboOwed(buyIn, settings.rateKobo))}
          />
          <OutcomesReceipt game={choice.game} stake={choice.stake} feeBps={settings.feeBps} />
          {openGame === null && refusal === null && (
            <Note>Balance after joining: {formatCoins(subtractCoins(balance, buyIn))} HC.</Note>
          )}
        </>
      )}
      {openGame === null && refusal !== null && <RefusalNote refusal={refusal} />}
      {openGame === null && isShort && (
        <>
          {isPoor && (
            <Button kind="primary" wide resting={isOffline || busy} onClick={onPlayFree}>
              Play free
            </Button>
          )}
          <DepositForGame
            missing={subtractCoins(buyIn, balance)}
            page={toChoicePath(choice, byInvitation)}
            kind={isPoor ? "secondary" : "primary"}
          />
        </>
      )}
      {isOffline && <OfflineNote />}
      {isPlaying && (
        <ButtonLink href={`/game/${openGame.gameId}`} kind="primary" wide>
          Rejoin Active Game
        </ButtonLink>
      )}
      <div className="actions">
        <ButtonLink href="/matches">Cancel</ButtonLink>
        <Button
          kind={isPlaying ? "secondary" : "primary"}
          busy={busy && "Creating..."}
          resting={isOffline}
          disabled={refusal !== null || openGame !== null}
          onClick={onCreate}
        >
          {isPlaying ? "Finish Active Game First" : "Create Match"}
        </Button>
      </div>
    </Panel>
  );
}
