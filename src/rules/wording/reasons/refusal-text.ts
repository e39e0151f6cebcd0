import type { KeptSilence } from '../../reasons/reason.ts';
import type { Hindrance, Silence } from '../../reasons/refusal.ts';
import { durationText } from '../duration-text.ts';
import { count } from '../numbers.ts';
import { falsehoodText } from './falsehood-text.ts';

/** Why something is not said. */
export function silenceText(silence: KeptSilence): string {
  return typeof silence === 'string' ? silence : sentence(silence);
}

/** Why a firing is kept back, behind what it would have said. */
export function hindranceText({ kind, by }: Hindrance): string {
  return kind === 'held' ? `; held: ${silenceText(by)}` : `, not announced: ${silenceText(by)}`;
}

function sentence(silence: Silence): string {
  switch (silence.kind) {
    case 'paused':
      return `${silence.by} paused the rule ${durationText(silence.agoMs)} ago; it says nothing until it is resumed`;
    case 'if':
      return `if: ${falsehoodText(silence.because)}`;
    case 'fuseBlown':
      return `fuse: it blew ${durationText(silence.agoMs)} ago; the rule is paused until it is resumed`;
    case 'fuseBlows':
      return `fuse: ${count(silence.firings, 'firing')} in ${durationText(silence.perMs)}, no more than ${silence.most} are allowed; the rule is paused until it is resumed`;
    case 'cooldown': {
      const who = silence.per === 'rule' ? 'the rule last fired' : 'last announced';
      const ago = silence.agoMs === 0 ? 'in this poll' : `${durationText(silence.agoMs)} ago`;
      return `cooldown: ${who} ${ago}, ${durationText(silence.leftMs)} left`;
    }
    case 'quietHours':
      return `quiet: from ${clockText(silence.fromMinute)} to ${clockText(silence.toMinute)} in ${silence.timezone}, ${durationText(silence.leftMs)} left`;
    case 'single':
      return 'mode single: an earlier firing is being delivered';
    case 'queueFull':
      return `mode queued: ${count(silence.waiting, 'firing')} wait already, at most ${silence.most} may: is a target in trouble?`;
    case 'parallelFull':
      return `mode parallel: ${count(silence.firings, 'firing')} are being delivered, at most ${silence.most} may be: is a target in trouble?`;
    case 'thereAlready':
      return 'it was there already';
    case 'unasked':
      return 'the rule does not speak of who enters';
    case 'collected':
      return 'the steps of quiet tell of it when the quiet hours end';
    case 'endedInQuiet':
      return 'it ended in quiet hours';
    case 'old':
      return `it is ${durationText(silence.ageMs)} old, more than maxAge (${durationText(silence.maxAgeMs)})`;
    case 'begunUnread': {
      const { agoMs, maxAgeMs, unreadMs } = silence;
      return `it began ${durationText(agoMs)} ago, more than maxAge (${durationText(maxAgeMs)}), and nothing was read for ${durationText(unreadMs)}`;
    }
  }
}

function clockText(minute: number): string {
  const [hours, minutes] = [Math.floor(minute / 60), minute % 60];
  return `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
}
