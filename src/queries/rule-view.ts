import { basename } from 'node:path';
import type { Diagnostic } from '#src/rules/diagnostic.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { Pause } from '#src/scheduler/rule-states.ts';
import type { Scheduler } from '#src/scheduler/scheduler.ts';
import type { Decision } from '#src/rules/decision.ts';
import type { DecisionLog } from '#src/rules/decision-log.ts';
import type { DeliveryLog, Undelivered } from '#src/delivery/delivery-log.ts';
import type { DecisionView, PauseView, RuleView, UndeliveredView } from './records.ts';
import type { RuleRegistry } from '#src/registry/rule-registry.ts';
import { scheduleText } from '#src/rules/messages/schedule-text.ts';

export interface RuleViewOptions {
  readonly pause: Pause | undefined;
  /** Of all rules; absent if not requested. */
  readonly undelivered?: readonly Undelivered[] | undefined;
  readonly registry: RuleRegistry;
  readonly scheduler: Pick<Scheduler, 'nextMs'>;
  readonly decisions: Pick<DecisionLog, 'list'>;
  readonly deliveryLog: Pick<DeliveryLog, 'undeliveredOf'>;
  /** Missing permissions of the bot in the channels of the rule. */
  readonly channelProblems?: ((rule: Rule) => readonly Diagnostic[]) | undefined;
}

/** A rule as the page and the commands show it. */
export async function ruleView(
  rule: Rule,
  { pause, undelivered, registry, scheduler, decisions, deliveryLog, channelProblems }: RuleViewOptions,
): Promise<RuleView> {
  const [last] = (await decisions.list({ rule: rule.id, limit: 1 })).items;
  const firing = last?.details?.['firing'];
  const on = registry.isOn(rule);
  const nextMs = on ? scheduler.nextMs(rule.id) : undefined;
  return {
    id: rule.id,
    about: rule.about,
    file: rule.file,
    enabled: rule.enabled,
    on,
    paused: pause && toPauseView(pause),
    schedule: scheduleText(rule.schedule),
    nextRunAt: nextMs === undefined ? undefined : new Date(nextMs),
    lastDecision: last && toDecisionView(last),
    lastUndelivered: typeof firing === 'string' ? await deliveryLog.undeliveredOf(firing) : undefined,
    undelivered: undelivered && undeliveredView(undelivered.filter((one) => one.rule === rule.id)),
    problems: [...registry.now.diagnostics.filter(({ file }) => file === rule.file), ...(on ? (channelProblems?.(rule) ?? []) : [])],
  };
}

/** The files with errors that have no loaded rule. */
export function brokenViews({ now: { rules, diagnostics: problems } }: RuleRegistry): readonly RuleView[] {
  const out = Map.groupBy(problems, ({ file }) => file);
  for (const { file } of rules) out.delete(file);
  return [...out].map(fileOut);
}

function fileOut([file, problems]: readonly [string, readonly Diagnostic[]]): RuleView {
  return { id: basename(file), file, enabled: true, on: false, problems };
}

/** The numbers of failed and unknown deliveries. */
export function undeliveredView(all: readonly Undelivered[]): UndeliveredView {
  const sum = (wanted: Undelivered['state']): number => all.reduce((total, { state, count }) => total + (state === wanted ? count : 0), 0);
  return { failed: sum('failed'), unknown: sum('unknown') };
}

/** A decision as the page and the API show it. */
export function toDecisionView({ atMs, ...decision }: Decision): DecisionView {
  return { ...decision, at: new Date(atMs) };
}

/** The pause of a rule. A pause by an operator takes precedence over a blown fuse. */
function toPauseView({ person, blownMs = 0 }: Pause): PauseView {
  return person ? { at: new Date(person.atMs), by: person.by } : { at: new Date(blownMs) };
}
