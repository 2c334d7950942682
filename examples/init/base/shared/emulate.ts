// A local emulator of the service, and the app with its keys. For development only.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { startEmulator } from "svc-sdk/emulator/node";
import { modelVariables } from "./model.ts";

const PORT = process.env["PORT"] ?? "3000";
export const appUrl = `http://localhost:${PORT}`;
await checkPort();
export const emulator = await startEmulator();

/** Starts the app: the command that follows dev.ts. */
export function startApp(variables: Readonly<Record<string, string>> = {}): void {
  console.log(`The app:      ${appUrl}`);
  console.log(`Inspector: open ${emulator.url}`);
  const { baseUrl, apiKey } = emulator.connection;
  const [command = "", ...given] = process.argv.slice(2);
  const parameters = command === "wrangler" ? [...given, "--port", PORT] : given; // wrangler doesn't read PORT.
  const app = spawn(command, parameters, {
    env: {
      ...process.env,
      ...modelVariables,
      PORT,
      APP_URL: appUrl,
      SVC_BASE_URL: baseUrl,
      SVC_API_KEY: apiKey,
      ...variables,
    },
    stdio: ["ignore", "inherit", "inherit"],
    shell: process.platform === "win32", // The commands of packages need it there.
  });
  app.on("exit", (code) => process.exit(code ?? 1));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => app.kill(signal));
}

/** Ends here if the app couldn't listen, before anything says that it runs. */
async function checkPort(): Promise<void> {
  try {
    const server = createServer().listen(Number(PORT));
    await once(server, "listening");
    await once(server.close(), "close");
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}. Set PORT to a free port: README.md shows how.`);
    process.exit(1);
  }
}
