import { describe, expect, it } from "vitest";
import { parseNativeCommand } from "./parse.ts";

const parse = (line: string) => parseNativeCommand(line.split(" ").filter((word) => word !== ""));
const parseOrigin = (origin: string) => parseNativeCommand(["windows", "--version", "1.2.3", "--origin", origin]);

describe("the arguments of npm run native", () => {
  it("ask for a build for one origin and version", () => {
    expect(parse("android --origin https://arena.example --version 1.2.3")).toEqual({
      ok: true,
      value: { type: "build", host: "android", origin: "https://arena.example", version: "1.2.3" },
    });
  });

  it("ask for the tests of all hosts or of the named ones", () => {
    expect(parse("test")).toEqual({ ok: true, value: { type: "test", hosts: ["android", "windows"] } });
    expect(parse("test windows")).toEqual({ ok: true, value: { type: "test", hosts: ["windows"] } });
  });

  it.each([
    ["", "say what to build"],
    ["ios", "there is no ios to build"],
    ["android windows", "windows makes no sense after android"],
    ["test ios", "there is no ios to test"],
    ["test --version 1.2.3", "test takes no options"],
    ["android --origine https://arena.example", "Unknown option"],
    ["android --version 1.2.3", "say which site it opens"],
    ["android --origin https://arena.example", "say which version it is"],
  ])("are refused: `%s`", (line, refusal) => {
    expect(parse(line)).toEqual({ ok: false, refusal: expect.stringContaining(refusal) });
  });

  it.each([
    "https://arena.example",
    "https://arena.example:8443",
    "https://xn--bcher-kva.example",
    "http://localhost:3000",
    "http://127.0.0.1",
    "http://10.0.2.2:3000",
  ])("accept the origin %s", (origin) => {
    expect(parseOrigin(origin)).toMatchObject({ ok: true, value: { origin } });
  });

  it.each([
    ["arena.example", "is no address"],
    ["https://", "is no address"],
    ["http://arena.example", "must be https"],
    ["http://10.0.2.2.evil.example", "must be https"],
    ["http://10.0.2.3:3000", "must be https"],
    ["file:///etc/passwd", "must be https"],
    ["javascript:alert(1)", "must be https"],
    ["https://[::1]", "no name of a host"],
    ["https://arena.example.", "no name of a host"],
    ["https://arena$(id).example", "no name of a host"],
    ['https://a"b.example', "no name of a host"],
    ["https://arena.example/", "must stand alone, as https://arena.example:"],
    ["https://arena.example/play", "must stand alone"],
    ["https://arena.example?a", "must stand alone"],
    ["https://arena.example#a", "must stand alone"],
    ["https://ada@arena.example", "must stand alone"],
    ["https://arena.example:443", "must stand alone"],
    ["https://ARENA.example", "must stand alone"],
    ["https://bücher.example", "must stand alone, as https://xn--bcher-kva.example:"],
    [" https://arena.example", "must stand alone"],
  ])("refuse the origin %j", (origin, refusal) => {
    expect(parseOrigin(origin)).toEqual({ ok: false, refusal: expect.stringContaining(refusal) });
  });

  it.each(["0.0.1", "0.10.0", "999.999.999"])("accept the version %s", (version) => {
    expect(parse(`windows --origin https://arena.example --version ${version}`)).toMatchObject({ value: { version } });
  });

  it.each(["1", "1.2", "1.2.3.4", "1.2.1000", "01.2.3", "1.2.3-a", "v1.2.3", "0.0.0", "1.2.x"])(
    "refuse the version %s",
    (version) => {
      const parsed = parse(`windows --origin https://arena.example --version ${version}`);
      expect(parsed).toEqual({ ok: false, refusal: expect.stringContaining("three numbers") });
    },
  );
});
