import type { StoredSuppression, GateBlock, Suppression } from '../reasons/reason.ts';
import { formatDuration, formatCount } from './format.ts';
import { formatFalsehood } from './format-falsehood.ts';

/** The English message of a suppression. */
export function formatSuppression(suppression: StoredSuppression): string {
  return typeof suppression === 'string' ? suppression : sentence(suppression);
}

/** Why a firing is blocked, after its change. */
export function formatBlock({ kind, by }: GateBlock): string {
  return kind === 'held' ? `; held: ${formatSuppression(by)}` : `, not announced: ${formatSuppression(by)}`;
}

function sentence(suppression: Suppression): string {
  switch (suppression.kind) {
    case 'paused':
      return `${suppression.by} paused the rule ${formatDuration(suppression.agoMs)} ago; resume it to announce again`;
    case 'if':
      return `if: ${formatFalsehood(suppression.because)}`;
    case 'fuseBlown':
      return `fuse: it blew ${formatDuration(suppression.agoMs)} ago; the rule is paused until you resume it`;
    case 'fuseBlows':
      return `fuse: ${formatCount(suppression.firings, 'firing')} in ${formatDuration(suppression.perMs)}, the limit is ${suppression.most}; the rule is paused until you resume it`;
    case 'cooldown': {
      const who = suppression.per === 'rule' ? 'the rule last fired' : 'last announced';
      const ago = suppression.agoMs === 0 ? 'in this poll' : `${formatDuration(suppression.agoMs)} ago`;
      return `cooldown: ${who} ${ago}, ${formatDuration(suppression.leftMs)} left`;
    }
    case 'quietHours':
      return `quiet: from ${clockText(suppression.fromMinute)} to ${clockText(suppression.toMinute)} in ${suppression.timezone}, ${formatDuration(suppression.leftMs)} left`;
    case 'single':
      return 'mode single: an earlier firing is being delivered';
    case 'queueFull':
      return `mode queued: ${formatCount(suppression.waiting, 'firing')} already wait, the limit is ${suppression.most}: check the targets`;
    case 'parallelFull':
      return `mode parallel: ${formatCount(suppression.firings, 'firing')} are being delivered, the limit is ${suppression.most}: check the targets`;
    case 'thereAlready':
      return 'it was already in the list';
    case 'unasked':
      return 'changes does not contain entered';
    case 'collected':
      return 'the steps of quiet announce it after the quiet hours';
    case 'endedInQuiet':
      return 'it ended in quiet hours';
    case 'old':
      return `it is ${formatDuration(suppression.ageMs)} old, more than maxAge (${formatDuration(suppression.maxAgeMs)})`;
    case 'begunUnread': {
      const { agoMs, maxAgeMs, unreadMs } = suppression;
      return `it began ${formatDuration(agoMs)} ago, more than maxAge (${formatDuration(maxAgeMs)}), and Fanfare read nothing for ${formatDuration(unreadMs)}`;
    }
  }
}

function clockText(minute: number): string {
  const [hours, minutes] = [Math.floor(minute / 60), minute % 60];
  return `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
}
