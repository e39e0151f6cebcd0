import type { Scheduler } from '#src/engine/scheduler/scheduler.ts';

/** The instant at which a rule runs next; undefined if it never runs. */
export async function nextMsOf(scheduler: Pick<Scheduler, 'plansOf'>, rule: string): Promise<number | undefined> {
  const plans = await scheduler.plansOf([rule]);
  return plans.get(rule)?.nextMs;
}
