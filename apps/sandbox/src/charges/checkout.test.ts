import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openTestSandbox, type TestSandbox } from "../testing/test-sandbox.ts";

const CALLBACK = "http://localhost:3000/wallet?tab=deposit";

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await openTestSandbox();
});
afterEach(() => sandbox.close());

async function begin(fields = {}): Promise<string> {
  const { data } = await sandbox.initialize("holo-1", { callback_url: CALLBACK, ...fields });
  return String(data.authorization_url);
}

const press = (address: string, outcome: string): Promise<Response> =>
  fetch(address, { method: "POST", body: new URLSearchParams({ outcome }), redirect: "manual" });

const status = async (): Promise<unknown> => (await sandbox.verify("holo-1")).status;

describe("the checkout", () => {
  it("shows amount, merchant and payer with four buttons", async () => {
    const response = await fetch(await begin());
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(html).toContain('<html lang="en">');
    expect(html).toContain("Pay Holo Arena</h1>");
    expect(html).toContain("ada@example.com");
    expect(html.match(/<button name="outcome" value="\w+">[^<]+/g)).toEqual([
      '<button name="outcome" value="pay">Pay ₦5,000.00',
      '<button name="outcome" value="pay_by_card">By card',
      '<button name="outcome" value="fail">Let the bank decline',
      '<button name="outcome" value="cancel">Cancel',
    ]);
    expect(await status()).toBe("ongoing");
  });

  it("loads only its style and limits the form's targets", async () => {
    const response = await fetch(await begin());
    expect(response.headers.get("content-security-policy")).toBe(
      "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self' http://localhost:3000; frame-ancestors 'none'",
    );
    const style = await fetch(`${sandbox.url}/checkout.css`);
    expect(style.headers.get("content-type")).toBe("text/css; charset=utf-8");
  });

  it.each([
    ["pay", "success"],
    ["fail", "failed"],
    ["cancel", "abandoned"],
  ])("returns the browser after %s and sets the charge to %s", async (outcome, expected) => {
    const response = await press(await begin(), outcome);
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe(`${CALLBACK}&trxref=holo-1&reference=holo-1`);
    expect(await status()).toBe(expected);
  });

  it("returns after a cancellation to the address in the metadata", async () => {
    const address = await begin({ metadata: '{"cancel_action":"http://localhost:5173/wallet?cancelled"}' });
    expect((await fetch(address)).headers.get("content-security-policy")).toContain(
      "form-action 'self' http://localhost:3000 http://localhost:5173;",
    );
    expect((await press(address, "cancel")).headers.get("location")).toBe("http://localhost:5173/wallet?cancelled");
  });

  it("ignores a second press of the same button", async () => {
    const address = await begin();
    await Promise.all([press(address, "pay"), press(address, "pay"), press(address, "cancel")]);
    await sandbox.control.settle();
    expect(sandbox.receiver.received).toHaveLength(1);
    expect((await sandbox.control.state()).balance).toBe(1_000_000_000 + 500_000 - 17_500);
  });

  it("accepts a payment after a failure and a cancellation", async () => {
    const address = await begin();
    await press(address, "fail");
    await press(address, "cancel");
    await press(address, "pay");
    expect(await status()).toBe("success");
  });

  it("reports a paid charge with a link back", async () => {
    const address = await begin();
    await press(address, "pay");
    const html = await (await fetch(address)).text();
    expect(html).toContain("Holo Arena has received");
    expect(html).toContain(`href="${CALLBACK}&amp;trxref=holo-1&amp;reference=holo-1"`);
    expect(html).not.toContain("<button");
  });

  it.each([
    ["pay", "Holo Arena has received"],
    ["fail", "The bank declined"],
    ["cancel", "The payment was cancelled"],
  ])("shows the outcome of %s without a return address", async (outcome, text) => {
    const { data } = await sandbox.initialize("holo-1");
    const response = await press(String(data.authorization_url), outcome);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain(text);
  });

  it("shows the fee where the payer bears it", async () => {
    await sandbox.control.change({ feeBearer: "customer" });
    const html = await (await fetch(await begin())).text();
    expect(html).toContain("<dt>Amount</dt><dd>₦5,000.00</dd><dt>Fee</dt><dd>₦177.67</dd>");
    expect(html).toContain("Pay ₦5,177.67");
  });

  it("escapes foreign text", async () => {
    await sandbox.control.change({ businessName: `<b>"A" & 'B'</b>` });
    const html = await (await fetch(await begin())).text();
    expect(html).toContain("Pay &lt;b&gt;&quot;A&quot; &amp; &#39;B&#39;&lt;/b&gt;");
  });

  it("refuses unknown charges and outcomes", async () => {
    expect((await fetch(`${sandbox.url}/checkout/nothing`)).status).toBe(404);
    expect((await press(await begin(), "steal")).status).toBe(200);
    expect(await status()).toBe("ongoing");
  });
});
