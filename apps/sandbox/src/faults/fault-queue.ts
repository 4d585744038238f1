import { type State, takeSequence } from "../state/state.ts";
import { type Fault, type FaultOrder, type FaultPoint, OPERATIONS } from "./faults.ts";

interface Occasion {
  readonly on: FaultPoint;
  readonly reference: string | null;
  readonly event?: string;
}

export function addFault(state: State, order: FaultOrder): Fault {
  const fault: Fault = { ...order, id: takeSequence(state), times: order.times === undefined ? 1 : order.times };
  state.faults = [...state.faults, fault];
  return fault;
}

export function takeFault(state: State, { on, reference, event }: Occasion): Fault | null {
  const isCall = (OPERATIONS as readonly string[]).includes(on);
  const found = state.faults.find(
    (fault) =>
      (fault.on === on || (isCall && fault.on === "any")) &&
      (fault.reference === undefined || fault.reference === reference) &&
      (fault.event === undefined || fault.event === event),
  );
  if (found === undefined) return null;
  const taken: Fault = { ...found, times: found.times === null ? null : found.times - 1 };
  state.faults = state.faults.flatMap((fault) => {
    if (fault.id !== found.id) return [fault];
    return taken.times === 0 ? [] : [taken];
  });
  return taken;
}
