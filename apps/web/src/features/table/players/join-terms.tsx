import { toKoboOwed } from "@holo/kernel/money.ts";
import { useSession } from "../../../lib/session/session.ts";
import { OutcomesReceipt } from "../../../shared/match/outcomes-receipt.tsx";
import { TermsReceipt } from "../../../shared/match/terms-receipt.tsx";
import { formatNaira } from "../../../shared/money/naira.ts";
import { Panel } from "../../../ui/layout/panel.tsx";
import type { TableViewModel } from "../view-model.ts";

/** What the open seat costs and what each result pays. */
export function JoinTerms({ viewModel }: { readonly viewModel: TableViewModel }) {
  const { game, stake, feeBps } = viewModel.shown.table;
  const { rateKobo } = useSession().settings;
  return (
    <Panel className="join-terms" label="The open seat">
      <h2>The open seat</h2>
      <TermsReceipt
        game={game}
        stake={stake}
        feeBps={feeBps}
        note={formatNaira(toKoboOwed(viewModel.terms.buyIn, rateKobo))}
      />
      <OutcomesReceipt game={game} stake={stake} feeBps={feeBps} />
    </Panel>
  );
}
