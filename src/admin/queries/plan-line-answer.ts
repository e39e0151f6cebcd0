import { z } from 'zod';
import type { PlanLine } from '#src/engine/rule-sets/plan-lines.ts';

/** A change of a rule in an answer. Names of enumerations of clients are made from the kinds. */
export const PlanLineAnswer = z.object({
  kind: z.enum(['new', 'changed', 'deleted', 'problem']).describe('What changes. `problem`: an error or a warning.'),
  text: z.string().describe('The change.'),
  rule: z.string().optional().describe('The name of the rule; absent if it is about a file.'),
});

const KINDS = { '+': 'new', '~': 'changed', '-': 'deleted', '!': 'problem' } as const satisfies Readonly<
  Record<PlanLine['symbol'], string>
>;

/** A line of a plan as data. */
export function toPlanLineAnswer({ symbol, text, rule }: PlanLine): z.output<typeof PlanLineAnswer> {
  return { kind: KINDS[symbol], text, rule };
}
