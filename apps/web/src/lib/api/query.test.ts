import { QueryObserver } from "@tanstack/react-query";
import { afterEach, describe, expect, it } from "vitest";
import { queryClient, refreshQueries } from "./query.tsx";

const queryKey = ["wallet", "p-1"];

function observe() {
  const answers: ((data: string) => void)[] = [];
  const observer = new QueryObserver<string>(queryClient, {
    queryKey,
    queryFn: () => new Promise<string>((resolve) => answers.push(resolve)),
  });
  observer.subscribe(() => {});
  return { observer, answers, read: () => observer.getCurrentResult().data };
}

describe("refreshQueries", () => {
  afterEach(() => queryClient.clear());

  it("restarts a first load that began before the change", async () => {
    const { answers, read } = observe();
    void refreshQueries(["wallet"]);
    await expect.poll(() => answers).toHaveLength(2);
    answers[0]!("pending");
    answers[1]!("failed");
    await expect.poll(read).toBe("failed");
  });

  it("replaces a reload that began before the change and keeps the data meanwhile", async () => {
    const { answers, read } = observe();
    answers[0]!("new");
    await expect.poll(read).toBe("new");
    void refreshQueries(["wallet"]);
    await expect.poll(() => answers).toHaveLength(2);
    void refreshQueries(["wallet"]);
    await expect.poll(() => answers).toHaveLength(3);
    expect(read()).toBe("new");
    answers[1]!("pending");
    answers[2]!("failed");
    await expect.poll(read).toBe("failed");
  });
});
