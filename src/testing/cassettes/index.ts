export { type RecordOptions, recordFetch } from "./record.js";
export { type ReplayOptions, replayFetch } from "./replay.js";
export { cassetteSeed } from "./seed.js";
