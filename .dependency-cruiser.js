/**
 * Which room may import from which. A room's own files are always allowed; whatever else is not listed is forbidden.
 * `scripts/rooms.js` runs these rules, `scripts/rooms.test.ts` proves that each of them bites.
 * @import { ICruiseOptions, IForbiddenRuleType } from "dependency-cruiser"
 */

const TESTS = String.raw`\.test\.tsx?$|/test(ing)?/`;
const LIBRARIES = "(^|/)node_modules/";
const PLATFORM = "^apps/server/src/platform/";
const TABLE_ROOMS = ["^packages/rules/", "^packages/kernel/"];
const DOORS = String.raw`^apps/server/src/(accounts/accounts|ledger/ledger|arena/arena|payments/payments|admin/admin|releases/releases)\.ts$`;
const DOORS_OF_MONEY = String.raw`^apps/server/src/(accounts/accounts|ledger/ledger)\.ts$`;

/**
 * A package is pure: its source imports the rooms named and nothing else, neither a library nor the runtime. Its tests may use
 * libraries, and the other rooms named.
 * @param {string} name
 * @param {readonly string[]} rooms
 * @param {{ readonly libraries?: readonly string[], readonly inTests?: readonly string[] }} [more]
 * @returns {IForbiddenRuleType[]}
 */
function purePackage(name, rooms, { libraries = [], inTests = [] } = {}) {
  const own = `^packages/${name}/`;
  return [
    {
      name: `${name}-imports`,
      severity: "error",
      from: { path: own, pathNot: TESTS },
      to: { pathNot: [own, ...rooms, ...libraries] },
    },
    {
      name: `${name}-tests-import`,
      severity: "error",
      from: { path: own },
      to: { path: "^(packages|apps)/", pathNot: [own, ...rooms, ...inTests] },
    },
  ];
}

/** What the tests of a room may use of the others: their doors and auditors, players to act as, or the whole server. */
const FOR_TESTS = [
  DOORS,
  String.raw`^apps/server/src/([^/]+/audit|accounts/testing/test-players|main|config)\.ts$`,
  // The provider's stand-in is met over HTTP; only its start and its faults are asked for by name.
  String.raw`^apps/sandbox/src/(sandbox|spawn|testing/.*)\.ts$`,
];

/**
 * A room of the server imports platform, packages, libraries and the doors named; its tests more.
 * @param {string} name
 * @param {readonly string[]} doors
 * @returns {IForbiddenRuleType[]}
 */
function serverRoom(name, doors = []) {
  const own = `^apps/server/src/${name}/`;
  return [
    {
      name: `${name}-imports`,
      severity: "error",
      from: { path: own, pathNot: TESTS },
      to: { path: "^apps/", pathNot: [own, PLATFORM, ...doors] },
    },
    {
      name: `${name}-tests-import`,
      severity: "error",
      from: { path: `${own}.*(${TESTS})` },
      to: { path: "^apps/", pathNot: [own, PLATFORM, ...FOR_TESTS] },
    },
  ];
}

/** @type {{ readonly forbidden: IForbiddenRuleType[], readonly options: ICruiseOptions }} */
export default {
  forbidden: [
    ...purePackage("kernel", []),
    ...purePackage("rules", ["^packages/kernel/"]),
    ...purePackage("checkers", TABLE_ROOMS),
    ...purePackage("chess", TABLE_ROOMS),
    // The table knows no game; that it serves both is what its tests show.
    ...purePackage("table", TABLE_ROOMS, { inTests: ["^packages/(checkers|chess)/"] }),
    ...purePackage("protocol", ["^packages/table/", ...TABLE_ROOMS], { libraries: ["(^|/)node_modules/zod/"] }),
    {
      name: "platform-knows-no-domain",
      severity: "error",
      from: { path: PLATFORM },
      to: { path: "^apps/", pathNot: PLATFORM },
    },
    {
      name: "decide-imports",
      comment: "packages and siblings",
      severity: "error",
      from: { path: "^apps/server/src/([^/]+)/decide[^/]*\\.ts$", pathNot: TESTS },
      to: { pathNot: ["^packages/", "^apps/server/src/$1/"] },
    },
    {
      name: "decide-is-pure",
      comment: "nor may a sibling bring the platform or a library in",
      severity: "error",
      from: { path: "^apps/server/src/[^/]+/decide[^/]*\\.ts$", pathNot: TESTS },
      to: { path: `${PLATFORM}|${LIBRARIES}(pg|kysely)/`, reachable: true },
    },
    ...serverRoom("ledger"),
    ...serverRoom("accounts"),
    ...serverRoom("releases"),
    ...serverRoom("arena", [DOORS_OF_MONEY]),
    ...serverRoom("payments", [DOORS_OF_MONEY]),
    ...serverRoom("admin", [DOORS]),
    ...serverRoom("transport", [DOORS]),
    {
      name: "transport-is-last",
      severity: "error",
      from: {
        path: "^apps/server/src/",
        pathNot: ["^apps/server/src/main\\.ts$", "^apps/server/src/transport/", TESTS],
      },
      to: { path: "^apps/server/src/transport/" },
    },
    {
      name: "main-is-the-only-wiring",
      severity: "error",
      from: { path: "^(packages|apps)/", pathNot: TESTS },
      to: { path: "^apps/server/src/main\\.ts$" },
    },
    {
      name: "config-is-for-main",
      comment: "a room is told what it needs, not how the environment names it",
      severity: "error",
      from: { path: "^apps/server/src/[^/]+/", pathNot: TESTS },
      to: { path: "^apps/server/src/config\\.ts$" },
    },
    {
      name: "web-base-imports",
      severity: "error",
      from: { path: "^apps/web/src/(ui|lib)/" },
      to: { path: "^apps/", pathNot: "^apps/web/src/(ui|lib)/" },
    },
    {
      name: "web-features-are-apart",
      severity: "error",
      from: { path: "^apps/web/src/features/([^/]+)/" },
      to: { path: "^apps/", pathNot: ["^apps/web/src/(ui|lib)/", "^apps/web/src/features/$1/"] },
    },
    {
      name: "web-never-server",
      severity: "error",
      from: { path: "^apps/web/" },
      to: { path: "^apps/(server|sandbox)/" },
    },
    {
      name: "server-never-web",
      severity: "error",
      from: { path: "^apps/(server|sandbox)/" },
      to: { path: "^apps/web/" },
    },
    {
      name: "sandbox-stands-alone",
      comment: "it is what the real provider would be: reached over HTTP, started by the wiring",
      severity: "error",
      from: { path: "^apps/server/src/[^/]+/", pathNot: TESTS },
      to: { path: "^apps/sandbox/" },
    },
    {
      name: "sandbox-imports",
      severity: "error",
      from: { path: "^apps/sandbox/", pathNot: TESTS },
      to: { path: "^apps/", pathNot: "^apps/sandbox/" },
    },
    {
      name: "native-hosts-stand-alone",
      comment: "what runs on a player's machine is its own program, in its own language",
      severity: "error",
      from: { path: "^apps/(android|windows)/" },
      to: { path: "^(apps|packages)/", pathNot: "^apps/$1/" },
    },
    {
      name: "native-hosts-are-apart",
      severity: "error",
      from: { path: "^(apps|packages)/", pathNot: "^apps/(android|windows)/" },
      to: { path: "^apps/(android|windows)/" },
    },
    {
      name: "tests-stay-tests",
      comment: "what serves players never imports what serves tests",
      severity: "error",
      from: { path: "^(packages|apps)/", pathNot: TESTS },
      to: { path: `^(packages|apps)/.*(${TESTS})` },
    },
    { name: "no-circles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "no-unresolvable",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)(dist|\\.cache)/" },
    // Types are imports too: a room that knows another's types knows the room.
    tsPreCompilationDeps: true,
    combinedDependencies: true,
  },
};
