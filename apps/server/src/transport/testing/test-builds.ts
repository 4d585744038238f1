export { makeApp, makeProgram, makeRealApp, makeZip } from "../../releases/testing/test-builds.ts";
