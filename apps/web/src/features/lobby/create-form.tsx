import { formatCoins, subtractCoins } from "@holo/kernel/money.ts";
import { toRefusalView } from "@holo/protocol/refusals.ts";
import { GAME_TYPES } from "@holo/rules/rules.ts";
import { LIMIT_MINUTES, STAKES, toTerms } from "@holo/table/stakes.ts";
import { useSession } from "../../lib/session.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { formatGame, PIECE_COUNTS } from "../../ui/match.ts";
import { formatNaira, toKobo } from "../../ui/naira.ts";
import { Note } from "../../ui/note.tsx";
import { OutcomesReceipt } from "../../ui/outcomes-receipt.tsx";
import { Panel } from "../../ui/panel.tsx";
import { findSeatRefusal } from "../../ui/permit.ts";
import { RefusalNote } from "../../ui/refusal-note.tsx";
import { SelectField } from "../../ui/select-field.tsx";
import { TermsReceipt } from "../../ui/terms-receipt.tsx";
import { useLimits } from "../../ui/use-limits.ts";
import type { MatchChoice } from "./match-choice.ts";
import "./create-form.css";

const GAMES = GAME_TYPES.map((game) => ({ value: game, text: formatGame(game), game }));
const STAKE_CHOICES = STAKES.map((stake) => ({ value: `${stake}`, text: `${stake} HC`, stake }));
const LIMITS = LIMIT_MINUTES.map((limitMinutes) => ({
  value: `${limitMinutes}`,
  text: `${limitMinutes} minutes`,
  limitMinutes,
}));

interface CreateFormProps {
  readonly choice: MatchChoice;
  readonly onChoose: (choice: MatchChoice) => void;
  readonly busy: boolean;
  readonly onCreate: () => void;
}

export function CreateForm({ choice, onChoose, busy, onCreate }: CreateFormProps) {
  const { balance, openGame, settings } = useSession();
  const { entry } = toTerms(choice.stake, PIECE_COUNTS[choice.game], settings.feeBps);
  const isShort = balance < entry;
  const refusal =
    findSeatRefusal(useLimits(), choice.stake, Date.now()) ??
    (isShort ? toRefusalView("insufficient_to_create", { need: entry, have: balance }) : null);
  const isPlaying = openGame?.status === "active";

  return (
    <Panel className="create-form">
      <SelectField
        label="Game type"
        value={choice.game}
        options={GAMES}
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
      <TermsReceipt
        game={choice.game}
        stake={choice.stake}
        feeBps={settings.feeBps}
        note={formatNaira(toKobo(entry, settings.rateKobo))}
      />
      <OutcomesReceipt game={choice.game} stake={choice.stake} feeBps={settings.feeBps} />
      {/* with a game open its entry has left the balance already */}
      {openGame === null && refusal === null && (
        <Note>After paying in, your balance is {formatCoins(subtractCoins(balance, entry))} HC.</Note>
      )}
      {openGame === null && refusal !== null && <RefusalNote words={refusal} />}
      <div className="acts">
        <ButtonLink href="/matches">Cancel</ButtonLink>
        <Button
          kind="primary"
          busy={busy && "Creating..."}
          disabled={refusal !== null || openGame !== null}
          onClick={onCreate}
        >
          {isPlaying ? "Finish Active Game First" : "Create Match"}
        </Button>
      </div>
    </Panel>
  );
}
