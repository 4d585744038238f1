import { DEFAULT_FEE_BPS } from "@holo/table/platform-fee.ts";
import { byClicks, findSquare } from "../support/board.ts";
import { auditAfterwards, expect, test, UNREACHABLE } from "../support/fixtures.ts";
import { answer, findOffer, press } from "../support/offers.ts";
import { connectRobot } from "../support/robot.ts";
import { findToast, waitForSavedProfile } from "../support/steps.ts";
import { closeRobots, FOUR_PLIES, openGame, playPlies, startRobotGame } from "../support/tables.ts";

auditAfterwards();

test("an answer to an offer shows that it is on its way [GAME-10]", async ({ newPlayer, arena, expectedErrors }) => {
  expectedErrors.push(UNREACHABLE);
  const ada = await newPlayer("ada", { context: { baseURL: arena.proxy.url, viewport: { width: 390, height: 844 } } });
  const bola = await newPlayer("bola");
  const { gameId, robots } = await startRobotGame(ada, bola, arena.url, FOUR_PLIES);
  await robots[1].send({ type: "offer_draw", gameId });
  closeRobots(robots);
  const offer = findOffer(ada.page, "Draw Offer");
  await expect(offer).toBeVisible();
  arena.proxy.cut();
  await offer.getByRole("button", { name: "Decline" }).click();
  await expect(offer.getByRole("button", { name: "Decline" })).toHaveAttribute("aria-busy", "true");
  await expect(offer.getByRole("button", { name: "Accept" })).toBeDisabled();
  arena.proxy.restore();
  await expect(offer).toHaveCount(0);
  await expect(findToast(bola.page, "Draw Declined")).toBeVisible();
});

/** The tightest of each layout. */
const SIZES = ["320x454", "360x616", "360x640", "393x727", "768x1024", "844x390", "1024x552", "1024x768", "1440x900"];

// [GAME-22 §2] Each kind of offer has a place of its own, so that no answer comes where another was. A button that
// costs something counts a press only after half a second under the pointer.
test("no answer to an offer comes where an answer to another was, and none moves when another comes or goes [GAME-22]", async ({
  newPlayer,
  arena,
}) => {
  const [ada, bola] = [await newPlayer("ada"), await newPlayer("bola")];
  const { gameId, robots } = await startRobotGame(ada, bola, arena.url, FOUR_PLIES);
  const measure = async (title: "Draw Offer" | "Takeback Request") => {
    const places: string[][] = [];
    for (const size of SIZES) {
      const [width = 0, height = 0] = size.split("x").map(Number);
      await ada.page.setViewportSize({ width, height });
      const buttons = findOffer(ada.page, title).locator(".answer");
      places.push(
        await buttons.evaluateAll((all, at) => {
          return all.map((button) => {
            const { x, y, width: wide, height: high } = button.getBoundingClientRect();
            return `${at}: ${[x, y, wide, high].map(Math.round).join(" ")}`;
          });
        }, size),
      );
    }
    return places.flat();
  };
  await robots[1].send({ type: "request_takeback", gameId });
  await expect(findOffer(ada.page, "Takeback Request")).toBeVisible();
  const alone = await measure("Takeback Request");
  expect(alone).toHaveLength(2 * SIZES.length);
  await robots[1].send({ type: "offer_draw", gameId });
  await expect(findOffer(ada.page, "Draw Offer")).toBeVisible();
  expect(await measure("Takeback Request")).toEqual(alone);
  const draw = await measure("Draw Offer");
  const areas = [...alone, ...draw].map((place) => {
    const [size, area = ""] = place.split(": ");
    return [size, ...area.split(" ").map(Number)] as const;
  });
  const overlaps = areas.filter(([size, x = 0, y = 0, width = 0, height = 0], index) =>
    areas.slice(index + 1).some(([other, left = 0, top = 0, wide = 0, high = 0]) => {
      return other === size && left < x + width && x < left + wide && top < y + height && y < top + high;
    }),
  );
  expect(overlaps).toEqual([]);
  await ada.page.setViewportSize({ width: 1280, height: 720 });
  await answer(ada.page, "Takeback Request", "Decline");
  expect(await measure("Draw Offer")).toEqual(draw);
  closeRobots(robots);
});

// [GAME-10 §2 r18] An opponent's rematch, draw or takeback request is shown as 'Rematch Offer', 'Draw Offer' or
// 'Takeback Request' until it is answered. The pressed answer shows that it is on its way.
// [STATE-06 §4] An accepted draw ends the game without a winner.
// [ERR-24 §8] Offering a draw shows 'Draw Offered' and 'Waiting for opponent to accept.'.
// [ERR-25 §8 r7] An accepted draw shows 'Draw Accepted' and 'Game ended in a draw. Stakes returned (minus holo
// fee).', with the sum.
test("a draw is offered, declined, offered again two moves later and accepted [GAME-10 STATE-06 ERR-24 ERR-25]", async ({
  newPlayer,
  arena,
  database,
}) => {
  const [ada, bola] = [await newPlayer("ada"), await newPlayer("bola")];
  const begun = await startRobotGame(ada, bola, arena.url, "c3-d4 b6-a5 g3-h4");
  const { gameId, robots } = begun;
  await expect(bola.page.getByRole("button", { name: "Offer Draw" })).toHaveCount(0);
  const tooEarly = "You can offer a draw once both players have made two moves.";
  await expect(robots[1].send({ type: "offer_draw", gameId })).rejects.toThrow(tooEarly);
  await robots[1].move(gameId, "f6-g5");

  await byClicks(ada.page, ["h4"]);
  await press(bola.page, "Offer Draw");
  await expect(bola.page.getByText("Draw Offered. Waiting for opponent to accept.")).toBeVisible();
  await expect(bola.page.locator(".toast")).toHaveCount(0);
  const offer = findOffer(ada.page, "Draw Offer");
  await expect(offer).toContainText("Stakes returned (minus holo fee): 12.00 HC each.");
  await expect(findSquare(ada.page, "h4")).toBeFocused();
  await expect(findSquare(ada.page, "f6")).toHaveAttribute("aria-description", "captures");
  await answer(ada.page, "Draw Offer", "Decline");
  await expect(findToast(bola.page, "Draw Declined")).toContainText(`${ada.username} declined.`);

  await expect(bola.page.getByRole("button", { name: "Offer Draw" })).toBeDisabled();
  const tooSoon = "You can ask again after two more moves of your own.";
  await expect(robots[1].send({ type: "offer_draw", gameId })).rejects.toThrow(tooSoon);
  await playPlies(begun, 2);
  await expect(robots[1].send({ type: "offer_draw", gameId })).rejects.toThrow(tooSoon);
  await playPlies(begun, 2);
  await press(bola.page, "Offer Draw");
  const { offers } = await robots[0].waitForTable(gameId, ({ offers: { draw } }) => draw.pending !== null);
  await answer(ada.page, "Draw Offer", "Accept");
  for (const { page } of [ada, bola]) {
    await expect(page.getByRole("heading", { name: "Draw", exact: true })).toBeVisible();
    const result = page.locator(".result-panel");
    await expect(result).toContainText("Draw Accepted. Game ended in a draw. Stakes returned (minus holo fee).");
    await expect(result).toContainText("−0.89 HC (about ₦272)");
    await expect(result).toContainText("Stake returned12.00 HC");
    await expect(findToast(page, "Draw Accepted")).toHaveCount(0);
  }
  const again = { type: "answer_draw", gameId, offer: offers.draw.pending!.version, answer: "accept" } as const;
  await expect(robots[0].send({ ...again, atVersion: 1 })).rejects.toThrow("This game is over.");
  expect(await database.balance(ada.id)).toBe("499.112000");
  expect(await database.balance(bola.id)).toBe("499.112000");
  expect(await database.revenue(gameId)).toBe("1.776000");
  closeRobots(robots);
});

// [ERR-26 §8 r18] Takebacks show 'Takeback Accepted' or 'Takeback Declined'.
test("a takeback and a draw can be pending together, and a move declines the takeback [GAME-10 ERR-26]", async ({
  newPlayer,
  arena,
}) => {
  const [ada, bola] = [await newPlayer("ada"), await newPlayer("bola")];
  const begun = await startRobotGame(ada, bola, arena.url, FOUR_PLIES);
  const { gameId, robots } = begun;
  await press(bola.page, "Request Takeback");
  await expect(bola.page.getByText("Takeback Requested. Waiting for opponent to accept.")).toBeVisible();
  await press(bola.page, "Offer Draw");
  await expect(findOffer(ada.page, "Draw Offer")).toBeVisible();
  await expect(findOffer(ada.page, "Takeback Request")).toContainText(
    `${bola.username} asks to take back f6-g5. The clocks stay as they are.`,
  );
  const { offers, boardVersion } = await robots[1].waitForTable(
    gameId,
    ({ offers: { draw } }) => draw.pending !== null,
  );
  const asked = { gameId, offer: offers.takeback.pending!.version, atVersion: boardVersion } as const;
  await expect(robots[1].send({ type: "answer_takeback", answer: "accept", ...asked })).rejects.toThrow(
    "Only your opponent can answer that.",
  );
  await answer(ada.page, "Takeback Request", "Accept");
  for (const { page } of [ada, bola]) {
    await expect(findToast(page, "Takeback Accepted")).toBeVisible();
    await expect(findSquare(page, "f6")).toHaveAccessibleName("f6, black man");
  }
  await expect(bola.page).toHaveTitle(/^Your turn/);
  await expect(findOffer(ada.page, "Draw Offer")).toBeVisible();
  await expect(robots[0].send({ type: "answer_takeback", answer: "accept", ...asked })).rejects.toThrow(
    "That offer is no longer open.",
  );

  await robots[1].move(gameId, "f6-g5");
  await robots[1].send({ type: "request_takeback", gameId });
  const { offers: then, boardVersion: newBoard } = await robots[0].waitForTable(
    gameId,
    ({ offers: { takeback } }) => takeback.pending !== null,
  );
  const onOld = { type: "answer_takeback", gameId, offer: then.takeback.pending!.version, answer: "accept" } as const;
  await expect(robots[0].send({ ...onOld, atVersion: newBoard - 1 })).rejects.toThrow("The board has changed.");
  await expect(findOffer(ada.page, "Takeback Request")).toBeVisible();
  await playPlies(begun, 1);
  for (const title of ["Draw Offer", "Takeback Request"] as const) {
    await expect(findOffer(ada.page, title)).toHaveCount(0);
  }
  await expect(findToast(bola.page, "Takeback Declined")).toContainText(`${ada.username} moved instead.`);
  await expect(findToast(bola.page, "Draw Declined")).toBeVisible();
  await expect(bola.page.getByRole("button", { name: "Request Takeback" })).toBeDisabled();

  await press(ada.page, "Request Takeback");
  await answer(bola.page, "Takeback Request", "Don't ask again this game");
  await expect(findToast(ada.page, "Takeback Declined")).toContainText("They've turned off further offers.");
  await playPlies(begun, 4);
  await expect(ada.page.getByRole("button", { name: "Request Takeback" })).toBeDisabled();
  await expect(robots[0].send({ type: "request_takeback", gameId })).rejects.toThrow(
    "Your opponent has turned off further offers.",
  );
  closeRobots(robots);
});

// [OFFER-05 §4,8 r18] A declined takeback is reported to the player who requested it.
test("a player who disabled takebacks is not asked [OFFER-05]", async ({ newPlayer, arena }) => {
  const [ada, bola] = [await newPlayer("ada"), await newPlayer("bola")];
  await ada.page.goto("/profile#settings");
  const saved = waitForSavedProfile(ada.page);
  await ada.page.getByRole("switch", { name: "Takebacks" }).click();
  await saved;
  const { robots } = await startRobotGame(ada, bola, arena.url, FOUR_PLIES);
  await press(bola.page, "Request Takeback");
  await expect(findToast(bola.page, "Takeback Declined")).toContainText("Your opponent doesn't allow takebacks.");
  await expect(findOffer(ada.page, "Takeback Request")).toHaveCount(0);
  closeRobots(robots);
});

// [ROLE-04 §6 r22] Only a game's two players see its controls and chat; others watch.
test("only the two players can offer, answer or chat; watchers see the moves alone [ROLE-04 CALL-08]", async ({
  newPlayer,
  addPlayer,
  newVisitor,
  arena,
}) => {
  const [ada, bola, chidi] = [await newPlayer("ada"), await addPlayer("bola"), await newPlayer("chidi")];
  const { gameId, robots } = await startRobotGame(ada, bola, arena.url, FOUR_PLIES);
  const stranger = await connectRobot(chidi, arena.url);
  const watchers = [chidi.page, await newVisitor()];
  const heard: string[] = [];
  for (const page of watchers) {
    page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => heard.push(String(payload))));
    await openGame(page, gameId);
  }
  await robots[1].send({ type: "chat", gameId, text: "between us two" });
  await expect(ada.page.getByRole("button", { name: /^Chat/ })).toHaveAccessibleName("Chat 1 unread");
  await robots[1].send({ type: "offer_draw", gameId });
  await robots[1].send({ type: "request_takeback", gameId });
  const { offers, boardVersion } = await robots[0].waitForTable(gameId, ({ offers: { draw, takeback } }) => {
    return draw.pending !== null && takeback.pending !== null;
  });
  await expect(findOffer(ada.page, "Takeback Request")).toBeVisible();
  const [draw, takeback] = [offers.draw.pending!.version, offers.takeback.pending!.version];
  const onBoard = { gameId, answer: "accept", atVersion: boardVersion } as const;
  for (const act of [
    { type: "answer_draw", offer: draw, ...onBoard },
    { type: "answer_takeback", offer: takeback, ...onBoard },
    { type: "answer_rematch", gameId, offer: draw, answer: "accept" },
    { type: "offer_draw", gameId },
    { type: "request_takeback", gameId },
    { type: "offer_rematch", gameId, feeBps: DEFAULT_FEE_BPS },
  ] as const) {
    await expect(stranger.send(act)).rejects.toThrow("Only the two players can do that.");
  }
  for (const page of watchers) {
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(page.getByRole("button", { name: /Draw|Takeback|Resign|Chat/ })).toHaveCount(0);
  }
  const { offers: after } = await robots[0].waitForTable(gameId, () => true);
  expect([after.draw.pending?.version, after.takeback.pending?.version]).toEqual([draw, takeback]);
  await robots[0].move(gameId, "h4-f6");
  for (const page of watchers) await expect(page.getByRole("list", { name: "Moves" })).toContainText("h4:f6");
  expect(heard.length).toBeGreaterThan(0);
  expect(heard.filter((frame) => frame.includes("between us two"))).toEqual([]);
  closeRobots([...robots, stranger]);
});
