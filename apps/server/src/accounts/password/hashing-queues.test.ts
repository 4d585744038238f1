import { expect, it } from "vitest";
import { type HashingLane, type HashingQueues, makeHashingQueues } from "./hashing-queues.ts";

function makeJobs(queues: HashingQueues) {
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const answers = new Map<string, Promise<string>>();
  return {
    started,
    add(lane: HashingLane, source: string, name = source) {
      const run = () => {
        started.push(name);
        return new Promise<string>((resolve) => ends.push(() => resolve(name)));
      };
      const answer = queues.run({ lane, source }, run).then((result) => (result.ok ? result.value : result.refusal));
      answers.set(name, answer);
      return answer;
    },
    async endOne() {
      ends.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

it("runs at most two at once and completes all", async () => {
  const jobs = makeJobs(makeHashingQueues());
  const answers = ["a", "b", "c", "d", "e"].map((name) => jobs.add("provenLogin", name));
  expect(jobs.started).toEqual(["a", "b"]);
  for (let count = 0; count < 5; count += 1) await jobs.endOne();
  expect(await Promise.all(answers)).toEqual(["a", "b", "c", "d", "e"]);
});

it("serves a known device and a confirmation within one round of a full queue", async () => {
  const jobs = makeJobs(makeHashingQueues());
  for (let index = 0; index < 200; index += 1) void jobs.add("login", `attacker ${index}`);
  for (let index = 0; index < 200; index += 1) void jobs.add("registration", `attacker ${index}`, `new ${index}`);
  void jobs.add("known", "ada");
  void jobs.add("confirmation", "bola");
  for (let count = 0; count < 4; count += 1) await jobs.endOne();
  expect(jobs.started.slice(1)).toEqual(expect.arrayContaining(["ada", "bola"]));
});

it("leaves the second place to those who proved something", async () => {
  const jobs = makeJobs(makeHashingQueues());
  for (let index = 0; index < 20; index += 1) void jobs.add("login", `attacker ${index}`);
  expect(jobs.started).toEqual(["attacker 0"]);
  for (const name of ["ada", "bola", "chidi"]) void jobs.add("provenLogin", name);
  expect(jobs.started).toEqual(["attacker 0", "ada"]);
  for (let count = 0; count < 4; count += 1) await jobs.endOne();
  expect(jobs.started).toEqual(expect.arrayContaining(["bola", "chidi", "attacker 1"]));
});

it("gives each source its turn, so that one with many requests delays no other", async () => {
  const jobs = makeJobs(makeHashingQueues());
  for (let index = 0; index < 30; index += 1) void jobs.add("login", "attacker", `guess ${index}`);
  void jobs.add("login", "honest");
  await jobs.endOne();
  await jobs.endOne();
  expect(jobs.started).toContain("honest");
});

it("refuses the newest of the longest source when a lane is full", async () => {
  const queues = makeHashingQueues();
  const jobs = makeJobs(queues);
  const guesses = Array.from({ length: 42 }, (_, index) => jobs.add("login", "attacker", `guess ${index}`));
  expect(queues.waitingCount("login")).toBe(40);
  const honest = jobs.add("login", "honest");
  expect(await guesses.at(-1)).toBe("too_many_requests");
  expect(queues.waitingCount("login")).toBe(40);
  for (let count = 0; count < 3; count += 1) await jobs.endOne();
  await jobs.endOne();
  expect(jobs.started).toContain("honest");
  for (let count = 0; count < 4; count += 1) await jobs.endOne();
  expect(await honest).toBe("honest");
});

it("knows how long the oldest job has waited", async () => {
  let nowMs = 0;
  const queues = makeHashingQueues(() => nowMs);
  const jobs = makeJobs(queues);
  for (const name of ["running", "first", "second"]) {
    void jobs.add("login", name);
    nowMs += 100;
  }
  expect([queues.longestWaitMs("login"), queues.longestWaitMs("known")]).toEqual([200, 0]);
  await jobs.endOne();
  expect(queues.longestWaitMs("login")).toBe(100);
  await jobs.endOne();
  expect(queues.longestWaitMs("login")).toBe(0);
});

it("frees its place after a job that throws", async () => {
  const queues = makeHashingQueues();
  const failing = () => Promise.reject(new Error("no memory"));
  for (let count = 0; count < 3; count += 1) {
    await expect(queues.run({ lane: "login", source: "a" }, failing)).rejects.toThrow("no memory");
  }
  expect(await queues.run({ lane: "login", source: "a" }, async () => 1)).toEqual({ ok: true, value: 1 });
});
