import { fc } from '../../../support/property.ts';
import type { ModelChange, ModelQuiet, ModelRule, Sight } from './model-rule.ts';

const DAY = 24 * 60;

export const KEYS = ['ada', 'grace', 'linus', 'mary'];

const LINES = [
  [{ at: 100, rearm: 100 }],
  [{ at: 100, rearm: 60 }],
  [
    { at: 100, rearm: 100 },
    { at: 400, rearm: 200 },
  ],
] as const;

const change: fc.Arbitrary<ModelChange> = fc.oneof(
  fc.constantFrom<ModelChange>({ kind: 'entered' }, { kind: 'left' }, { kind: 'moved' }),
  fc.constantFrom<ModelChange>({ kind: 'moved', direction: 'up' }, { kind: 'moved', direction: 'down' }),
  fc.constantFrom<ModelChange>({ kind: 'changed', fields: ['title'] }, { kind: 'changed', fields: ['title', 'game.name'] }),
  fc.constantFrom(...LINES).map((lines): ModelChange => ({ kind: 'rose', lines })),
  fc.constantFrom<ModelChange>({ kind: 'fell', lines: [{ at: 60, rearm: 60 }] }, { kind: 'fell', lines: [{ at: 60, rearm: 100 }] }),
);

const quiet: fc.Arbitrary<ModelQuiet> = fc
  .record({
    hours: fc.constantFrom(
      { from: 20 * 60 + 10, to: 20 * 60 + 40 },
      { from: 23 * 60, to: 2 * 60 + 30 },
      { from: 20 * 60 + 30, to: 8 * 60 },
    ),
    zone: fc.constantFrom('Europe/Paris', 'UTC'),
    then: fc.constantFrom('hold', 'drop', 'steps'),
  })
  .map(({ hours, ...rest }) => ({ ...hours, ...rest }));

/** The timers that an edit may change while episodes are open. */
export const someTimers = fc.record({
  confirm: fc.record({ new: fc.constantFrom(1, 2), gone: fc.constantFrom(1, 2, 3) }),
  settle: fc.constantFrom(0, 2, 5),
  grace: fc.constantFrom(0, 3, 15),
  maxAge: fc.constantFrom(60, 240),
  cooldown: fc.record({ for: fc.constantFrom(0, 10, 360), per: fc.constantFrom('item', 'rule') }),
});

const longCooldown = fc.record({ for: fc.constantFrom(2 * DAY, 7 * DAY), per: fc.constant('item' as const) });

export const someRule: fc.Arbitrary<ModelRule> = fc
  .record({
    kind: fc.constantFrom('live', 'live', 'ranking', 'feed', 'set', 'one'),
    changes: fc.oneof(
      fc.constant<ModelChange[]>([{ kind: 'entered' }]),
      fc.uniqueArray(change, { selector: ({ kind }) => kind, minLength: 1, maxLength: 4 }),
    ),
    per: fc.constantFrom('item', 'item', 'item', 'poll', 'slot'),
    hasUpdates: fc.boolean(),
    timers: someTimers,
    first: fc.constantFrom('silent', 'fire'),
    take: fc.constantFrom(2, 4),
    longCooldown: fc.option(longCooldown, { freq: 2, nil: undefined }),
    fuse: fc.constantFrom({ firings: 1_000, per: 60 }, { firings: 1_000, per: 60 }, { firings: 3, per: 30 }, { firings: 2, per: 600 }),
    mode: fc.constantFrom('queued', 'single', 'restart', 'parallel'),
    max: fc.constantFrom(1, 3),
    quiet: fc.option(quiet, { nil: undefined }),
  })
  .map(({ timers, longCooldown: long, ...rule }): ModelRule => {
    const isFeed = rule.kind === 'feed';
    const changes = isFeed ? rule.changes.filter(({ kind }) => kind !== 'left') : rule.changes;
    const watched = changes.length > 0 ? changes : [{ kind: 'entered' } as const];
    const hasUpdates = rule.hasUpdates && rule.per === 'item' && !isFeed && watched.some(({ kind }) => kind === 'entered');
    return { ...rule, ...timers, ...(long && { cooldown: long }), changes: watched, hasUpdates };
  });

/** The events before a poll. */
type Event = 'nothing' | 'restart' | 'list edited' | 'timers edited' | 'delivered' | 'resumed' | 'all closed';

/** One poll and the events before it. Small numbers are simple cases, so that counterexamples shrink to them. */
export interface WorldStep {
  /** The minutes until the next slot. */
  readonly pass: number;
  readonly answer: 'plain' | 'doubled' | 'reversed' | 'empty' | 'cut short' | 'more' | 'malformed' | 'failed';
  readonly event: Event;
  /** The events of the channel of each key. */
  readonly fates: readonly number[];
}

const PASSES = [1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 4, 20, 200, 1_000, 3_000];
const ANSWERS = [
  'plain',
  'plain',
  'plain',
  'plain',
  'plain',
  'plain',
  'plain',
  'plain',
  'plain',
  'reversed',
  'reversed',
  'doubled',
  'empty',
  'cut short',
  'more',
  'failed',
] as const;
const EVENTS: readonly Event[] = [
  ...Array<Event>(7).fill('nothing'),
  'restart',
  'restart',
  'delivered',
  'delivered',
  'delivered',
  'list edited',
  'timers edited',
  'resumed',
  'all closed',
];

export const someWorld = fc.array(
  fc.tuple(fc.nat(2 ** 28 - 1), fc.nat(31)).map(([bits, rare]): WorldStep => ({
    pass: rare >= 30 ? 46_000 : (PASSES[bits & 15] ?? 1),
    answer: rare === 29 ? 'malformed' : (ANSWERS[(bits >> 4) & 15] ?? 'plain'),
    // Rare events need many plain polls between them.
    event: rare >= 14 ? 'nothing' : (EVENTS[(bits >> 8) & 15] ?? 'nothing'),
    fates: KEYS.map((_, i) => (bits >> (12 + 4 * i)) & 15),
  })),
  { maxLength: 160, size: 'max' },
);

export interface Channel {
  readonly isLive: boolean;
  readonly broadcast: number;
  readonly began: number | undefined;
  readonly counts: boolean;
  readonly loud: boolean;
  readonly title: string;
  readonly game: string | undefined;
  readonly viewers: number | undefined;
}

export const OFFLINE: Channel = {
  isLive: false,
  broadcast: 1,
  began: undefined,
  counts: true,
  loud: true,
  title: 'a',
  game: 'chess',
  viewers: 80,
};

const VIEWERS = [80, 50, 100, 150, 500, 60, undefined, 90];

export function fateOf(channel: Channel, { fate, now }: { readonly fate: number; readonly now: number }): Channel {
  const variant = (now + channel.broadcast) % 8;
  switch (fate) {
    case 5:
      return { ...channel, isLive: true, title: channel.title === 'a' ? 'b' : 'a' };
    case 6:
      return { ...channel, isLive: true, viewers: VIEWERS[variant] };
    case 7:
      return { ...channel, isLive: true, game: variant % 3 === 0 ? undefined : variant % 3 === 1 ? 'chess' : 'go' };
    case 8:
      return { ...channel, isLive: true, broadcast: channel.broadcast + 1, began: [now, undefined, now - 90, now - 60][variant % 4] };
    case 9:
      return { ...channel, isLive: true, broadcast: Math.max(1, channel.broadcast - 1) };
    case 10:
      return { ...channel, counts: !channel.counts };
    case 11:
      return { ...channel, loud: !channel.loud };
    case 12:
      return { ...channel, viewers: VIEWERS[variant], title: variant % 2 === 0 ? 'a' : 'b' };
    case 13:
      return { ...channel, isLive: false };
    case 14:
    case 15:
      return { ...channel, isLive: !channel.isLive, counts: true };
    default:
      return channel;
  }
}

/** The list of live channels. */
export function sightsOf(channels: readonly Channel[], { answer }: WorldStep, isFeed: boolean): readonly Sight[] {
  const sights = channels.flatMap(({ isLive, broadcast, ...rest }, i): readonly Sight[] => {
    const name = KEYS[i];
    if (!isLive || name === undefined) return [];
    // In a feed, each broadcast is an item.
    const key = isFeed ? `${name}-${broadcast}` : name;
    return [{ ...rest, key, broadcast: `${name}-${broadcast}` }];
  });
  if (answer === 'reversed') return sights.toReversed();
  if (answer === 'doubled') return [...sights, ...sights];
  return answer === 'empty' ? [] : sights;
}
