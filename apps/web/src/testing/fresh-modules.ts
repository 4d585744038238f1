import { vi } from "vitest";

// Files share a process, but neither the state of modules nor replaced globals.
vi.useRealTimers();
vi.unstubAllGlobals();
vi.resetModules();
