import type { Firing } from '#src/rules/firing.ts';
import type { Prepared } from './prepare.ts';
import { draftPrepared, type DraftContext } from './draft.ts';

/**
 * Whether a firing of `while` would send nothing if it was committed now: each of its steps is what was sent last, or is not done.
 *
 * A firing that waits for something is not idle: what it sends is not known yet.
 */
export async function isIdle(firing: Firing, context: DraftContext): Promise<boolean> {
  if (firing.section !== 'while' || firing.evenIfUnchanged) return false;
  const steps = await context.deliveries.project(firing);
  if (!steps) return false;
  for (const step of steps) if (!(await sendsNothing(step, context))) return false;
  return true;
}

async function sendsNothing(prepared: Prepared, context: DraftContext): Promise<boolean> {
  const { delivery } = prepared.due;
  const drafted = await draftPrepared(delivery, prepared, context);
  if (!('instead' in drafted) || drafted.instead.state !== 'skipped') return false;
  for (const part of drafted.parts ?? []) {
    if (!('element' in part)) return false;
    const due = { ...prepared.due, delivery: { ...delivery, element: part.element.key }, element: part.element };
    if (!(await sendsNothing({ ...prepared, due }, context))) return false;
  }
  return true;
}
