export { compileSchema } from "./compile.js";
export { type CompiledToolset, compileTools, compileToolset, reportTools, type ToolReport } from "./compile-toolset.js";
export type {
  CompiledSchema,
  CompiledTool,
  Note,
  NoteKind,
  Target,
  ToolToCompile,
} from "./types.js";
