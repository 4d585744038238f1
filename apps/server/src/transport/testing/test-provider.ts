export { startTestSandbox, type TestSandbox } from "../../payments/testing/test-sandbox.ts";
