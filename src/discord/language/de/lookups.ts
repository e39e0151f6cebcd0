import type { Words } from '../words.ts';

/** The commands that look something up. */
export const lookups: Words['lookups'] = {};
