import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

interface LockedPackage {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const lock: { readonly packages: Readonly<Record<string, LockedPackage>> } = JSON.parse(
  readFileSync(new URL("../package-lock.json", import.meta.url), "utf8"),
);
const installed = Object.entries(lock.packages).filter(([place, { link }]) => place.includes("node_modules/") && !link);

it("locks every package by its content and none to the registry it came from", () => {
  expect(installed.length).toBeGreaterThan(200);
  expect(installed.filter(([, { integrity }]) => !integrity?.startsWith("sha512-")).map(([place]) => place)).toEqual(
    [],
  );
  expect(installed.filter(([, { resolved }]) => resolved !== undefined).map(([place]) => place)).toEqual([]);
});

it("holds the packages of all platforms: npm ci refuses a lock file that misses those of another", () => {
  const missing = Object.entries(lock.packages).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !(`node_modules/${name}` in lock.packages || `${place}/node_modules/${name}` in lock.packages),
    ),
  );
  expect(missing).toEqual([]);
});
