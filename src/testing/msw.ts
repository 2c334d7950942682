import { type HttpHandler, HttpResponse, http } from "msw";
import type { Emulator } from "../emulator/index.js";
import * as option from "../errors/option-rules.js";
import { ConfigError } from "../webhooks/index.js";

/**
 * Creates MSW handlers that respond with an emulator: for `setupServer`, `setupWorker` or `use`. Client and emulator
 * then share only HTTP.
 *
 * ```ts
 * const emulator = createEmulator();
 * const server = setupServer(...mswHandlers(emulator, "https://api.example.com"));
 * ```
 *
 * Injected faults that break connections break them here as well.
 *
 * @param baseUrl the client's `baseUrl`, without a path. Defaults to that of `emulator.connection`.
 * @throws {ConfigError} without an emulator, and if the URL is invalid or has a path.
 */
export function mswHandlers(
  emulator: Pick<Emulator, "fetch"> & { readonly connection: { readonly baseUrl: string } },
  baseUrl?: string,
): HttpHandler[] {
  option.check("mswHandlers", "the emulator", emulator, option.withMethods(["fetch"], "createEmulator(), or "));
  const url = baseUrl ?? emulator.connection.baseUrl;
  if (!URL.canParse(url) || new URL(url).pathname !== "/") {
    throw new ConfigError(
      `mswHandlers: ${JSON.stringify(url)} isn't a URL without a path. Pass one like https://api.example.com.`,
    );
  }
  return [
    http.all(`${new URL(url).origin}/*`, async ({ request }) => {
      try {
        return await emulator.fetch(request);
      } catch (error) {
        // fetch rejects with a TypeError if a connection breaks, and with the signal's reason if the caller gave up.
        // MSW would turn the first into a 500 response, and print both as errors of the handler.
        if (error instanceof TypeError || request.signal.aborted) return HttpResponse.error();
        throw error;
      }
    }),
  ];
}
