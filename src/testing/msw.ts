import { type HttpHandler, HttpResponse, http } from "msw";
import type { Emulator } from "../emulator/index.js";
import { ConfigError } from "../webhooks/index.js";

/**
 * Handlers that let MSW answer with an emulator: for `setupServer`, `setupWorker` or `use`. Client and emulator then share
 * nothing but HTTP.
 *
 * ```ts
 * const emulator = createEmulator();
 * const server = setupServer(...mswHandlers(emulator, "https://api.example.com"));
 * ```
 *
 * Injected faults that break connections are broken connections here as well.
 *
 * @param baseUrl the client's `baseUrl`, without a path. Left out, that of `emulator.connection`.
 * @throws {ConfigError} for an address that is none, or has a path.
 */
export function mswHandlers(
  emulator: Pick<Emulator, "fetch"> & { readonly connection: { readonly baseUrl: string } },
  baseUrl: string = emulator.connection.baseUrl,
): HttpHandler[] {
  if (!URL.canParse(baseUrl) || new URL(baseUrl).pathname !== "/") {
    throw new ConfigError(
      `mswHandlers takes an address without a path, such as https://api.example.com, not ${JSON.stringify(baseUrl)}.`,
    );
  }
  return [
    http.all(`${new URL(baseUrl).origin}/*`, async ({ request }) => {
      try {
        return await emulator.fetch(request);
      } catch (error) {
        // What a fetch rejects with when a connection breaks. MSW would make an answer with status 500 of it.
        if (error instanceof TypeError) return HttpResponse.error();
        throw error;
      }
    }),
  ];
}
