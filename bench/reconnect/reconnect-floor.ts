/**
 * The floor: a bare `ws` server that looks up each session and sends the same bytes. It keeps no
 * games, limits nothing and measures nothing.
 */
import { createServer } from "node:http";
import process from "node:process";
import pg from "pg";
import { WebSocketServer } from "ws";
import { makeSessionCookies } from "../../apps/server/src/accounts/sessions/session-cookie.ts";

const { PORT, DATABASE_URL, AUTH_SECRET = "", HELLO = "", TABLE = "" } = process.env;
const cookies = makeSessionCookies(AUTH_SECRET, true);
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 16 });
const server = createServer();
const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });

server.on("upgrade", async (request, stream, head) => {
  const token = cookies.readToken(request.headers.cookie);
  const { rows } = await pool.query({
    name: "session",
    text: "select player_id, expires_at from sessions where token = $1",
    values: [token],
  });
  if (rows.length === 0 || stream.destroyed) return stream.destroy();
  sockets.handleUpgrade(request, stream, head, (socket) => {
    socket.on("error", () => undefined);
    socket.on("message", () => socket.send(TABLE));
    socket.send(HELLO);
  });
});
server.listen(Number(PORT), "127.0.0.1", 10_000, () => process.stdout.write("the floor is open\n"));
process.once("disconnect", () => process.exit());
