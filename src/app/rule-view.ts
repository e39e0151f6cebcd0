import { basename } from 'node:path';
import type { Problem } from '#src/rules/problem.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { Pause } from '#src/scheduler/rule-states.ts';
import type { Scheduler } from '#src/scheduler/scheduler.ts';
import type { Store } from '#src/store/store.ts';
import type { RuleView } from '#src/web/views.ts';
import type { ChannelChecks } from './channel-checks/channel-checks.ts';
import type { RuleBook } from './reload/rule-book.ts';
import { scheduleText } from './schedule-text.ts';
import { toDecisionView, toPauseView } from './view-records.ts';

export interface RuleViewOptions {
  readonly book: RuleBook;
  readonly scheduler: Pick<Scheduler, 'nextMs'>;
  readonly store: Pick<Store, 'decisions'>;
  /** What the bot may not do in the channels of rules. */
  readonly channels?: Pick<ChannelChecks, 'problemsOf'> | undefined;
}

/** A rule as the page and the commands show it. */
export async function ruleView(
  rule: Rule,
  pause: Pause | undefined,
  { book, scheduler, store, channels }: RuleViewOptions,
): Promise<RuleView> {
  const [last] = (await store.decisions.list({ rule: rule.id, limit: 1 })).items;
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
