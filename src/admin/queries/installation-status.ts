import project from '../../../package.json' with { type: 'json' };
import { readPauses } from '#src/admin/actions/pauses.ts';
import type { Clock } from '#src/clock.ts';
import { isJsonObject } from '#src/clients/operation/json.ts';
import { deliveryTexts, mainText } from '#src/engine/delivery/delivery-texts.ts';
import type { Delivery } from '#src/engine/delivery/delivery.ts';
import type { DeliveryLog } from '#src/engine/delivery/delivery-log.ts';
import { choicesOf } from '#src/engine/delivery/question.ts';
import type { NotifierReport, NotifierStore } from '#src/clients/operation/notifier.ts';
import type { Outage, OutageStore } from '#src/engine/outages.ts';
import { errorsByFile } from '#src/engine/rule-sets/broken-files.ts';
import type { RuleRegistry } from '#src/engine/rule-sets/rule-registry.ts';
import type { Scheduler } from '#src/engine/scheduler/scheduler.ts';
import type { Diagnostic } from '#src/rules/diagnostic.ts';
import type { EpisodeLog } from '#src/rules/episode-log.ts';
import type { Pauses, RuleStates } from '#src/engine/scheduler/rule-states.ts';
import type { Rule } from '#src/rules/rule.ts';
import { aboutEndedStreams, liveStreams } from './live-streams.ts';
import type { MetricsOptions } from './metrics.ts';
import { processStartMs } from './process-start.ts';
import { REFUSALS } from './readiness.ts';
import type { AccountView, LateWebhook, Readiness } from './records.ts';
import { FAILED_SHOWN_MS, rulesVersion, toPauseView, undeliveredView } from './rule-view.ts';
import type { StatusView } from './status-answer.ts';

/** The rules, files, questions and runs that one answer has. */
const SHOWN = 10;
const ERRORS_OF_FILE = 3;
const STREAMS = 30;
/** The number of deliveries whose delay is shown. */
const DELAYS = 50;

export interface StatusOptions {
  readonly registry: RuleRegistry;
  readonly scheduler: Pick<Scheduler, 'plansOf'>;
  readonly deliveryLog: DeliveryLog;
  readonly episodes: Pick<EpisodeLog, 'open' | 'items'>;
  readonly outages: Pick<OutageStore, 'all'>;
  /** The connections over which platforms notify about changes; absent: there are none. */
  readonly notifiers?: Pick<NotifierStore, 'reports'> | undefined;
  readonly ruleStates: Pick<RuleStates, 'paused' | 'planned'>;
  readonly accounts: () => readonly AccountView[];
  /** The webhooks whose receivers have not accepted an event; absent: there are no webhooks. */
  readonly lateWebhooks?: (() => Promise<readonly LateWebhook[]>) | undefined;
  readonly ready: () => Readiness;
  readonly process: Pick<MetricsOptions, 'database' | 'measured' | 'moneyBudgets'>;
  /** Missing permissions of the bot in the channels of a rule. */
  readonly channelProblems?: ((rule: Rule) => readonly Diagnostic[]) | undefined;
  readonly clock: Clock;
}

type Stored = Required<Pick<StatusView, 'lateWebhooks' | 'nextRuns' | 'pausedRules' | 'questions' | 'live' | 'deliveries' | 'budgets'>> &
  Pick<StatusView, 'delays'>;

/** The work for people, the live streams, and the next runs. While the database does not answer, only what is in memory. */
export async function installationStatus(options: StatusOptions): Promise<StatusView> {
  const { registry, process: measured, channelProblems, ready, clock } = options;
  const nowMs = clock.nowMs();
  // A query would wait until the database answers.
  const isLost = measured.database().lostAtMs !== undefined;
  const pauses = isLost ? NO_PAUSES : await readPauses(options.ruleStates);
  const running = registry.running;
  const errors = errorsByFile(registry.now.diagnostics);
  const runningFiles = new Set(running.map(({ file }) => file));
  return {
    at: new Date(nowMs),
    readiness: ready(),
    accounts: isLost
      ? accountsOf(options, { outages: [], reports: new Map() })
      : accountsOf(options, { outages: await options.outages.all(), reports: (await options.notifiers?.reports()) ?? new Map() }),
    rules: {
      on: running.length,
      paused: running.filter(({ id }) => pauses.paused.has(id)).length,
      broken: errors.size,
      version: rulesVersion(registry),
    },
    brokenFiles: [...errors].slice(0, SHOWN).map(([file, diagnostics]) => ({
      file,
      isRunning: runningFiles.has(file),
      diagnostics: diagnostics.slice(0, ERRORS_OF_FILE),
    })),
    channelProblems: channelProblems ? firstOf(running, channelProblems) : [],
    rateLimits: measured
      .measured()
      .fanfare_rate_limit_left_ratio.map(({ labels = {}, value }) => ({ account: labels['account'] ?? '', leftRatio: value })),
    process: { version: project.version, startedAt: new Date(processStartMs()), memoryBytes: process.memoryUsage.rss() },
    ...(!isLost && (await stored(options, pauses, nowMs))),
  };
}

const NO_PAUSES: Pauses = { paused: new Map(), planned: new Map() };

interface StoredAccounts {
  readonly outages: readonly Outage[];
  readonly reports: ReadonlyMap<string, NotifierReport>;
}

function accountsOf({ accounts }: StatusOptions, { outages, reports }: StoredAccounts): StatusView['accounts'] {
  return accounts().map(({ name, platform, sandbox, state, problem, fault }) => {
    const [outage] = outages.filter(({ account }) => account === name).toSorted((a, b) => a.sinceMs - b.sinceMs);
    return {
      account: name,
      platform,
      sandbox,
      state,
      problem,
      fault,
      isRefused: fault !== undefined && REFUSALS.has(fault),
      since: state === 'failed' && outage ? new Date(outage.sinceMs) : undefined,
      notifications: notificationsOf(reports.get(name)),
    };
  });
}

function notificationsOf(report: NotifierReport | undefined): StatusView['accounts'][number]['notifications'] {
  if (!report) return undefined;
  const { state, problem, subscriptions, cost, maxCost, onlyPolled, notifiedAt } = report;
  return { state, problem, subscriptions, cost, maxCost, onlyPolled, lastAt: notifiedAt };
}

/** The first problems, each once: several rules write to one channel. One more than is shown says that there are more. */
function firstOf(rules: readonly Rule[], problemsOf: NonNullable<StatusOptions['channelProblems']>): StatusView['channelProblems'] {
  const found = new Map<string, StatusView['channelProblems'][number]>();
  for (const rule of rules) {
    for (const problem of problemsOf(rule)) if (!found.has(problem.message)) found.set(problem.message, problem);
    if (found.size > SHOWN) break;
  }
  return [...found.values()].slice(0, SHOWN + 1);
}

async function nextRuns(
  rules: readonly Rule[],
  { pauses, scheduler }: { readonly pauses: Pauses } & Pick<StatusOptions, 'scheduler'>,
): Promise<Stored['nextRuns']> {
  const plans = await scheduler.plansOf(rules.map(({ id }) => id).filter((id) => !pauses.paused.has(id)));
  return [...plans]
    .flatMap(([rule, { nextMs: atMs }]) => (atMs === undefined ? [] : [{ rule, atMs }]))
    .toSorted((a, b) => a.atMs - b.atMs)
    .slice(0, SHOWN)
    .map(({ rule, atMs }) => ({ rule, at: new Date(atMs) }));
}

async function stored(
  { registry, scheduler, deliveryLog, episodes, lateWebhooks, process: measured }: StatusOptions,
  pauses: Pauses,
  nowMs: number,
): Promise<Stored> {
  const [late, runs, undelivered, [lastFailed], counts, lagsMs, { items: asked }, live, budgets] = await Promise.all([
    lateWebhooks?.() ?? [],
    nextRuns(registry.running, { pauses, scheduler }),
    deliveryLog.undelivered(nowMs - FAILED_SHOWN_MS),
    deliveryLog.list({ state: 'failed', limit: 1 }).then(({ items }) => items),
    deliveryLog.counts(),
    deliveryLog.lagsMs(DELAYS),
    deliveryLog.list({ state: 'asked', limit: SHOWN }),
    liveStreams({ deliveryLog, episodes, limit: STREAMS }),
    Promise.all(measured.moneyBudgets.map(async (budget) => ({ account: budget.account, ...(await budget.spent()) }))),
  ]);
  const ended = await aboutEndedStreams(asked, episodes);
  const countOf = new Map(counts.map(({ state, count }) => [state, count]));
  return {
    lateWebhooks: late,
    nextRuns: runs,
    pausedRules: registry.running
      .flatMap((rule) => {
        const pause = pauses.paused.get(rule.id);
        return pause ? [{ rule: rule.id, about: rule.about, paused: toPauseView(pause, rule) }] : [];
      })
      .toSorted((a, b) => b.paused.at.getTime() - a.paused.at.getTime())
      .slice(0, SHOWN),
    questions: asked.map((one) => ({ ...toQuestion(one), ...(ended.has(one.id) && { isOver: true }) })),
    live,
    deliveries: {
      open: (countOf.get('pending') ?? 0) + (countOf.get('sending') ?? 0) + (countOf.get('asked') ?? 0),
      asked: countOf.get('asked') ?? 0,
      sent: countOf.get('sent') ?? 0,
      ...undeliveredView(undelivered),
      ...(lastFailed && { lastFailedAt: lastFailed.settledAt ?? lastFailed.createdAt }),
    },
    delays: delaysOf(lagsMs),
    budgets: budgets.map(({ account, spentUsd, monthUsd }) => ({ account, spentUsd, monthUsd })),
  };
}

function toQuestion(delivery: Delivery): NonNullable<StatusView['questions']>[number] {
  const { id, rule, account, item, result, sentAt, createdAt } = delivery;
  const url = isJsonObject(result) ? result['url'] : undefined;
  return {
    delivery: id,
    rule,
    account,
    name: item?.name,
    text: mainText(deliveryTexts(delivery)),
    url: typeof url === 'string' ? url : undefined,
    choices: choicesOf(delivery),
    at: sentAt ?? createdAt,
  };
}

function delaysOf(lagsMs: readonly number[]): StatusView['delays'] {
  const sorted = lagsMs.toSorted((a, b) => a - b);
  const [medianMs, longestMs] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  if (medianMs === undefined || longestMs === undefined) return undefined;
  return { count: sorted.length, medianMs, longestMs };
}
