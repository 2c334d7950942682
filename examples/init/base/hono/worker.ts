// The app, in Hono on Cloudflare Workers. Start it with: npm run dev
export { pages as default } from "./pages.ts";
