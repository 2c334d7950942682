// A service on loopback, in a separate process. It answers everything alike: what it is told to, until it is told
// otherwise.
import { once } from "node:events";
import { createServer } from "node:http";
import { answerTo, HEADERS } from "./wire.mjs";

let body;
const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => response.writeHead(200, { ...HEADERS, "content-length": body.length }).end(body));
});
// A contender whose turn comes round again finds its connections as it left them.
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1");
await once(server, "listening");

process.on("message", ({ wire, row }) => {
  body = answerTo(wire, row);
  process.send("serving");
});
process.on("disconnect", () => process.exit());
process.send({ baseUrl: `http://127.0.0.1:${server.address().port}` });
