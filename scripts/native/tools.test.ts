import process from "node:process";
import { expect, it } from "vitest";
import { formatMissing, listMissing } from "./tools.ts";

it("finds programs in PATH and files by path", () => {
  const there = { program: "sh", debianPackage: "dash" };
  const file = { program: process.execPath, debianPackage: "nodejs" };
  const neither = { program: "no-such-program", debianPackage: "no-such-package" };
  const noFile = { program: "/no/such/file", debianPackage: "no-such-package" };
  expect(listMissing([there, file, neither, noFile])).toEqual([neither, noFile]);
});

it("names each missing program, and each package once", () => {
  const missing = [
    { program: "java", debianPackage: "default-jdk-headless" },
    { program: "javac", debianPackage: "default-jdk-headless" },
    { program: "aapt", debianPackage: "aapt" },
  ];
  expect(formatMissing(missing)).toBe(
    "Missing: java, javac, aapt (Debian: apt-get install default-jdk-headless aapt).",
  );
});
