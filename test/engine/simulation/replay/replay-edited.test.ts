import { describe, expect, test } from 'vitest';
import { accountFacts } from '#src/engine/simulation/account-facts.ts';
import { replayRule } from '#src/engine/simulation/replay/replay-rule.ts';
import type { ReplayView } from '#src/engine/simulation/replay/replay-view.ts';
import { stepName } from '#src/rules/step-name.ts';
import { ACCOUNTS, rulesIn, run, START_MS, type Stage } from './replay-fixture.ts';

const RULE = `
id: list
when: { every: 1m }
then:
  - { id: each, do: social.createPost, forEach: "['one', 'two']", with: { text: "el \${{ it }}" } }
  - { do: social.createPost, with: { replyTo: "\${{ steps.each[0].id }}", text: "all \${{ steps.each.map(s, s.id).join(' ') }}" } }
`;

const openPlayed = (): Promise<Stage> => run({ rules: rulesIn([RULE]), seen: () => [], forMs: 130_000 });

async function replayed(stage: Stage, source: string): Promise<ReplayView> {
  const [rule] = rulesIn([source]);
  if (!rule) throw new Error('there is no rule');
  return stage.replay(rule);
}

/** For example `same 18:01:00 each el one`. */
const eventLines = ({ events }: ReplayView): readonly string[] =>
  events.map(
    ({ kind, at, position, expected, actual }) =>
      `${kind} ${at.toISOString().slice(11, 19)} ${stepName(position)} ${(expected ?? actual)?.join(' / ')}`,
  );

test('an edit of the text for one element changes only that element', async () => {
  await using stage = await openPlayed();

  const view = await replayed(stage, RULE.replace('el ${{ it }}', "${{ it == 'two' ? 'second' : 'el one' }}"));

  expect(eventLines(view)).toEqual([
    'same 18:01:00 each el one',
    'other 18:01:00 each second',
    'same 18:01:00 step 2 all social.createPost-1 social.createPost-2 / replyTo: social.createPost-1',
    'same 18:02:00 each el one',
    'other 18:02:00 each second',
    'same 18:02:00 step 2 all social.createPost-4 social.createPost-5 / replyTo: social.createPost-4',
  ]);
});

test('an edit of the name of a thread changes the thread', async () => {
  const rule = `id: talk
when: { every: 1m }
then: [{ do: discord.thread, with: { channel: live, name: How it goes } }]
`;
  await using stage = await run({ rules: rulesIn([rule]), seen: () => [], forMs: 70_000 });

  const view = await replayed(stage, rule.replace('goes', 'went'));

  expect(eventLines(view)).toEqual(['other 18:01:00 step 1 name: How it went']);
});

test('a post has the content warning of its account in the replay, and room for it', async () => {
  const social = { ...ACCOUNTS['social'], postDefaults: { mastodon: { warning: 'Spoilers' } } };
  const accounts = { ...ACCOUNTS, social: { all: [], defaults: [], ...social } };
  await using stage = await run({
    rules: rulesIn([RULE.replace('el ', 'a very long text about ')]),
    accounts,
    seen: () => [],
    forMs: 70_000,
  });

  const view = await replayed(stage, RULE.replace('el ', 'a very long text about '));

  expect(view.events.map(({ kind, position }) => `${kind} ${stepName(position)}`)).toEqual(['same each', 'same each', 'same step 2']);
});

test('an added element appears only in the replay, a removed one only in the history, and results stay the same', async () => {
  await using stage = await openPlayed();

  const view = await replayed(stage, RULE.replace("['one', 'two']", "['two', 'three']"));

  expect(eventLines(view).slice(0, 4)).toEqual([
    'same 18:01:00 each el two',
    'more 18:01:00 each el three',
    'other 18:01:00 step 2 all social.createPost-2 each / replyTo: social.createPost-2',
    'fewer 18:01:00 each el one',
  ]);
});

describe('an edit of the channel or of the mentions', () => {
  const CARD = `
id: card
when: { every: 1m }
then: [{ id: card, do: discord.send, with: { channel: live, content: "now", mention: [] } }]
`;

  test.for([
    ['channel: live', 'channel: news', ['#live', 'now'], ['#news', 'now']],
    ['mention: []', 'mention: [fans]', ['#live', 'now'], ['#live', 'mention: fans', 'now']],
  ] as const)('from %s to %s changes the message', async ([before, after, then, now]) => {
    await using stage = await run({ rules: rulesIn([CARD]), seen: () => [], forMs: 70_000 });

    expect((await replayed(stage, CARD)).events).toMatchObject([{ kind: 'same', expected: ['now'], actual: ['now'] }]);
    expect((await replayed(stage, CARD.replace(before, after))).events).toMatchObject([{ kind: 'other', expected: now, actual: then }]);
  });

  test('lets the replay send a message that Discord refused', async () => {
    await using stage = await run({ rules: rulesIn([CARD]), seen: () => [], refuses: () => 'missing', forMs: 70_000 });

    expect((await replayed(stage, CARD)).events).toEqual([]);
    expect((await replayed(stage, CARD.replace('channel: live', 'channel: news'))).events).toMatchObject([{ kind: 'more' }]);
  });
});

test('a delivery that the platform refused appears only after an edit changes its text', async () => {
  await using stage = await run({ rules: rulesIn([RULE]), seen: () => [], refuses: () => 'rejected', forMs: 70_000 });

  expect(eventLines(await replayed(stage, RULE))).toEqual([]);
  expect(eventLines(await replayed(stage, RULE.replace('el ${{ it }}', 'new ${{ it }}')))).toEqual([
    'more 18:01:00 each new one',
    'more 18:01:00 each new two',
    expect.stringMatching(/^more 18:01:00 step 2 all /),
  ]);
});

test('the first poll of a replay has the recorded state before it', async () => {
  const watching = rulesIn([
    'id: live\nwhen: { every: 10s, watch: streaming.getStreams, with: { users: [ada] }, per: slot }\nthen: [{ do: discord.send, with: { channel: live, content: x } }]',
  ]);
  await using stage = await run({ rules: watching, seen: () => [], forMs: 60_000 });
  const [rule] = stage.rules;
  if (!rule) throw new Error('there is no rule');

  expect((await stage.replay(rule)).slots).toMatchObject({ count: 7, isWarm: false });
  expect((await stage.replay(rule, START_MS + 30_000)).slots).toMatchObject({ count: 3, isWarm: true });
});

test('the edits and the end of an episode that began with the first poll are compared', async () => {
  const rules = rulesIn([
    `id: live
when: { every: 10s, watch: streaming.getStreams, with: { users: [ada] }, first: fire, grace: 10s }
then: [{ id: card, do: discord.send, with: { channel: live, content: "on" } }]
while: [{ do: discord.edit, with: { message: "\${{ steps.card.id }}", content: "\${{ item.viewerCount }} watch" } }]
finally: [{ do: discord.edit, with: { message: "\${{ steps.card.id }}", content: over } }]`,
  ]);
  const ada = { id: 'ada', owner: { id: 'ada', handle: 'ada', displayName: 'Ada' }, startedAt: new Date(START_MS).toISOString() };
  await using stage = await run({
    rules,
    seen: (_query, afterMs) => (afterMs < 25_000 ? [{ ...ada, viewerCount: Math.floor(afterMs / 1_000) }] : []),
    forMs: 60_000,
  });
  const [rule] = stage.rules;
  if (!rule) throw new Error('there is no rule');

  const { events, slots, edits } = await stage.replay(rule);
  const { items } = await stage.store.deliveryLog.list();

  const edited = items.filter(({ section }) => section === 'while').length;

  expect(edited).toBeGreaterThan(0);
  expect(edits).toEqual({ expected: edited, actual: edited });
  expect(items.map(({ episode }) => episode)).toEqual(items.map(() => `ada@${slots?.first.toISOString()}`));
  expect(events.map(({ kind, position }) => `${kind} ${stepName(position)}`)).toEqual(['same card', 'same finally step 1']);
});

test('a message after a notification is the one that the replay makes at the next recorded poll', async () => {
  const source = `
id: live
when: { every: 1m, within: 30m, watch: streaming.getStreams, account: twitch, with: { users: [ada, grace, linus] } }
then:
  - { do: social.createPost, with: { text: "\${{ item.owner.handle }} is live" } }
`;
  const minutes = (count: number): number => count * 60_000;
  const stream = (handle: string) => ({
    id: `${handle}-1`,
    owner: { id: handle, handle },
    viewerCount: 10,
    startedAt: new Date(START_MS + minutes(5)).toISOString(),
  });
  await using stage = await run({
    rules: rulesIn([source]),
    seen({ params }, afterMs) {
      const names = Array.isArray(params['users']) ? params['users'] : [];
      // The stream of Grace ends before the next poll of the whole list.
      const live = [...(afterMs >= minutes(5) ? ['ada'] : []), ...(afterMs >= minutes(5) && afterMs < minutes(12) ? ['grace'] : [])];
      return live.filter((handle) => names.includes(handle)).map(stream);
    },
    hints: [5, 12].map((at) => ({ afterMs: minutes(at), rule: 'live', names: at === 5 ? ['ada', 'grace'] : ['grace'] })),
    forMs: minutes(40),
  });

  const [rule] = stage.rules;
  if (!rule) throw new Error('there is no rule');
  const view = await stage.replay(rule);

  expect(view.events.map(({ kind, at, actual }) => `${kind} ${at.toISOString().slice(11, 16)} ${actual?.join(' / ')}`)).toEqual([
    'fewer 18:05 grace is live',
    'same 18:31 ada is live',
  ]);
});

describe('the replay of a rule with stored values', () => {
  const COUNTER = `
id: counter
when: { every: 1m }
keep: { n: "\${{ keep.n + 1 }}" }
then: [{ do: social.createPost, with: { text: "\${{ string(keep.n) }}" } }]
`;

  test('does not run slots of a schedule from before the history of the rule', async () => {
    await using stage = await run({ rules: rulesIn([COUNTER]), seen: () => [], forMs: 190_000 });
    const [rule] = stage.rules;
    if (!rule) throw new Error('there is no rule');

    const view = await stage.replay(rule, START_MS - 3_600_000);

    expect(eventLines(view)).toEqual(['same 18:01:00 step 1 1', 'same 18:02:00 step 1 2', 'same 18:03:00 step 1 3']);
    expect(view).toMatchObject({ slots: { count: 3 }, startsEmpty: [] });
  });

  test('runs all slots of a rule that never ran', async () => {
    await using stage = await run({ rules: [], seen: () => [], forMs: 1_000 });

    const [rule] = rulesIn([COUNTER]);
    if (!rule) throw new Error('there is no rule');

    expect(await stage.replay(rule, START_MS - 120_000)).toMatchObject({ slots: { count: 2 }, startsEmpty: [], events: [{}, {}] });
  });

  test.for([
    ['keep: { n: "${{ keep.n + 1 }}" }', ['keep']],
    ['cooldown: 2d', ['cooldown']],
    ['cooldown: 30s', []],
    ['limit: { firings: 5, per: 7d, then: drop }', ['limit']],
    ['gather: { count: 9, then: [{ do: social.createPost, with: { text: x } }] }', ['gather']],
    ['about: none of these', []],
  ] as const)('names the keys whose values from before its first slot are unknown: %s', async ([key, names]) => {
    const source = (more: string): string => `
id: live
when: { every: 1m, watch: streaming.getStreams, with: { users: [ada] } }
${more}
then: [{ do: social.createPost, with: { text: "\${{ item.id }}" } }]
`;
    const [rule] = rulesIn([source(key)]);
    if (!rule) throw new Error('there is no rule');
    await using stage = await run({
      rules: [rule],
      seen: (_query, afterMs) => [{ id: `s${afterMs}`, owner: { id: `ada${afterMs}` } }],
      forMs: 190_000,
    });

    // The polls of the first 90 seconds are deleted.
    const { recordedPolls } = stage.store;
    const read: typeof recordedPolls.read = (query, sinceMs) => recordedPolls.read(query, Math.max(sinceMs, START_MS + 90_000));
    const store = { ...stage.store, recordedPolls: { ...recordedPolls, read } };
    const view = await replayRule(rule, { ...accountFacts(ACCOUNTS), store, sinceMs: START_MS + 180_000, nowMs: stage.endMs });

    expect(view.startsEmpty).toEqual(names);
  });
});
