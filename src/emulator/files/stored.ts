/** A file that tools take or give. */
export interface StoredFile {
  key: string;
  projectId: string;
  toolkit: string;
  tool: string;
  filename: string;
  mimetype: string;
  /** Hexadecimal; `undefined` for what a tool gave, which no list shows. */
  md5?: string;
  /** `undefined` until the bytes arrived. */
  base64?: string;
  /** When the bytes arrived: milliseconds since 1970. They are kept for a day. */
  storedAt?: number;
}

/** What a signed address allows. */
export interface StoredAddress {
  /** Names the place: a file's key, or a mount's file. */
  place: { kind: "file"; key: string } | { kind: "mount"; sessionId: string; mountId: string; path: string };
  method: "GET" | "PUT";
  /** Media type the bytes must be sent with. */
  mimetype?: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}
