// Starts a local emulator of the service, and the app with its keys. No account needed: npm run dev
import { startApp } from "./emulate.ts";

startApp();
