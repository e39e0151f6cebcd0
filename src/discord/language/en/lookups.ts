/** The commands that look something up. */
export const lookups = {};
