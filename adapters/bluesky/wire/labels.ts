import { z } from 'zod';
import { listOf } from './parts.ts';

const SENSITIVE = new Set(['porn', 'sexual', 'nudity', 'sexual-figurative', 'graphic-media', 'gore', 'nsfl', 'corpse', 'self-harm']);

/** What is said of a post or a person by labels. */
export const Labels = listOf(z.looseObject({ val: z.string().catch(''), neg: z.boolean().nullish().catch(undefined) })).catch([]);

/** Whether media are not for everybody; undefined where no label says so. */
export function isSensitive(labels: z.output<typeof Labels>): true | undefined {
  const taken = new Set(labels.filter(({ neg }) => neg === true).map(({ val }) => val));
  return labels.some(({ val }) => SENSITIVE.has(val) && !taken.has(val)) || undefined;
}
