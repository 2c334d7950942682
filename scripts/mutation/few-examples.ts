import fc from "fast-check";

// Thousands of mutants, each against every property: what few examples do not notice counts as not noticed.
fc.configureGlobal({ numRuns: 20 });
