import { ok } from "@holo/kernel/result.ts";
import type { ContactView } from "@holo/protocol/views.ts";
import type { Handlers } from "./http-routes.ts";

/** How to reach the people of the house, as the configuration says. */
export function makeContactHandlers(contact: ContactView): Handlers<"contact"> {
  return { contact: async () => ok({ body: contact }) };
}
