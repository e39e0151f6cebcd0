import { z } from 'zod';
import { parseDuration } from '#src/clients/operation/duration.ts';

/** What a replay needs beside the rule. */
export const REPLAY_INPUT = {
  since: z
    .string()
    .max(20)
    .default('24h')
    .refine((text) => parseDuration(text) !== undefined, { error: 'write it as 7d, 12h or 1h30m' })
    .describe('How far to go back, such as 90m, 12h or 7d. Fanfare keeps recorded polls for eight days.'),
  source: z
    .string()
    .max(65_536)
    .optional()
    .describe('The text of the rule file with your changes. Its id is the same. Absent: the loaded rule.'),
};
