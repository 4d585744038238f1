import { useEffect, useState } from "react";

/** An earlier press was meant for the element that was there before. */
const ARMED_AFTER_MS = 500;

/** Whether a costly button may be pressed yet. A change of `version` restarts the delay. */
export function useArmed(version: number): boolean {
  const [armed, setArmed] = useState<number | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setArmed(version), ARMED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [version]);
  return armed === version;
}
