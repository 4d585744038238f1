/** The provider's stand-in, for tests of HTTP in which money really moves. */
export { startTestSandbox, type TestSandbox } from "../../payments/testing/test-sandbox.ts";
