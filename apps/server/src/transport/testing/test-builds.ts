export { makeApp, makeProgram, makeZip } from "../../releases/testing/test-builds.ts";
