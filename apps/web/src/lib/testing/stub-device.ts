import { vi } from "vitest";

/** Receives the events of the device, such as `online`, until `vi.unstubAllGlobals`. */
export function stubDevice(): EventTarget {
  const device = new EventTarget();
  vi.stubGlobal("addEventListener", device.addEventListener.bind(device));
  return device;
}
