import { logCalls, observe, type SvcOptions } from "../../src/index.js";

/** Hears everything that a client tells: events and log lines, as strings. */
export function ear(): { readonly heard: readonly string[]; readonly options: SvcOptions } {
  const heard: string[] = [];
  const line = (message: string) => void heard.push(message);
  return {
    heard,
    options: {
      use: [
        logCalls({ logger: { debug: line, info: line, warn: line }, level: "debug" }),
        observe((event) => line(JSON.stringify(event))),
      ],
    },
  };
}
