import { paymentIdOf } from "@holo/kernel/testing/test-ids.ts";
import type { FairPlayActView, FairPlayCaseView } from "@holo/protocol/admin/fair-play-cases.ts";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";
import { ADA, CHIDI, makeCase } from "./testing/make-case.ts";

const HELD = {
  player: ADA,
  paymentId: paymentIdOf("1"),
  reference: "ref-1",
  kobo: 7_000_000,
  coins: "228750000",
  untilAt: 60_000,
};
const FORFEIT = { coins: "64440000", to: [{ player: CHIDI, coins: "64440000" }] };
const PROPOSAL = { id: "7", at: 0, username: "bola", isOwn: false, reason: "All given up" };

async function render(change: Partial<FairPlayCaseView>): Promise<string> {
  vi.stubGlobal("addEventListener", () => undefined);
  const { CaseDecision } = await import("./case-decision.tsx");
  const shown = makeCase({ untilAt: 60_000, held: [HELD], forfeit: FORFEIT, ...change });
  return renderToStaticMarkup(<CaseDecision shown={shown} now={0} onAct={() => undefined} />);
}

function makeAct(type: FairPlayActView["type"], change: Partial<FairPlayActView> = {}): FairPlayActView {
  return { id: type, at: 0, type, username: "bola", text: null, given: [], isAccepted: null, ...change };
}

const buttonsOf = (html: string) => [...html.matchAll(/<button[^>]*>(?:<[^>]+>)*([^<]+)/g)].map(([, text]) => text);
const textOf = (html: string) => html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
const refuse = (change: Partial<FairPlayCaseView["refusals"]>) => ({ ...makeCase({}).refusals, ...change });

// [FAIR-61 §6 r44] Beside each button of a case staff read what it pays to whom; instead of a button that would be
// refused, why.
it("says what each button pays to whom [FAIR-61]", async () => {
  const html = await render({});
  expect(buttonsOf(html)).toEqual(["Clear the case", "Propose to forfeit", "Write a note"]);
  expect(textOf(html)).toContain("Sends ₦70,000 to ada now, unless another case holds it.");
  expect(textOf(html)).toContain("chidi 64.44 HC");
  expect(textOf(html)).toContain("Goes back in all 64.44 HC");
  expect(textOf(await render({ held: [] }))).toContain("Ends the case.");
  const dispute = textOf(await render({ kind: "dispute", held: [HELD, { ...HELD, player: CHIDI }] }));
  expect(dispute).toContain("Sends ₦70,000 to ada, ₦70,000 to chidi now, unless another case holds it.");
});

it("says why a button is not there [FAIR-61]", async () => {
  const own = await render({ refusals: refuse({ clear: "own_matter", propose: "own_matter" }) });
  expect(buttonsOf(own)).toEqual(["Write a note"]);
  expect(textOf(own)).toContain("Someone else has to decide it.");
  const dispute = textOf(await render({ kind: "dispute", refusals: refuse({ propose: "never_forfeited" }) }));
  expect(dispute).toContain("Coins of such a case are never forfeited.");
  expect(dispute).not.toContain("Takes these coins");
});

it("shows a proposal to the proposer and to the other members [FAIR-61]", async () => {
  const other = await render({ proposal: PROPOSAL, refusals: refuse({ clear: "forfeit_proposed" }) });
  expect(buttonsOf(other)).toEqual(["Confirm the forfeit", "Withdraw the proposal", "Write a note"]);
  expect(textOf(other)).toContain("bola proposed it: All given up");
  const own = await render({ proposal: PROPOSAL, refusals: refuse({ confirm: "second_member_needed" }) });
  expect(buttonsOf(own)).toEqual(["Clear the case", "Withdraw the proposal", "Write a note"]);
  expect(textOf(own)).toContain("Another member has to confirm it.");
  expect(textOf(own)).toContain("Goes back in all 64.44 HC");
});

// [FAIR-62 §6 r44] An ended case names who decided: of a forfeit both members, and what went back to whom.
it("names who decided, and for an appeal what accepting pays [FAIR-62]", async () => {
  const decided = [
    makeAct("proposed"),
    makeAct("forfeited", { username: "emeka", given: FORFEIT.to }),
    makeAct("appealed", { username: "ada", text: "I won them." }),
  ];
  const forfeited = { state: "forfeited", held: [], acts: decided, appeal: "open" } as const;
  const html = await render(forfeited);
  expect(buttonsOf(html)).toEqual(["Accept the appeal", "Refuse the appeal", "Write a note"]);
  expect(textOf(html)).toContain("Proposed by bola and confirmed by emeka . Paid back: chidi 64.44 HC.");
  expect(textOf(html)).toContain("I won them.");
  expect(textOf(html)).toContain("Accepting pays 64.44 HC to ada from our revenue.");
  const third = await render({ ...forfeited, refusals: refuse({ answer: "third_member_needed" }) });
  expect(buttonsOf(third)).toEqual(["Write a note"]);
  const answered = makeAct("appeal_answered", { username: "funke", text: "Sorry.", isAccepted: true });
  const after = await render({ ...forfeited, acts: [...decided, answered], appeal: "answered" });
  expect(textOf(after)).toContain("Accepted by funke : Sorry.");
  const texts = async (change: Partial<FairPlayCaseView>) => textOf(await render({ held: [], ...change }));
  expect(await texts({ state: "released" })).toContain("sent by themselves");
  expect(await texts({ state: "closed" })).toContain("The dispute has ended");
  expect(await texts({ state: "cleared", acts: [makeAct("cleared")] })).toContain("Cleared by bola");
});
