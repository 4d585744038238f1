import { ok } from "@holo/kernel/result.ts";
import type { Admin } from "../../../admin/admin.ts";
import { type Handlers, replyWith } from "../routes.ts";

type FairPlayRoute =
  | "fairPlayCases"
  | "fairPlayCase"
  | "noteFairPlayCase"
  | "clearFairPlayCase"
  | "proposeForfeit"
  | "withdrawForfeit"
  | "confirmForfeit"
  | "answerAppeal";

export function makeFairPlayHandlers({
  admin: { fairPlayCases: cases },
}: {
  readonly admin: Pick<Admin, "fairPlayCases">;
}): Handlers<FairPlayRoute> {
  return {
    async fairPlayCases({ staff, query }) {
      const { state, offset = "0" } = query;
      return ok({ body: await cases.list(staff, { state, offset: Number(offset) }) });
    },

    async fairPlayCase({ staff, params }) {
      return replyWith(await cases.load(staff, params.id), (view) => view);
    },

    async noteFairPlayCase({ staff, body }) {
      return replyWith(await cases.note(staff, body), (view) => view);
    },

    async clearFairPlayCase({ staff, body }) {
      return replyWith(await cases.clear(staff, body), (view) => view);
    },

    async proposeForfeit({ staff, body }) {
      return replyWith(await cases.propose(staff, body), (view) => view);
    },

    async withdrawForfeit({ staff, body }) {
      return replyWith(await cases.withdraw(staff, body), (view) => view);
    },

    async confirmForfeit({ staff, body }) {
      return replyWith(await cases.confirm(staff, body), (view) => view);
    },

    async answerAppeal({ staff, body }) {
      return replyWith(await cases.answer(staff, body), (view) => view);
    },
  };
}
