import { readJson } from "../../shared/json.js";

/** A time of day with milliseconds, as the emulator's clock has it (UTC). */
export function timeOf(iso: string): string {
  return iso.slice(11, 23);
}

/** A date and time without milliseconds, in UTC. */
export function dateOf(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}`;
}

export function duration(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  return ms < 60_000 ? `${(ms / 1_000).toFixed(2)} s` : `${clockOf(ms)} min`;
}

/** Minutes and seconds, such as 4:05. */
export function clockOf(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

export function size(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

export function count(value: number): string {
  return value.toLocaleString("en-US");
}

/** JSON with indentation; anything else as it is. */
export function pretty(text: string): string {
  try {
    return JSON.stringify(readJson(text), null, 2);
  } catch {
    return text;
  }
}

/** The reason of an execution whose tool failed: `successful` is false in a response of 200. */
export function toolFailureIn(body = ""): string | undefined {
  // Most bodies needn't be parsed.
  if (!/"successful":\s*false/.test(body)) return undefined;
  try {
    const { successful, error }: { successful?: unknown; error?: unknown } = Object(JSON.parse(body));
    return successful === false ? String(error ?? "no reason") : undefined;
  } catch {
    // A long body is kept in part.
    return "the reason isn't kept";
  }
}
