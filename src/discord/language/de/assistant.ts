import type { Words } from '../words.ts';

/** What has to do with the assistant. */
export const assistant: Words['assistant'] = {};
