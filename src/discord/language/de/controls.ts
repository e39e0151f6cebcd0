import type { Words } from '../words.ts';

/** The commands of those who run the rules. */
export const controls: Words['controls'] = {};
