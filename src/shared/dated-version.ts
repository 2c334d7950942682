/** A dated version of a toolkit, `<YYYYMMDD>_<NN>`, as the whole string. */
export const DATED_VERSION = /^\d{8}_\d{2}$/;
