const token = document.querySelector<HTMLMetaElement>('meta[name="emulator-token"]')?.content ?? "";

/**
 * Calls the control plane.
 *
 * @throws {Error} with the emulator's reason.
 */
export async function call(method: "GET" | "POST" | "PUT" | "DELETE", path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(`/_emulator${path}`, {
    method,
    headers: { "x-emulator-token": token },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new Error("The emulator isn't reachable. Is it still running?");
  });
  const value: unknown = await response.json();
  if (response.ok) return value;
  const { message }: { message?: unknown } = Object(value);
  throw new Error(typeof message === "string" ? message : `The emulator responded with ${response.status}.`);
}
