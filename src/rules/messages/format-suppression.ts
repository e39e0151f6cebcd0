import type { StoredSuppression, GateBlock, Suppression } from '#src/rules/reasons/reason.ts';
import { formatCount, formatDuration, formatMinute } from './format.ts';
import { formatFalsehood } from './format-falsehood.ts';

const HOUR_MS = 3_600_000;

/** The English message of a suppression. */
export function formatSuppression(suppression: StoredSuppression): string {
  return typeof suppression === 'string' ? suppression : sentence(suppression);
}

/** As `formatSuppression`, after its end: times left, and what to do about it, are over by then. */
export function formatPastSuppression(suppression: StoredSuppression): string {
  if (typeof suppression === 'string') return suppression;
  switch (suppression.kind) {
    case 'paused':
      return `${suppression.by} had paused the rule`;
    case 'muted':
      return `${suppression.by} had muted it`;
    case 'fuseBlown':
    case 'fuseLimitReached':
      return `the rule was paused automatically: ${fuseText(suppression)}`;
    case 'cooldown': {
      const who = suppression.per === 'rule' ? 'the rule had fired' : 'it had been announced';
      return `cooldown: ${who} ${suppression.agoMs === 0 ? 'in the same poll' : `${formatDuration(suppression.agoMs)} before`}`;
    }
    case 'quietHours':
      return `quiet: from ${formatMinute(suppression.fromMinute)} to ${formatMinute(suppression.toMinute)} in ${suppression.timezone}`;
    case 'limitReached':
      return `limit: at most ${formatCount(suppression.limit, 'announcement')} in ${formatDuration(suppression.perMs)}`;
    default:
      return sentence(suppression);
  }
}

/** Why a firing is blocked, after its change. */
export function formatBlock({ kind, by }: GateBlock): string {
  return kind === 'deferred' ? `; deferred: ${formatSuppression(by)}` : `, not announced: ${formatSuppression(by)}`;
}

function sentence(suppression: Suppression): string {
  switch (suppression.kind) {
    case 'paused':
      return `${suppression.by} paused the rule ${formatDuration(suppression.agoMs)} ago; resume it to announce again`;
    case 'muted':
      return `${suppression.by} muted it ${formatDuration(suppression.agoMs)} ago, until it ends`;
    case 'if':
      return `if: ${formatFalsehood(suppression.condition)}`;
    case 'keepFailed':
      return `keep: ${suppression.name} cannot be computed: ${suppression.error}`;
    case 'fuseBlown':
      return `paused automatically ${formatDuration(suppression.agoMs)} ago: ${fuseText(suppression)}; resume the rule to announce again`;
    case 'fuseLimitReached':
      return `paused automatically: ${fuseText(suppression)}; resume the rule to announce again`;
    case 'cooldown': {
      const who = suppression.per === 'rule' ? 'the rule last fired' : 'last announced';
      const ago = suppression.agoMs === 0 ? 'in this poll' : `${formatDuration(suppression.agoMs)} ago`;
      return `cooldown: ${who} ${ago}, ${formatDuration(suppression.leftMs)} left`;
    }
    case 'quietHours':
    case 'limitReached':
      return `${formatPastSuppression(suppression)}, ${formatDuration(suppression.leftMs)} left`;
    case 'modeSingle':
      return 'mode single: an earlier firing is being delivered';
    case 'queueFull':
      return `mode queued: ${formatCount(suppression.waiting, 'firing already waits', 'firings already wait')}, the limit is ${suppression.limit}: check the targets`;
    case 'parallelFull':
      return `mode parallel: ${formatCount(suppression.firings, 'firing is being delivered', 'firings are being delivered')}, the limit is ${suppression.limit}: check the targets`;
    case 'alreadyInList':
      return 'it was already in the list';
    case 'notInChanges':
      return 'changes does not contain entered';
    case 'deferredToQuietSteps':
      return 'only the steps of quiet announce it';
    case 'endedInQuietHours':
      return 'it ended in quiet hours';
    case 'deferredToLimitSteps':
      return 'only the steps of limit announce it';
    case 'endedAtLimit':
      return 'it ended before limit allowed a further announcement';
    case 'olderThanMaxAge':
      return `it is ${formatDuration(suppression.ageMs)} old, more than maxAge (${formatDuration(suppression.maxAgeMs)})`;
    case 'beganDuringGap': {
      const { agoMs, maxAgeMs, gapMs } = suppression;
      return `it began ${formatDuration(agoMs)} ago, more than maxAge (${formatDuration(maxAgeMs)}), and Fanfare read nothing for ${formatDuration(gapMs)}`;
    }
  }
}

/** The limit of firings that paused a rule, for example `more than 30 announcements in 1h`. */
export function fuseText({ limit, perMs }: { readonly limit?: number | undefined; readonly perMs?: number | undefined }): string {
  if (limit === undefined || perMs === undefined) return 'too many announcements in a short time';
  return `more than ${formatCount(limit, 'announcement')} in ${perMs === HOUR_MS ? 'an hour' : formatDuration(perMs)}`;
}
