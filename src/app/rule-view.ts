import { basename } from 'node:path';
import type { Problem } from '#src/rules/problem.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { Pause } from '#src/scheduler/rule-states.ts';
import type { Scheduler } from '#src/scheduler/scheduler.ts';
import type { Undelivered } from '#src/store/delivery-log.ts';
import type { Store } from '#src/store/store.ts';
import type { RuleView, UndeliveredView } from '#src/web/views.ts';
import type { ChannelChecks } from './channel-checks/channel-checks.ts';
import type { RuleBook } from './reload/rule-book.ts';
import { scheduleText } from './schedule-text.ts';
import { toDecisionView, toPauseView } from './view-records.ts';

export interface RuleViewOptions {
  readonly pause: Pause | undefined;
  /** Of all rules; absent if not requested. */
  readonly undelivered?: readonly Undelivered[] | undefined;
  readonly book: RuleBook;
  readonly scheduler: Pick<Scheduler, 'nextMs'>;
  readonly store: Pick<Store, 'decisions' | 'deliveryLog'>;
  /** What the bot may not do in the channels of rules. */
  readonly channels?: Pick<ChannelChecks, 'problemsOf'> | undefined;
}

/** A rule as the page and the commands show it. */
export async function ruleView(rule: Rule, { pause, undelivered, book, scheduler, store, channels }: RuleViewOptions): Promise<RuleView> {
  const [last] = (await store.decisions.list({ rule: rule.id, limit: 1 })).items;
  const firing = last?.details?.['firing'];
  const on = book.isOn(rule);
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
    lastUndelivered: typeof firing === 'string' ? await store.deliveryLog.undeliveredOf(firing) : undefined,
    undelivered: undelivered && undeliveredView(undelivered.filter((one) => one.rule === rule.id)),
    problems: [...book.now.problems.filter(({ file }) => file === rule.file), ...(on ? (channels?.problemsOf(rule) ?? []) : [])],
  };
}

/** The rule files of which no rule could be made. */
export function brokenViews({ now: { rules, problems } }: RuleBook): readonly RuleView[] {
  const out = Map.groupBy(problems, ({ file }) => file);
  for (const { file } of rules) out.delete(file);
  return [...out].map(fileOut);
}

function fileOut([file, problems]: readonly [string, readonly Problem[]]): RuleView {
  return { id: basename(file), file, enabled: true, on: false, problems };
}

/** The sum of what did not arrive. */
export function undeliveredView(all: readonly Undelivered[]): UndeliveredView {
  const sum = (wanted: Undelivered['state']): number => all.reduce((total, { state, count }) => total + (state === wanted ? count : 0), 0);
  return { failed: sum('failed'), unknown: sum('unknown') };
}
