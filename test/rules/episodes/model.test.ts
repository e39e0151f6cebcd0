import { expect, test } from 'vitest';
import fc from 'fast-check';
import { advance, type Advance } from '#src/rules/episodes/advance.ts';
import { NEW_STATE } from '#src/rules/episode.ts';
import type { Item, Poll } from '#src/rules/poll.ts';
import type { Rule } from '#src/rules/rule.ts';
import { cardRule, condition, MINUTE, START_MS, stream } from './fixture.ts';
import { Model, type Look, type ModelRule, type Sight } from './model.ts';
import { applied, keyOf, kindOf, writtenDown } from './play.ts';

/** More polls than a rule that looks every minute makes in two months. */
const LEAST_STEPS = 100_000;

const KEYS = ['ada', 'grace', 'linus', 'mary'];

test(`${LEAST_STEPS} polls of random worlds say what the model says`, () => {
  let steps = 0;
  const property = fc.property(someRule, someWorld, (modelRule, world) => {
    steps += world.length;
    compare(modelRule, world);
  });

  fc.assert(property, { numRuns: 1_600 });

  expect(steps).toBeGreaterThan(LEAST_STEPS);
});

const someRule: fc.Arbitrary<ModelRule> = fc.record({
  kind: fc.constantFrom('live', 'ranking'),
  changes: fc.constantFrom(['entered'], ['entered', 'left'], ['left']),
  confirm: fc.record({ new: fc.constantFrom(1, 2), gone: fc.constantFrom(1, 2, 3) }),
  settle: fc.constantFrom(0, 2, 5),
  grace: fc.constantFrom(0, 3, 15),
  first: fc.constantFrom('silent', 'fire'),
  take: fc.constantFrom(2, 4),
  maxAge: fc.constantFrom(60, 240),
  cooldown: fc.record({ for: fc.constantFrom(0, 10, 360), per: fc.constantFrom('item', 'rule') }),
});

/** What happens before and in one poll. Small numbers are the dull cases: a counterexample shrinks to them. */
interface Happening {
  /** How far the next slot is away, what comes of the poll, and whether something happens to the engine. */
  readonly pass: number;
  readonly answer: number;
  readonly event: number;
  /** One for each key: what becomes of it. */
  readonly fates: readonly number[];
}

const someWorld = fc.array(
  fc.nat(2 ** 30).map((bits): Happening => ({
    pass: bits & 15,
    answer: (bits >> 4) & 15,
    event: (bits >> 8) & 15,
    fates: KEYS.map((_, i) => (bits >> (12 + 4 * i)) & 15),
  })),
  { maxLength: 160, size: 'max' },
);

interface Channel {
  readonly isLive: boolean;
  readonly broadcast: number;
  readonly viewers: number;
  readonly began: number | undefined;
}

function compare(modelRule: ModelRule, world: readonly Happening[]): void {
  const model = new Model(modelRule);
  let rule = toRule(modelRule);
  let channels: readonly Channel[] = KEYS.map(() => ({ isLive: false, broadcast: 1, viewers: 100, began: undefined }));
  let state = NEW_STATE;
  let now = 0;
  let edits = 0;
  const witness = createWitness();

  for (const { pass, answer, event, fates } of world) {
    now += [1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 4, 20, 200, 50_000][pass] ?? 1;
    if (event === 14) state = writtenDown(state);
    if (event === 15) rule = withList(rule, `list ${++edits}`);
    channels = channels.map((channel, i) => fateOf(channel, fates[i] ?? 0, now));
    const sights = sightsOf(channels, answer);
    const look = { now, sights, whole: answer !== 13, list: rule.watched?.fingerprint ?? '' };

    const one = advance({ rule, state, slotMs: START_MS + now * MINUTE, poll: pollOf(look, answer) });

    const failed = answer >= 14;
    expect(linesOf(one), `minute ${now}`).toEqual(failed ? [] : inOrder(model.look(look)));
    expect(one.change === undefined, 'a poll that failed says nothing').toBe(failed);
    witness(one, look);
    state = one.change ? applied(state, one.change) : state;
  }
}

function pollOf({ sights, whole }: Look, answer: number): Poll {
  if (answer === 15) return { failure: 'unavailable' };
  const items = sights.map(toItem);
  return { items: answer === 14 ? [...items, { id: 'a record without an owner' }] : items, complete: whole };
}

function toRule({ kind, changes, confirm, settle, grace, first, take, maxAge, cooldown }: ModelRule): Rule {
  return cardRule({
    maxAgeMs: maxAge * MINUTE,
    if: condition('item.viewerCount is even', ({ item }) => Number(item?.['viewerCount']) % 2 === 0),
    cooldown: { forMs: cooldown.for * MINUTE, per: cooldown.per },
    watched: {
      kind,
      changes,
      confirm,
      settleMs: settle * MINUTE,
      graceMs: grace * MINUTE,
      first,
      take,
      where: condition('item.viewerCount >= 50', ({ item }) => Number(item?.['viewerCount']) >= 50),
      fingerprint: 'list 0',
    },
  });
}

function withList(rule: Rule, fingerprint: string): Rule {
  return { ...rule, watched: rule.watched && { ...rule.watched, fingerprint } };
}

function fateOf(channel: Channel, fate: number, now: number): Channel {
  if (fate < 7) return channel;
  if (fate === 7) return { ...channel, isLive: false };
  if (fate === 8) return { isLive: true, broadcast: channel.broadcast + 1, viewers: 100, began: now };
  if (fate === 9) return { isLive: true, broadcast: channel.broadcast + 1, viewers: 100, began: undefined };
  if (fate === 10) return { isLive: true, broadcast: channel.broadcast + 1, viewers: 100, began: now - 90 };
  if (fate === 11) return { ...channel, isLive: true, broadcast: Math.max(1, channel.broadcast - 1) };
  if (fate === 12) return { ...channel, viewers: 10 };
  if (fate === 13) return { ...channel, viewers: 101 };
  return { ...channel, isLive: !channel.isLive, viewers: 100 };
}

/** The list of the channels that are live; some answers have it turned around, or somebody in it twice. */
function sightsOf(channels: readonly Channel[], answer: number): readonly Sight[] {
  const sights = channels.flatMap(({ isLive, broadcast, viewers, began }, i): readonly Sight[] => {
    const key = KEYS[i];
    if (!isLive || key === undefined) return [];
    return [{ key, broadcast: `${key}-${broadcast}`, counts: viewers >= 50, loud: viewers % 2 === 0, began }];
  });
  if (answer === 12) return sights.toReversed();
  if (answer === 11) return [...sights, ...sights];
  if (answer === 10) return [];
  return sights;
}

function toItem({ key, broadcast, counts, loud, began }: Sight): Item {
  const startedAt = began === undefined ? undefined : new Date(START_MS + began * MINUTE).toISOString();
  return stream(key, { id: broadcast, startedAt, viewerCount: (counts ? 100 : 10) + (loud ? 0 : 1) });
}

function linesOf({ withdrawals, firings }: Advance): readonly string[] {
  return [
    ...withdrawals.map(({ section, episode }) => `withdraw ${section} ${keyOf(episode)}`),
    ...firings.map((firing) => [firing.section, kindOf(firing), keyOf(firing.episode)].filter((word) => word !== undefined).join(' ')),
  ];
}

function inOrder(lines: readonly string[]): readonly string[] {
  const [withdrawals, firings] = [true, false].map((is) => lines.filter((line) => line.startsWith('withdraw') === is));
  return [...(withdrawals ?? []), ...(firings ?? [])];
}

/** Watches over what must hold whatever the model says. */
function createWitness(): (one: Advance, poll: { readonly whole: boolean }) => void {
  const openedBy = new Map<string, string>();
  const keys = new Set<string>();

  return ({ firings, change }, { whole }) => {
    for (const { id, section, episode, scope, sees, steps } of firings) {
      for (const { key } of steps) {
        expect(keys.has(key), 'no step is decided twice').toBe(false);
        keys.add(key);
      }
      if (section !== 'then') {
        expect(sees, `no ${section} without then`).toEqual([openedBy.get(episode)]);
      } else if (scope.change?.['kind'] === 'entered') {
        expect(openedBy.has(episode), 'at most one then an episode').toBe(false);
        openedBy.set(episode, id);
      }
    }
    const put = change?.put ?? [];
    const ended = put.filter(({ phase }) => phase === 'closed');
    const replaced = ended.filter(({ key }) => put.some((other) => other.key === key && other.phase !== 'closed'));
    if (!whole) expect(ended, 'a list that was cut short ends only what it shows another broadcast of').toEqual(replaced);
  };
}
