// The app, in plain Node. Start it with: npm run dev
import { createServer } from "node:http";
import { handle, listen } from "./pages.ts";

listen(createServer((request, response) => void handle(request, response)));
