/** The URL of a server on this machine that listens there. */
export function serverUrl({ address, family, port }: { address: string; family: string; port: number }): string {
  // Clients can't connect to a wildcard.
  const ip = address.replace(/^0\.0\.0\.0$/, "127.0.0.1").replace(/^::$/, "::1");
  return `http://${family === "IPv6" ? `[${ip}]` : ip}:${port}`;
}
