export { compileSchema } from "./compile.js";
export { compileTools } from "./compile-tools.js";
export { type CompiledToolset, compileToolset, reportTools, type ToolReport } from "./compile-toolset.js";
export type {
  CompiledSchema,
  CompiledTool,
  CompileOptions,
  Note,
  NoteKind,
  Target,
  ToolToCompile,
} from "./types.js";
