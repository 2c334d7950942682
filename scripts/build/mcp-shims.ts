// Takes the place of a part of @modelcontextprotocol/server in the bundle, see tsup.config.ts: its validators, which
// the emulator doesn't use. It checks arguments itself.
export class DefaultJsonSchemaValidator {
  constructor() {
    throw new Error("Pass a JSON Schema validator to the MCP library: the bundle contains none.");
  }
}
