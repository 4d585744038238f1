import { useSession } from "../../lib/session.ts";
import { formatNaira, toKobo } from "../../ui/naira.ts";
import { OutcomesReceipt } from "../../ui/outcomes-receipt.tsx";
import { Panel } from "../../ui/panel.tsx";
import { TermsReceipt } from "../../ui/terms-receipt.tsx";
import type { Scene } from "./scene.ts";

/** What the open seat costs and what each end of the game pays, before anything is pressed. */
export function JoinTerms({ scene }: { readonly scene: Scene }) {
  const { game, stake, feeBps } = scene.shown.table;
  const { rateKobo } = useSession().settings;
  return (
    <Panel className="join-terms" label="The open seat">
      <h2>The open seat</h2>
      <TermsReceipt game={game} stake={stake} feeBps={feeBps} note={formatNaira(toKobo(scene.terms.entry, rateKobo))} />
      <OutcomesReceipt game={game} stake={stake} feeBps={feeBps} />
    </Panel>
  );
}
