import { vi } from "vitest";

// Test files share a process. Each starts with new modules and the original globals.
vi.useRealTimers();
vi.unstubAllGlobals();
vi.resetModules();
