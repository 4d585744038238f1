import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

interface LockedPackage {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

type Lock = { readonly packages: Readonly<Record<string, LockedPackage>> };

const lock: Lock = JSON.parse(readFileSync(new URL("../../package-lock.json", import.meta.url), "utf8"));

it("locks every package by its hash and none to a registry", () => {
  const installed = Object.entries(lock.packages).filter(
    ([place, { link }]) => place.includes("node_modules/") && !link,
  );
  expect(installed.length).toBeGreaterThan(200);
  expect(installed.filter(([, { integrity }]) => !integrity?.startsWith("sha512-")).map(([place]) => place)).toEqual(
    [],
  );
  expect(installed.filter(([, { resolved }]) => resolved !== undefined).map(([place]) => place)).toEqual([]);
});

it("contains the packages of all platforms, as npm ci requires", () => {
  const missing = Object.entries(lock.packages).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !(`node_modules/${name}` in lock.packages || `${place}/node_modules/${name}` in lock.packages),
    ),
  );
  expect(missing).toEqual([]);
});
