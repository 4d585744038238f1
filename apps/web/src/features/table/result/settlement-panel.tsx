import type { Holder, JournalEntryView } from "@holo/protocol/game/games.ts";
import type { RefusalView } from "@holo/protocol/refusals/refusals.ts";
import { useEffect, useState } from "react";
import { readCoins } from "../../../lib/api/coins.ts";
import { Button } from "../../../ui/button/button.tsx";
import { CopiedText } from "../../../ui/data/copied-text.tsx";
import { Receipt, ReceiptRow } from "../../../ui/data/receipt.tsx";
import { Loading } from "../../../ui/feedback/skeleton.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { type TableViewModel, toName } from "../view-model.ts";
import { loadSettlement } from "./load-settlement.ts";
import { formatPosting, formatSum, HOLDERS, sumEntries } from "./settlement.ts";

const KINDS: Readonly<Record<JournalEntryView["kind"], string>> = {
  stake: "Match entry",
  refund: "Entry refunded",
  win: "Paid to the winner",
  draw: "Stakes returned",
};

export function SettlementPanel({ viewModel }: { readonly viewModel: TableViewModel }) {
  const { gameId } = viewModel.shown.table;
  const [answer, setAnswer] = useState<readonly JournalEntryView[] | RefusalView | null>(null);
  const [tries, setTries] = useState(0);
  const [isExact, setExact] = useState(false);

  useEffect(() => {
    let isWanted = true;
    void loadSettlement(gameId, tries > 0).then((given) => {
      if (isWanted) setAnswer(given.ok ? given.value.entries : given.refusal);
    });
    return () => {
      isWanted = false;
    };
  }, [gameId, tries]);

  return (
    <Panel className="settlement" label="Settlement">
      <header>
        <h2>Settlement</h2>
        {Array.isArray(answer) && (
          <Button size="small" kind="quiet" aria-pressed={isExact} onClick={() => setExact(!isExact)}>
            Exact figures
          </Button>
        )}
      </header>
      {answer === null ? (
        <Loading text="Loading settlement..." onTryAgain={() => setTries(tries + 1)} />
      ) : "code" in answer ? (
        <p className="muted">
          {answer.text}{" "}
          <button type="button" className="link alone" onClick={() => setTries(tries + 1)}>
            Try again
          </button>
        </p>
      ) : (
        <Entries viewModel={viewModel} entries={answer} isExact={isExact} />
      )}
    </Panel>
  );
}

interface EntriesProps {
  readonly viewModel: TableViewModel;
  readonly entries: readonly JournalEntryView[];
  readonly isExact: boolean;
}

function Entries({ viewModel, entries, isExact }: EntriesProps) {
  const sums = sumEntries(entries);
  const decimals = isExact ? 6 : 2;
  return (
    <ol>
      {entries.map(({ id, kind, at, postings }) => (
        <li key={id}>
          <h3>{KINDS[kind]}</h3>
          <p className="meta">
            Entry <CopiedText label={`the id of entry ${id}`} text={id} isFull={isExact} />{" "}
            <time dateTime={new Date(at).toISOString()}>{new Date(at).toLocaleString("en-GB", TIME)}</time>
          </p>
          <Receipt>
            {postings.map(({ holder, amount }) => (
              <ReceiptRow key={holder} term={nameHolder(viewModel, holder)}>
                {formatPosting(readCoins(amount), decimals)} HC
              </ReceiptRow>
            ))}
          </Receipt>
        </li>
      ))}
      <li>
        <h3>Net result</h3>
        <Receipt>
          {HOLDERS.map((holder) => (
            <ReceiptRow key={holder} term={nameHolder(viewModel, holder)}>
              {formatSum(holder, sums[holder], decimals)} HC
            </ReceiptRow>
          ))}
        </Receipt>
      </li>
    </ol>
  );
}

const TIME: Intl.DateTimeFormatOptions = { dateStyle: "medium", timeStyle: "medium" };

function nameHolder(viewModel: TableViewModel, holder: Holder): string {
  switch (holder) {
    case "white":
      return toName(viewModel, 1);
    case "black":
      return toName(viewModel, 2);
    case "escrow":
      return "Held for the game";
    case "platform":
      return "Platform fee";
  }
}
