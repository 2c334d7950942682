// The app, in plain Node. Start it with: npm run dev
import { createServer } from "node:http";
import { appUrl, handle, port } from "./pages.ts";

createServer((request, response) => void handle(request, response)).listen(port, () => {
  console.log(`Listening on ${appUrl}`);
});
