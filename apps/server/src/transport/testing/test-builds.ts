/** Files as admins upload them, for tests of HTTP. */
export { makeApp, makeProgram, makeRealApp, makeZip } from "../../releases/testing/test-builds.ts";
