// The app, in plain Node. Start it with: npm run dev
import { createServer } from "node:http";
import { toNodeHandler } from "svc-sdk/webhooks/node";
import { appUrl, handle, port } from "./pages.ts";
import { receive } from "./receiver.ts";

const receiver = toNodeHandler(receive);

createServer((request, response) => {
  // The receiver reads the body itself: the signature is that of the raw bytes.
  if (request.url?.split("?", 1).join() === "/webhooks") receiver(request, response);
  else void handle(request, response);
}).listen(port, () => console.log(`Listening on ${appUrl}`));
