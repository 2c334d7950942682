export * from "./call-schema.js";
export * from "./config-schema.js";
export * from "./mount-schema.js";
export * from "./record-schema.js";
export * from "./search-schema.js";
