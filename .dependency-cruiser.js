/**
 * Which module may import from which. A module's own files are always allowed; an import that is
 * not listed is forbidden. `scripts/checks/check-boundaries.js` applies these rules.
 * @import { ICruiseOptions, IForbiddenRuleType } from "dependency-cruiser"
 */

const TESTS = String.raw`\.test\.tsx?$|/test(ing)?/`;
const LIBRARIES = "(^|/)node_modules/";
const PLATFORM = "^apps/server/src/platform/";
const TABLE_IMPORTS = ["^packages/rules/", "^packages/kernel/"];
const GAMES = "^packages/(checkers|chess)/";
const GAME_FACTS = `${GAMES}src/game\\.ts$`;
const PLAY = {
  game: "^apps/server/src/game/game\\.ts$",
  match: "^apps/server/src/match/match\\.ts$",
  lobby: "^apps/server/src/lobby/lobby\\.ts$",
  players: "^apps/server/src/players/players\\.ts$",
};
const PUBLIC_APIS = [
  ...Object.values(PLAY),
  String.raw`^apps/server/src/(accounts/accounts|fairplay/fairplay|notices/notices|ledger/ledger|payments/payments|admin/admin|releases/releases)\.ts$`,
];
/** The server and the operators' commands, which open and connect the modules. */
const WIRING = String.raw`^apps/server/src/((main|holo)\.ts$|wiring/|operations/)`;
const LEDGER_AND_ACCOUNTS = String.raw`^apps/server/src/(accounts/accounts|ledger/ledger)\.ts$`;

/**
 * A package is pure: its source imports the named packages and nothing else, neither a library nor
 * the runtime. Its tests may also use libraries and the packages of `inTests`.
 * @param {string} name
 * @param {readonly string[]} packages
 * @param {{ readonly libraries?: readonly string[], readonly inTests?: readonly string[] }} [more]
 * @returns {IForbiddenRuleType[]}
 */
function purePackage(name, packages, { libraries = [], inTests = [] } = {}) {
  const own = `^packages/${name}/`;
  return [
    {
      name: `${name}-imports`,
      severity: "error",
      from: { path: own, pathNot: TESTS },
      to: { pathNot: [own, ...packages, ...libraries] },
    },
    {
      name: `${name}-tests-import`,
      severity: "error",
      from: { path: own },
      to: { path: "^(packages|apps)/", pathNot: [own, ...packages, ...inTests] },
    },
  ];
}

const FOR_TESTS = [
  ...PUBLIC_APIS,
  String.raw`^apps/server/src/([^/]+/(audit/)?audit|accounts/testing/(test-players|shared-trace)|ledger/testing/(game-postings|test-ledger)|game/testing/[a-z-]+|wiring/play|main|config)\.ts$`,
  String.raw`^apps/sandbox/src/(sandbox|spawn|testing/.*)\.ts$`,
];

/**
 * A module of the server imports platform, packages, libraries and the named public APIs.
 * @param {string} name
 * @param {readonly string[]} publicApis
 * @returns {IForbiddenRuleType[]}
 */
function serverModule(name, publicApis = []) {
  const own = `^apps/server/src/${name}/`;
  return [
    {
      name: `${name}-imports`,
      severity: "error",
      from: { path: own, pathNot: TESTS },
      to: { path: "^apps/", pathNot: [own, PLATFORM, ...publicApis] },
    },
    {
      name: `${name}-tests-import`,
      severity: "error",
      from: { path: `${own}.*(${TESTS})` },
      to: { path: "^apps/", pathNot: [own, PLATFORM, ...FOR_TESTS] },
    },
  ];
}

/**
 * No folder of a module imports one above it in the module's own order, given from below, and none
 * its public API. Files beside the folders are below all of them.
 * @param {string} name
 * @param {readonly string[]} folders
 * @returns {IForbiddenRuleType[]}
 */
function inOrder(name, ...folders) {
  const own = `^apps/server/src/${name}/`;
  const api = `${own}${name}\\.ts$`;
  const paths = folders.map((folder) => `${own}(${folder})/`);
  return [...paths, api].map((path, index) => ({
    name: `${name}-in-order-${index + 1}`,
    severity: "error",
    from: { path: [`${own}[^/]+\\.ts$`, ...paths.slice(0, index)], pathNot: [api, TESTS] },
    to: { path },
  }));
}

/** @type {{ readonly forbidden: IForbiddenRuleType[], readonly options: ICruiseOptions }} */
export default {
  forbidden: [
    ...purePackage("kernel", []),
    // The registry names the games; their rules stay in their packages.
    ...purePackage("rules", ["^packages/kernel/", GAME_FACTS], { inTests: [GAMES] }),
    {
      name: "registry-names-the-games",
      severity: "error",
      from: { path: "^packages/rules/", pathNot: ["^packages/rules/src/registry\\.ts$", TESTS] },
      to: { path: GAMES },
    },
    ...purePackage("checkers", TABLE_IMPORTS),
    ...purePackage("chess", TABLE_IMPORTS),
    // It thinks ahead on representations of its own, made of the inner parts of both games.
    ...purePackage("engine", [...TABLE_IMPORTS, GAMES]),
    // The table package knows no game; its tests run it with both.
    ...purePackage("table", TABLE_IMPORTS, { inTests: [GAMES] }),
    ...purePackage("protocol", ["^packages/table/", ...TABLE_IMPORTS], { libraries: ["(^|/)node_modules/zod/"] }),
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
      from: { path: "^apps/server/src/([^/]+)/([a-z-]+/|)decide[^/]*\\.ts$", pathNot: TESTS },
      to: { pathNot: ["^packages/", "^apps/server/src/$1/"] },
    },
    {
      name: "decide-is-pure",
      comment: "also through siblings",
      severity: "error",
      from: { path: "^apps/server/src/[^/]+/([a-z-]+/|)decide[^/]*\\.ts$", pathNot: TESTS },
      to: { path: `${PLATFORM}|${LIBRARIES}(pg|kysely)/`, reachable: true },
    },
    ...serverModule("ledger"),
    ...serverModule("accounts"),
    ...serverModule("releases"),
    ...serverModule("game", [LEDGER_AND_ACCOUNTS]),
    ...inOrder("game", "log", "table", "forwarding|chat|history|moderation|picture|audit"),
    ...serverModule("match", [LEDGER_AND_ACCOUNTS, PLAY.game]),
    ...serverModule("lobby", [LEDGER_AND_ACCOUNTS, PLAY.game, PLAY.match]),
    ...serverModule("players", [LEDGER_AND_ACCOUNTS, PLAY.game, PLAY.match]),
    ...serverModule("notices", [PLAY.game]),
    ...serverModule("fairplay", [LEDGER_AND_ACCOUNTS, ...Object.values(PLAY)]),
    {
      name: "game-log-has-few-writers",
      comment: "group commit writes single records to game_log and games; lifecycle_commit the others",
      severity: "error",
      from: {
        path: "^apps/server/src/",
        pathNot: ["^apps/server/src/game/log/group-commit\\.ts$", TESTS],
      },
      to: { path: "^apps/server/src/game/log/game-writer\\.ts$" },
    },
    {
      name: "table-owns-its-parts",
      comment: "only a table changes its clock and watchers",
      severity: "error",
      from: { path: "^apps/server/src/", pathNot: ["^apps/server/src/game/table/table(-credits|)\\.ts$", TESTS] },
      to: { path: "^apps/server/src/game/table/(table-(watchers|clock|credits)|restart-timer|unserved)\\.ts$" },
    },
    ...serverModule("payments", [LEDGER_AND_ACCOUNTS]),
    ...serverModule("admin", PUBLIC_APIS),
    ...serverModule("transport", PUBLIC_APIS),
    {
      name: "transport-is-last",
      severity: "error",
      from: {
        path: "^apps/server/src/",
        pathNot: [WIRING, "^apps/server/src/transport/", TESTS],
      },
      to: { path: "^apps/server/src/transport/" },
    },
    {
      name: "main-is-the-only-wiring",
      severity: "error",
      from: { path: "^(packages|apps)/", pathNot: [WIRING, TESTS] },
      to: { path: WIRING },
    },
    {
      name: "config-is-for-main",
      comment: "main passes settings to modules; they do not read the environment",
      severity: "error",
      from: { path: "^apps/server/src/[^/]+/", pathNot: [WIRING, TESTS] },
      to: { path: "^apps/server/src/config\\.ts$" },
    },
    {
      name: "web-base-imports",
      severity: "error",
      from: { path: "^apps/web/src/(ui|lib)/" },
      to: { path: "^apps/", pathNot: "^apps/web/src/(ui|lib)/" },
    },
    {
      name: "web-shared-imports",
      severity: "error",
      from: { path: "^apps/web/src/shared/" },
      to: { path: "^apps/", pathNot: "^apps/web/src/(ui|lib|shared)/" },
    },
    {
      name: "web-features-are-apart",
      severity: "error",
      from: { path: "^apps/web/src/features/([^/]+)/" },
      to: { path: "^apps/", pathNot: ["^apps/web/src/(ui|lib|shared)/", "^apps/web/src/features/$1/"] },
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
      comment: "it is a separate process, reached over HTTP as the real provider is",
      severity: "error",
      from: { path: "^apps/server/src/[^/]+/", pathNot: [WIRING, TESTS] },
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
      comment: "they are separate programs that run on players' devices; their tests compare them with the page",
      severity: "error",
      from: { path: "^apps/(android|windows)/", pathNot: "^apps/(android|windows)/test/" },
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
      comment: "production code imports no test code",
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
    // A type import is also a dependency.
    tsPreCompilationDeps: true,
    combinedDependencies: true,
  },
};
