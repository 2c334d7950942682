/** The organization of every project. */
export const ORGANIZATION = { id: "ok_emulator", name: "Emulator", plan: "hobby" } as const;

/** Email of the emulated developer. */
export const OWNER_EMAIL = "developer@example.com";
