/** A dated version of a toolkit, `<YYYYMMDD>_<NN>`, and nothing else. Spec: Versioning. */
export const DATED_VERSION = /^\d{8}_\d{2}$/;
