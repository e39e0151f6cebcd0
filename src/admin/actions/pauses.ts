import type { Json } from '#src/clients/operation/json.ts';
import type { Pauses, RuleStates } from '#src/engine/scheduler/rule-states.ts';

/** The pauses in force, and the planned pauses. */
export async function readPauses(ruleStates: Pick<RuleStates, 'paused' | 'planned'>): Promise<Pauses> {
  return { paused: await ruleStates.paused(), planned: await ruleStates.planned() };
}

/** The pauses of a rule, as the log of actions keeps them; null: it is not paused, and no pause is planned. */
export function pauseState({ paused, planned }: Pauses, rule: string): Json {
  const { person, blownMs } = paused.get(rule) ?? {};
  const later = planned.get(rule) ?? [];
  if (!person && blownMs === undefined && later.length === 0) return null;
  return {
    ...(person && { by: person.by, at: instant(person.atMs) }),
    ...(person?.untilMs !== undefined && { until: instant(person.untilMs) }),
    ...(blownMs !== undefined && { fuseBlownAt: instant(blownMs) }),
    ...(later.length > 0 && {
      planned: later.map(({ by, fromMs, untilMs }) => ({
        by,
        from: instant(fromMs),
        ...(untilMs !== undefined && { until: instant(untilMs) }),
      })),
    }),
  };
}

function instant(ms: number): string {
  return new Date(ms).toISOString();
}
