export type { CompiledForm } from "../tools/compiled-forms.js";
export { compileSchema } from "./compile.js";
export { type CompiledToolset, compileTools, compileToolset, reportTools, type ToolReport } from "./compile-toolset.js";
export type {
  CompiledSchema,
  CompiledTool,
  CompileInput,
  Note,
  NoteKind,
  Target,
} from "./compiled-tool.js";
