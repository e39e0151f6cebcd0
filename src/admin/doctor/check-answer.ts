import { z } from 'zod';
import { reasonOf } from '#src/admin/queries/answers.ts';
import type { CheckReason } from './check-reason.ts';
import type { CheckResult } from './check-result.ts';

/** The result of one check of the installation. */
export const CheckAnswer = z
  .object({
    about: z.string().describe('The account or the part, for example `x` or `the clock`.'),
    state: z.enum(['good', 'warning', 'bad']).describe('`bad`: something does not work. `warning`: something may stop working.'),
    message: z.string().describe('The result.'),
    remedy: z.string().optional().describe('How to fix it.'),
    reason: reasonOf<CheckReason>('Both texts as data: its `kind` and its values; absent for texts of platforms and of the configuration.'),
  })
  .meta({ examples: [{ about: 'mastodon', state: 'good', message: 'signed in as @fanfare' }] });

export function toCheckAnswer({ about, state, what, remedy, reason }: CheckResult): z.output<typeof CheckAnswer> {
  return { about, state, message: what, remedy, reason };
}
