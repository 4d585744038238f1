import { useEffect, useState } from "react";

/** Nobody reads and decides in less: so early a press was meant for what stood there before. */
const ARMED_AFTER_MS = 500;

/** Whether what costs something may be pressed by now. @param version what it depends on; a change begins the wait anew */
export function useArmed(version: number): boolean {
  const [armed, setArmed] = useState<number | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setArmed(version), ARMED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [version]);
  return armed === version;
}
