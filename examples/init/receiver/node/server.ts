// The app, in plain Node. Start it with: npm run dev
import { createServer } from "node:http";
import { toNodeHandler } from "svc-sdk/webhooks/node";
import { handle, listen } from "./pages.ts";
import { receive } from "./receiver.ts";

const receiver = toNodeHandler(receive);

const server = createServer((request, response) => {
  // The receiver reads the body itself: the signature is that of the raw bytes.
  if (request.url?.split("?", 1).join() === "/webhooks") receiver(request, response);
  else void handle(request, response);
});
listen(server);
