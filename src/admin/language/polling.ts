import type { Polling } from '#src/admin/queries/polling.ts';
import { formatCount, formatDuration, formatNumber } from '#src/rules/messages/format.ts';

type Account = Polling['accounts'][number];
type Waiting = Omit<NonNullable<Polling['waiting']>, 'since'>;

/** The facts in the texts; the API sends times as text. */
type PollingFacts = Omit<Polling, 'waiting'> & { readonly waiting?: Waiting | undefined };

/** The sentences about the polls of a rule in one language. */
export interface PollingTexts {
  readonly notified: Readonly<Record<'all' | 'none' | 'hints' | 'unknown', string>>;
  /** Some names of an account have no notifications. */
  readonly someNotified: (account: string, notified: number, names: number) => string;
  /** The platform of one of several accounts does not notify. */
  readonly notNotified: (account: string) => string;
  readonly problem: (account: string, problem: string) => string;
  readonly polls: (polling: PollingFacts) => string;
  readonly delay: (polling: PollingFacts & { readonly longestDelayMs: number }) => string;
  readonly cost: (account: Account) => string;
  readonly waiting: (waiting: Waiting) => string;
}

/** How a rule learns of changes, how late and at which cost, one sentence or two in each line. Problems of platforms are untrusted text. */
export function pollingLines(polling: PollingFacts, texts: PollingTexts): readonly string[] {
  const { notifications, accounts, longestDelayMs, waiting } = polling;
  return [
    ...(notifications === 'some' ? someNotified(accounts, texts) : [texts.notified[notifications]]),
    ...accounts.flatMap(({ account, problem }) => (problem === undefined ? [] : [texts.problem(account, problem)])),
    texts.polls(polling),
    ...(longestDelayMs === undefined ? [] : [texts.delay({ ...polling, longestDelayMs })]),
    ...accounts.map(texts.cost),
    ...(waiting ? [texts.waiting(waiting)] : []),
  ];
}

function someNotified(accounts: readonly Account[], texts: PollingTexts): readonly string[] {
  return accounts.map(({ account, notified = 0, names }) =>
    names === undefined ? texts.notNotified(account) : texts.someNotified(account, notified, names),
  );
}

/**
 * A number an hour with one decimal below ten. A small number is not shown as 0, which would say that nothing is requested. Without `lessThan`, it
 * is rounded up, as after "up to".
 */
export function formatRate(value: number, format: (value: number) => string, lessThan = ''): string {
  if (value > 0 && value < 0.05) return `${lessThan} ${format(0.1)}`.trimStart();
  return format(value < 10 ? Math.round(value * 10) / 10 : Math.round(value));
}

/** An amount after "at most". */
export const PRICE_FORMAT = { style: 'currency', currency: 'USD', roundingMode: 'ceil' } as const;
const PRICE = new Intl.NumberFormat('en-US', PRICE_FORMAT);

/** The sentences in English. */
export const POLLING: PollingTexts = {
  notified: {
    all: 'The platform notifies Fanfare about changes, which are then polled at once.',
    none: 'The platform does not notify Fanfare, so changes are found by polls.',
    hints: 'Discord notifies Fanfare about changes, which are then polled at once.',
    unknown:
      'No running Fanfare answered at HOST and PORT without authentication. The page of the rule shows the notifications of a running one.',
  },
  someNotified: (account, notified, names) =>
    `Notifications through ${account} cover ${notified} of ${formatCount(names, 'name')}. The other ones are only polled.`,
  notNotified: (account) => `No notifications come through ${account}, so its changes are found by polls.`,
  problem: (account, problem) => `${account}: ${problem}`,
  polls({ everyMs = 0, pollsEveryMs = everyMs, restsEveryMs = 0, why }) {
    const every = formatDuration(pollsEveryMs);
    switch (why) {
      case 'calendar':
        return 'The rule polls at the times of its schedule only.';
      case 'rest':
        return `The rule polls every ${every} instead of every ${formatDuration(everyMs)}, because nothing changes without a notification.`;
      case 'waits':
        return `The rule polls every ${every}, because its list has just changed or something waits. Later, it polls every ${formatDuration(restsEveryMs)}.`;
      case 'fields':
        return `The rule polls every ${every}, because it needs values that no notification reports. While its list is empty, it polls every ${formatDuration(restsEveryMs)}.`;
      case 'budget':
        return `The rule polls about every ${every} instead of every ${formatDuration(everyMs)}, because the rate limit of its account allows no more.`;
      case 'within':
        return `The rule polls every ${every}, because of its key within.`;
      case 'every':
        return `The rule polls every ${every}, as its key every says.`;
    }
  },
  delay({ longestDelayMs, waitsMs, notifications }) {
    const lost = notifications === 'all' || notifications === 'some' || notifications === 'hints' ? ', even if notifications are lost' : '';
    const waits = waitsMs === 0 ? '' : ` Of this time, settle or confirm takes ${formatDuration(waitsMs)}.`;
    return `A change is announced after ${formatDuration(longestDelayMs)} at the latest${lost}.${waits}`;
  },
  cost({ account, unit, requestsPerHour, allPerHour, allowedPerHour, monthUsd }) {
    const taken = perHour(requestsPerHour);
    const share = `Its polls take ${taken} ${UNITS[unit][taken === '1' ? 0 : 1]} an hour through ${account}.`;
    const allowed = allowedPerHour === undefined ? '' : ` of ${perHour(allowedPerHour)} for polls`;
    const price = monthUsd === undefined ? '' : ` They cost at most ${PRICE.format(monthUsd)} a month.`;
    return `${share} All rules together need up to ${formatRate(allPerHour, formatNumber)}${allowed}.${price}`;
  },
  waiting({ account, waitedMs, moreMs, before, beforeCount }) {
    const first =
      beforeCount === 0
        ? ''
        : ` Rules of a higher priority go first: ${before.join(', ')}${beforeCount > before.length ? ` and ${beforeCount - before.length} more` : ''}.`;
    return `Its poll has waited for the rate limit of ${account} for ${seconds(waitedMs)}, and waits for about ${seconds(moreMs)} more.${first}`;
  },
};

const UNITS = { requests: ['request', 'requests'], points: ['point', 'points'] } as const;

function perHour(value: number): string {
  return formatRate(value, formatNumber, 'less than');
}

function seconds(ms: number): string {
  return formatDuration(Math.max(1_000, Math.round(ms / 1_000) * 1_000));
}
