import type { Item } from '#src/rules/poll.ts';
import { fc } from '../../../support/property.ts';
import { randomRule } from '../../testing/random-rules.ts';
import { rulesIn, START_MS, type StageOptions } from './replay-fixture.ts';
import type { Rule } from '#src/rules/rule.ts';

export const FOR_MS = 11 * 60_000;

const stream = fc.record({
  handle: fc.constantFrom('ada', 'grace', 'linus'),
  title: fc.constantFrom('One', 'Two'),
  viewerCount: fc.constantFrom(40, 60, 80),
  language: fc.constantFrom('en', 'de'),
});

/** The streams of each period. */
export const worlds = fc.array(fc.uniqueArray(stream, { selector: ({ handle }) => handle, maxLength: 3 }), { minLength: 3, maxLength: 24 });

export type World = typeof worlds extends fc.Arbitrary<infer T> ? T : never;

/** The streams of a world with periods of this length, which begin at full minutes. After the last period, the world begins again. */
export function seenIn(world: World, periodMs: number): StageOptions['seen'] {
  return (_query, afterMs) => {
    const period = Math.floor((START_MS % 60_000) + afterMs) / periodMs;
    return (world[Math.floor(period) % world.length] ?? []).map(toItem);
  };
}

/** The faults of the polls of each period; most polls succeed. */
export const pollFaults = fc.array(fc.constantFrom(undefined, undefined, undefined, undefined, 'whole', 'name', 'end'), {
  minLength: 1,
  maxLength: 40,
});

type PollFaults = typeof pollFaults extends fc.Arbitrary<infer T> ? T : never;

/** The faults of polls with periods of this length. After the last period, they begin again. */
export function faultsIn(faults: PollFaults, periodMs: number): NonNullable<StageOptions['pollFault']> {
  return (_query, afterMs) => faults[Math.floor(((START_MS % 60_000) + afterMs) / periodMs) % faults.length];
}

const afterMs = fc.nat(FOR_MS / 1_000).map((seconds) => seconds * 1_000);
const forMs = fc.constantFrom(5_000, 45_000, 150_000, 300_000);

/** Stops of the program. */
export const stops = fc.array(fc.record({ kind: fc.constant('down'), afterMs, forMs }), { maxLength: 2 });

/** Stops of the program that end some minutes before the history, so that the messages that they delay are sent in it. */
export const earlyStops = stops.map((some) => some.map((stop) => ({ ...stop, afterMs: stop.afterMs / 8 })));

/** Acts of people. */
export const acts = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('pause'), afterMs, forMs }),
    fc.record({ kind: fc.constant('mute'), afterMs, key: fc.constantFrom('ada', 'grace', 'linus') }),
  ),
  { minLength: 1, maxLength: 3 },
);

function toItem({ handle, ...more }: World[number][number]): Item {
  return { id: handle, owner: { id: handle, handle, displayName: handle }, startedAt: new Date(START_MS).toISOString(), ...more };
}

/** Waits that end together with a slot would depend on the time that a platform takes. */
const WAITS = [
  ['wait: 2m', 'wait: 113s'],
  ['wait: 90s', 'wait: 83s'],
  ['100s', '97s'],
] as const;

/** The source of a random rule that watches streams. */
export const randomSource: fc.Arbitrary<string> = randomRule
  .filter(({ rule }) => rule.watched !== undefined)
  .map(({ source }) => WAITS.reduce((text, [wait, other]) => text.replaceAll(wait, other), `id: r\n${source}`));

/** In a replay, a question that was not asked gets its first choice. In reality, it gets another one, later. */
export const withoutQuestions = randomSource.filter((source) => !source.includes('discord.ask'));

export function ruleOf(source: string): Rule {
  const [rule] = rulesIn([source]);
  if (!rule) throw new Error('there is no rule');
  return rule;
}

/** The schedule in the text of a random rule. */
export const SCHEDULE = /every: \w+|cron: "[^"]*", timezone: UTC/u;

/** The time between two slots of a schedule of a random rule. */
export function periodOf(schedule: string): number {
  return schedule.includes('30s') ? 30_000 : schedule.includes('1m') ? 60_000 : 120_000;
}
