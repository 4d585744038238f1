/** A process that floods a server: takes an `Order` as its argument, ends at any message. */
import process from "node:process";
import type { Target } from "./flood.ts";
import { FLOODS, type FloodName } from "./floods.ts";

export interface Order {
  readonly flood: FloodName;
  readonly target: Target;
  readonly addresses: number;
  readonly connections: number;
  readonly network: number;
}

const order = JSON.parse(process.argv[2] ?? "") as Order;
let isStopped = false;
let sent = 0;
process.once("message", () => {
  isStopped = true;
});
// The benchmark ended without stopping this process.
process.once("disconnect", () => process.exit(1));
process.send?.("started");
await Promise.all(
  Array.from({ length: order.connections }, (_, i) =>
    FLOODS[order.flood]({
      target: order.target,
      localAddress: `127.${order.network}.0.${1 + (i % order.addresses)}`,
      isStopped: () => isStopped,
      count: () => {
        sent += 1;
      },
    }),
  ),
);
process.send?.(sent, () => process.exit(0));
