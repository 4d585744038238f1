import { toGameId } from "@holo/kernel/ids.ts";

export const GOLDEN_GAME = toGameId("00000000-0000-4000-8000-000000000001");

/** Records of format 1. Databases hold such logs: these are never changed and stay readable. */
export const FORMAT_1 = [
  '{"version":1,"at":1000000,"by":1,"events":[{"type":"created","game":"checkers","stake":5,"limitMs":300000,"feeBps":740,"player":"player-ada"}],"commandId":"command-1"}',
  '{"version":2,"at":1001000,"by":2,"events":[{"type":"joined","player":"player-bola"}],"commandId":"command-2"}',
  '{"version":3,"at":1002000,"by":1,"events":[{"type":"moved","path":[42,35],"chargedMs":0,"remainingMs":[300000,300000]}],"commandId":"command-3"}',
  '{"version":4,"at":1003000,"by":2,"events":[{"type":"moved","path":[19,26],"chargedMs":0,"remainingMs":[300000,300000]}],"commandId":"command-4"}',
  '{"version":5,"at":1093000,"by":0,"events":[{"type":"clock_credited","outageFromAt":1004000,"outageToAt":1093000,"remainingMs":[309000,310000],"awaiting":true}]}',
  '{"version":6,"at":1094000,"by":1,"events":[{"type":"returned","seat":1}]}',
  '{"version":7,"at":1096000,"by":1,"events":[{"type":"moved","path":[49,42],"chargedMs":1900,"remainingMs":[307100,310000]}],"commandId":"command-5","lagMs":100}',
  '{"version":8,"at":1097000,"by":2,"events":[{"type":"returned","seat":2}]}',
  '{"version":9,"at":1099000,"by":2,"events":[{"type":"moved","path":[21,30],"chargedMs":2000,"remainingMs":[307100,308000]}],"commandId":"command-6"}',
  '{"version":10,"at":1100000,"by":1,"events":[{"type":"ended","winner":2,"reason":"resignation","remainingMs":[306100,308000]}],"commandId":"command-7"}',
];

/** Records of format 2: offers, takebacks and a rematch. */
export const FORMAT_2 = [
  '{"version":1,"at":1000000,"by":1,"events":[{"type":"created","game":"checkers","stake":5,"limitMs":300000,"feeBps":740,"player":"player-ada","rematchOf":"00000000-0000-4000-8000-000000000000"}]}',
  '{"version":2,"at":1000000,"by":2,"events":[{"type":"joined","player":"player-bola"}]}',
  '{"version":3,"at":1002000,"by":1,"events":[{"type":"moved","path":[42,35],"chargedMs":0,"remainingMs":[300000,300000]}],"commandId":"command-3"}',
  '{"version":4,"at":1003000,"by":2,"events":[{"type":"moved","path":[19,26],"chargedMs":0,"remainingMs":[300000,300000]}],"commandId":"command-4"}',
  '{"version":5,"at":1004000,"by":1,"events":[{"type":"moved","path":[49,42],"chargedMs":1000,"remainingMs":[299000,300000]}],"commandId":"command-5"}',
  '{"version":6,"at":1005000,"by":2,"events":[{"type":"moved","path":[21,30],"chargedMs":1000,"remainingMs":[299000,299000]}],"commandId":"command-6"}',
  '{"version":7,"at":1006000,"by":1,"events":[{"type":"takeback_requested","seat":1}],"commandId":"command-7"}',
  '{"version":8,"at":1007000,"by":2,"events":[{"type":"takeback_answered","seat":2,"offer":7,"answer":"accept"},{"type":"taken_back","seat":1,"plies":2,"remainingMs":[297000,299000]}],"commandId":"command-8"}',
  '{"version":9,"at":1008000,"by":1,"events":[{"type":"draw_offered","seat":1}],"commandId":"command-9"}',
  '{"version":10,"at":1009000,"by":2,"events":[{"type":"draw_answered","seat":2,"offer":9,"answer":"decline_all"}],"commandId":"command-10"}',
  '{"version":11,"at":1010000,"by":2,"events":[{"type":"draw_offered","seat":2}],"commandId":"command-11"}',
  '{"version":12,"at":1011000,"by":1,"events":[{"type":"draw_answered","seat":1,"offer":11,"answer":"accept"},{"type":"ended","winner":null,"reason":"agreement","remainingMs":[293000,299000]}],"commandId":"command-12"}',
  '{"version":13,"at":1012000,"by":1,"events":[{"type":"rematch_offered","seat":1,"feeBps":740}],"commandId":"command-13"}',
  '{"version":14,"at":1013000,"by":0,"events":[{"type":"rematch_lapsed","reason":"left","seat":2}]}',
  '{"version":15,"at":1014000,"by":2,"events":[{"type":"rematch_offered","seat":2,"feeBps":740}],"commandId":"command-15"}',
  '{"version":16,"at":1015000,"by":1,"events":[{"type":"rematch_answered","seat":1,"offer":15,"answer":"accept"},{"type":"rematch_started","gameId":"00000000-0000-4000-8000-000000000002","feeBps":740}],"commandId":"command-16"}',
];

/** Records of format 3: a broken game that staff cancelled. */
export const FORMAT_3 = [
  '{"version":1,"at":1000000,"by":1,"events":[{"type":"created","game":"checkers","stake":5,"limitMs":300000,"feeBps":740,"player":"player-ada"}],"commandId":"command-1"}',
  '{"version":2,"at":1001000,"by":2,"events":[{"type":"joined","player":"player-bola"}],"commandId":"command-2"}',
  '{"version":3,"at":1002000,"by":1,"events":[{"type":"moved","path":[42,35],"chargedMs":0,"remainingMs":[300000,300000]}],"commandId":"command-3"}',
  '{"version":4,"at":1003000,"by":0,"events":[{"type":"cancelled","reason":"house","seat":null,"note":"The board froze for \\"both\\""}]}',
];

/** Records of format 4: a game that reached its longest log, shortened. */
export const FORMAT_4 = [
  ...FORMAT_3.slice(0, 3),
  '{"version":4,"at":1003000,"by":2,"events":[{"type":"moved","path":[19,26],"chargedMs":0,"remainingMs":[300000,300000]},{"type":"ended","winner":null,"reason":"too_long","remainingMs":[300000,300000]}],"commandId":"command-4"}',
];

/** Records of format 5: a stall without a bonus, an outage with one, the end of a wait. */
export const FORMAT_5 = [
  '{"version":1,"at":1000000,"by":1,"events":[{"type":"created","game":"checkers","stake":5,"limitMs":300000,"feeBps":740,"player":"player-ada"}],"commandId":"command-1"}',
  '{"version":2,"at":1001000,"by":2,"events":[{"type":"joined","player":"player-bola"}],"commandId":"command-2"}',
  '{"version":3,"at":1002000,"by":1,"events":[{"type":"moved","path":[42,35],"chargedMs":0,"remainingMs":[300000,300000]}],"commandId":"command-3"}',
  '{"version":4,"at":1003000,"by":2,"events":[{"type":"moved","path":[19,26],"chargedMs":0,"remainingMs":[300000,300000]}],"commandId":"command-4"}',
  '{"version":5,"at":1010500,"by":0,"events":[{"type":"clock_credited","outageFromAt":1005000,"outageToAt":1010000,"remainingMs":[297500,300000],"bonusMs":0,"awaiting":false}]}',
  '{"version":6,"at":1100000,"by":0,"events":[{"type":"clock_credited","outageFromAt":1011500,"outageToAt":1100000,"remainingMs":[306500,310000],"bonusMs":10000,"awaiting":true}]}',
  '{"version":7,"at":1101000,"by":2,"events":[{"type":"returned","seat":2}]}',
  '{"version":8,"at":1700000,"by":0,"events":[{"type":"wait_ended","seat":1}]}',
  '{"version":9,"at":2006500,"by":0,"events":[{"type":"ended","winner":2,"reason":"time","remainingMs":[0,310000]}]}',
];

/** Records of format 6: a game by invitation; the second record of one joined by its address. */
export const FORMAT_6 = [
  '{"version":1,"at":1000000,"by":1,"events":[{"type":"created","game":"checkers","stake":5,"limitMs":300000,"feeBps":740,"player":"player-ada","byInvitation":true}],"commandId":"command-1"}',
  '{"version":2,"at":1001000,"by":2,"events":[{"type":"joined","player":"player-bola"}],"commandId":"command-2"}',
];
export const FORMAT_6_JOINED =
  '{"version":2,"at":1001000,"by":2,"events":[{"type":"joined","player":"player-bola","pairing":"address"}],"commandId":"command-2"}';
