import type { Words } from '../words.ts';

/** What has to do with posting. */
export const posting: Words['posting'] = {};
