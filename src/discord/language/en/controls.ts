/** The commands of those who run the rules. */
export const controls = {};
