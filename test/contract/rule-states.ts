import { expect, test } from 'vitest';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { resendFailed } from '#src/engine/delivery/resolution.ts';
import type { Episode, RuleMemory, StateChange } from '#src/rules/episode.ts';
import { advance } from '#src/rules/evaluate/advance.ts';
import type { Step } from '#src/rules/step.ts';
import { rulesOf } from '../support/rule-language.ts';
import { committing, creating, episodeOf, firing, keysOf, setting, SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { begin, find, settle, states } from './delivery-steps.ts';
import type { OpenStore } from './store.ts';

const MINUTE_MS = 60_000;

/** The contract of the state of rules. */
export function ruleStatesContract(open: OpenStore): void {
  test('a rule that was never run has an empty state', async () => {
    await using store = await open(new ManualClock(SLOT_MS));

    const state = await store.ruleStates.load('live');

    expect(state).toEqual({ memory: { firings: 0, firedMs: {} }, episodes: new Map() });
  });

  test('a committed state is loaded unchanged', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const change = changing({ put: [episodeOf('ada@1'), episodeOf('grace@1')], drop: [] });

    await store.ruleStates.commit(committing([], { change }));

    const state = await store.ruleStates.load('live');
    expect(state.memory).toEqual(change.memory);
    expect([...state.episodes.values()]).toEqual(change.put);
    expect(await store.ruleStates.lastSlots()).toEqual(new Map([['live', { slotMs: SLOT_MS }]]));
  });

  test('a later commit changes and deletes episodes of its own rule only', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    await store.ruleStates.commit(committing([], { change: changing({ put: [episodeOf('ada@1'), episodeOf('grace@1')], drop: [] }) }));
    await store.ruleStates.commit(committing([], { rule: 'other', change: changing({ put: [episodeOf('ada@1')], drop: [] }) }));

    const closed: Episode = { ...episodeOf('ada@1'), phase: 'closed', closes: 1 };
    await store.ruleStates.commit(committing([], { slotMs: SLOT_MS + MINUTE_MS, change: changing({ put: [closed], drop: ['grace@1'] }) }));

    expect([...(await store.ruleStates.load('live')).episodes.values()]).toEqual([closed]);
    expect([...(await store.ruleStates.load('other')).episodes.values()]).toEqual([episodeOf('ada@1')]);
  });

  test('a slot without a change keeps the state', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const change = changing({ put: [episodeOf('ada@1')], drop: [] });
    await store.ruleStates.commit(committing([], { change }));

    const written = await store.ruleStates.commit(committing([], { slotMs: SLOT_MS + MINUTE_MS }));

    expect(written).toBe(true);
    expect((await store.ruleStates.load('live')).memory).toEqual(change.memory);
  });

  test.for([
    ['the same slot', 0],
    ['an earlier slot', -MINUTE_MS],
  ] as const)('%s is not committed a second time, and nothing of it is written', async ([, laterMs]) => {
    await using store = await open(new ManualClock(SLOT_MS));
    await store.ruleStates.commit(committing([]));

    const written = await store.ruleStates.commit(
      committing([firing([creating(['x'])])], {
        slotMs: SLOT_MS + laterMs,
        change: changing({ put: [episodeOf('ada@1')], drop: [] }),
        decisions: [{ rule: 'live', atMs: SLOT_MS, outcome: 'fired', message: 'ada went live' }],
      }),
    );

    expect(written).toBe(false);
    expect((await store.ruleStates.load('live')).episodes.size).toBe(0);
    expect((await store.deliveryLog.list()).items).toEqual([]);
    expect((await store.decisions.list()).items).toEqual([]);
  });

  test.for([
    ['a rule that was never run', undefined],
    ['a rule with a committed slot', SLOT_MS],
  ] as const)('of two commits from the same state of %s, the second writes nothing', async ([, lastMs]) => {
    await using store = await open(new ManualClock(SLOT_MS));
    if (lastMs !== undefined) await store.ruleStates.commit(committing([], { slotMs: lastMs }));
    const [first, second] = [await store.ruleStates.load('live'), await store.ruleStates.load('live')];
    const committingFrom = (afterMs = 0, minutes: number) =>
      committing([firing([creating(['x'])], { occasion: String(minutes) })], {
        afterMs,
        slotMs: SLOT_MS + minutes * MINUTE_MS,
        change: changing({ put: [episodeOf(`ada@${minutes}`)], drop: [] }),
        decisions: [{ rule: 'live', atMs: SLOT_MS, outcome: 'fired', message: 'ada went live' }],
      });

    const written = [
      await store.ruleStates.commit(committingFrom(first.slotMs, 1)),
      await store.ruleStates.commit(committingFrom(second.slotMs, 2)),
    ];

    expect(first.slotMs).toBe(lastMs);
    expect(written).toEqual([true, false]);
    const { episodes, slotMs } = await store.ruleStates.load('live');
    expect([...episodes.keys()]).toEqual(['ada@1']);
    expect(slotMs).toBe(SLOT_MS + MINUTE_MS);
    expect((await store.deliveryLog.list()).items).toHaveLength(1);
    expect((await store.decisions.list()).items).toHaveLength(1);
  });

  test('firings at the same time count stored values one after the other', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const [rule] = rulesOf(
      'id: live\nwhen: { every: 1m }\nkeep: { count: keep.count + 1 }\nthen: [{ do: discord.send, with: { channel: live, content: hi } }]\n',
    );
    if (!rule) throw new Error('there is no rule');
    const fired: number[] = [];
    /** Fires as a process that may be one of many: from the stored state, until its commit is written. */
    const fire = async (): Promise<void> => {
      for (let isWritten = false; !isWritten;) {
        const state = await store.ruleStates.load('live');
        const lastMs = state.slotMs ?? 0;
        const slotMs = Math.max(SLOT_MS, lastMs + 1);
        const next = advance({ rule, state, slotMs });
        isWritten = await store.ruleStates.commit({ rule: 'live', slotMs, afterMs: lastMs, ...next });
        if (isWritten) fired.push(...next.firings.map(({ scope }) => Number(scope.keep?.['count'])));
      }
    };

    await Promise.all(Array.from({ length: 6 }, fire));

    expect(fired.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6]);
    expect((await store.ruleStates.load('live')).memory.kept).toEqual({ count: 6 });
    expect((await store.deliveryLog.list()).items).toHaveLength(6);
  });

  test('a commit that fails halfway writes nothing', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const unwritable = { rule: 'live', atMs: Number.NaN, outcome: 'fired', message: 'its instant is no number' } as const;

    const commit = store.ruleStates.commit(
      committing([firing([creating(['x'])])], { change: changing({ put: [episodeOf('ada@1')], drop: [] }), decisions: [unwritable] }),
    );

    await expect(commit).rejects.toThrow(/at_ms/);
    expect((await store.ruleStates.lastSlots()).size).toBe(0);
    expect((await store.ruleStates.load('live')).episodes.size).toBe(0);
    expect((await store.deliveryLog.list()).items).toEqual([]);
  });

  test('the next wake-up of a rule is stored with its slot', async () => {
    await using store = await open(new ManualClock(SLOT_MS));

    await store.ruleStates.commit(committing([], { wakeMs: SLOT_MS + MINUTE_MS }));

    expect(await store.ruleStates.lastSlots()).toEqual(new Map([['live', { slotMs: SLOT_MS, wakeMs: SLOT_MS + MINUTE_MS }]]));
  });

  test('a loaded state has the number of `then` firings that are being delivered, by queue', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const ada = ['1', '2'].map((occasion) => firing([creating(['x', 'mastodon'])], { occasion, queue: 'ada' }));
    const asking = firing([creating(['discord'])], { occasion: '3', queue: 'grace' });
    const closing = firing([setting(['x'])], { section: 'finally', queue: 'linus' });
    await store.ruleStates.commit(committing([...ada, asking, closing]));
    await settle(store, keysOf(asking)[0], { state: 'asked' });
    const [first, second] = ada.flatMap(keysOf);

    const before = await store.ruleStates.load('live');
    await settle(store, first, { state: 'failed' });
    await settle(store, second, { state: 'sent' });

    expect(before.delivering).toEqual(
      new Map([
        ['ada', 2],
        ['grace', 1],
      ]),
    );
    expect((await store.ruleStates.load('live')).delivering?.get('ada')).toBe(1);
  });

  test('a firing whose open steps are all delayed is not being delivered, and its episode is waiting', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const steps = [creating(['x']), creating(['x'], { afterMs: MINUTE_MS })];
    const [ada, grace] = [firing(steps, { queue: 'ada' }), firing(steps, { queue: 'grace', episode: 'grace@1' })];
    await store.ruleStates.commit(committing([ada, grace]));
    await settle(store, keysOf(ada)[0], { state: 'sent' });

    const { delivering, waiting } = await store.ruleStates.load('live');
    expect(delivering).toEqual(new Map([['grace', 1]]));
    expect(waiting).toEqual(
      new Map([
        ['ada', new Set(['ada@1'])],
        ['grace', new Set(['grace@1'])],
      ]),
    );
  });

  test('a firing that only waits for the operator is not being delivered', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const fired = firing([creating(['x'], { id: 'post' }), creating(['discord'], { reads: ['post'] })]);
    await store.ruleStates.commit(committing([fired]));

    await settle(store, keysOf(fired)[0], { state: 'unknown' });

    expect((await store.ruleStates.load('live')).delivering).toBeUndefined();
  });

  test('a deleted rule sends nothing more after a minute, and its questions are closed', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const fired = firing([creating(['x', 'mastodon', 'discord'])]);
    const others = firing([creating(['x'])], { rule: 'other' });
    await store.ruleStates.commit(committing([fired]));
    await store.ruleStates.commit(committing([others], { rule: 'other' }));
    const [, begun, asked] = keysOf(fired);
    await begin(store, begun);
    await settle(store, asked, { state: 'asked', dueAt: new Date(SLOT_MS + 3_600_000) });

    await store.ruleStates.retire('live');

    const dueAt = async (nowMs: number) => {
      const due = await Promise.all(['x', 'discord'].map((account) => store.deliveries.due(account, { nowMs, limit: 20 })));
      return due.flat().map(({ id, rule, withdrawn }) => [id === asked ? 'question' : rule, withdrawn?.message]);
    };
    expect(await dueAt(SLOT_MS + 59_999)).toEqual([['other', undefined]]);
    expect(await dueAt(SLOT_MS + 60_000)).toEqual([
      ['live', 'the rule was deleted'],
      ['other', undefined],
      ['question', 'the rule was deleted'],
    ]);
  });

  test('a deleted rule that returns within a minute continues its deliveries and questions', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using store = await open(clock);
    const later = { ...creating(['discord']), afterMs: 4 * 3_600_000 };
    const question = { ...creating(['mastodon']), answerWithinMs: 3_600_000 };
    const fired = firing([creating(['x']), later, question]);
    await store.ruleStates.commit(committing([fired]));
    const [now, waiting, asked] = keysOf(fired);
    await begin(store, asked);
    await settle(store, asked, { state: 'asked', sentAt: new Date(SLOT_MS), dueAt: new Date(SLOT_MS + 3_600_000) });

    await store.ruleStates.retire('live');
    clock.set(SLOT_MS + 3_000);
    await store.ruleStates.reinstate(['other', 'live']);

    const found = await Promise.all([now, waiting, asked].map((id) => store.deliveries.find(id ?? '')));
    expect(found.map((one) => one && [one.state, one.withdrawn, one.dueAt.getTime() - SLOT_MS])).toEqual([
      ['pending', undefined, 3_000],
      ['pending', undefined, 4 * 3_600_000],
      ['asked', undefined, 3_600_000],
    ]);
  });

  test('a rule that is turned off sends nothing more after a minute, and its questions stay open', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using store = await open(clock);
    const later = { ...creating(['discord']), afterMs: 4 * 3_600_000 };
    const fired = firing([creating(['x']), later, { ...creating(['mastodon']), answerWithinMs: 3_600_000 }]);
    await store.ruleStates.commit(committing([fired]));
    const keys = keysOf(fired);
    const [, , asked] = keys;
    await begin(store, asked);
    await settle(store, asked, { state: 'asked', sentAt: new Date(SLOT_MS), dueAt: new Date(SLOT_MS + 3_600_000) });
    const found = async () => {
      const all = await Promise.all(keys.map((id) => store.deliveries.find(id)));
      return all.map((one) => one && [one.state, one.withdrawn?.reason?.kind, one.dueAt.getTime() - SLOT_MS]);
    };

    await store.ruleStates.disable('live');
    const off = await found();
    clock.set(SLOT_MS + 3_000);
    await store.ruleStates.reinstate(['live']);

    const question = ['asked', undefined, 3_600_000];
    expect(off).toEqual([['pending', 'ruleDisabled', 60_000], ['pending', 'ruleDisabled', 4 * 3_600_000], question]);
    expect(await found()).toEqual([['pending', undefined, 3_000], ['pending', undefined, 4 * 3_600_000], question]);
  });

  test('a mute belongs to an open episode: it withdraws its announcements, survives its next poll and ends with it', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const fired = firing([creating(['x'])]);
    const [id = ''] = keysOf(fired);
    const episode = { ...episodeOf(fired.episode), openedMs: SLOT_MS };
    await store.ruleStates.commit(committing([fired], { change: changing({ put: [episode], drop: [] }) }));
    const mute = () => store.ruleStates.mute('live', episode.id, 'Grace');

    const outcomes = [await mute(), await mute(), await store.ruleStates.mute('live', 'none', 'Grace')];
    await store.ruleStates.commit(
      committing([], { slotMs: SLOT_MS + MINUTE_MS, change: changing({ put: [{ ...episode, polls: 2 }], drop: [] }) }),
    );
    const { muted } = await store.ruleStates.load('live');
    await store.ruleStates.commit(
      committing([], {
        slotMs: SLOT_MS + 2 * MINUTE_MS,
        change: changing({ put: [{ ...episode, closedMs: SLOT_MS + 2 * MINUTE_MS }], drop: [] }),
      }),
    );

    expect([...outcomes, await mute()]).toEqual(['muted', 'already', 'over', 'over']);
    expect(await store.deliveries.find(id)).toMatchObject({ state: 'skipped', reason: { kind: 'itemMuted', by: 'Grace' } });
    expect([...(muted ?? [])]).toEqual([[episode.id, { by: 'Grace', atMs: SLOT_MS }]]);
  });

  test('a slot that was evaluated before a mute sends nothing new about the item, and edits its message', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const episodes = ['ada@1', 'grace@1'].map((id) => ({ ...episodeOf(id), openedMs: SLOT_MS }));
    await store.ruleStates.commit(committing([], { change: changing({ put: episodes, drop: [] }) }));
    const fired = ['ada@1', 'grace@1'].flatMap((episode) => {
      const scope = { rule: { id: 'live' }, now: new Date(SLOT_MS).toISOString(), episode: { id: episode, open: true } };
      return [
        firing([creating(['x']), setting(['x'])], { episode, scope }),
        firing([creating(['x'], { everyMs: 1 }), setting(['x'])], { episode, scope, section: 'while', multipleMs: 1 }),
      ];
    });

    await store.ruleStates.mute('live', 'ada@1', 'Grace');
    await store.ruleStates.commit(committing(fired, { slotMs: SLOT_MS + 1 }));

    const states = await Promise.all(
      fired.map(async (one) => (await store.deliveries.load(keysOf(one))).map(({ state }) => state).toSorted()),
    );
    const [post = ''] = keysOf(fired[0] ?? firing([]));
    const all = ['pending', 'pending'];
    expect(states).toEqual([['skipped', 'skipped'], ['pending', 'skipped'], all, all]);
    expect(await store.deliveries.find(post)).toMatchObject({ reason: { kind: 'itemMuted', by: 'Grace' } });
  });

  test('a renamed rule continues with the state, the deliveries and the history of its previous id', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const fired = firing([creating(['x']), setting(['x'])]);
    const change = changing({ put: [episodeOf('ada@1')], drop: [] });
    const decisions = [{ rule: 'live', atMs: SLOT_MS, outcome: 'fired', message: 'ada went live' }] as const;
    await store.ruleStates.commit(committing([fired], { change, decisions }));
    await store.ruleStates.changePauses(['live'], { pause: { by: 'ada' } });
    await store.ruleStates.changePauses(['live'], { resume: 'now' });
    await store.ruleStates.changePauses(['live'], { pause: { by: 'grace' } });

    const moved = await store.ruleStates.rename({ from: 'live', to: 'on-air' });
    const again = await store.ruleStates.rename({ from: 'live', to: 'on-air' });

    const found = await Promise.all(keysOf(fired).map((id) => store.deliveries.find(id)));
    const { memory, episodes, paused, slotMs } = await store.ruleStates.load('on-air');
    expect([moved, again]).toEqual([true, false]);
    expect({ memory, episodes: [...episodes.values()], by: paused?.by, slotMs }).toEqual({
      memory: change.memory,
      episodes: change.put,
      by: 'grace',
      slotMs: SLOT_MS,
    });
    expect(found.map((one) => one && [one.rule, one.queue])).toEqual([
      ['on-air', 'on-air/ada@1'],
      ['on-air', 'on-air/ada@1'],
    ]);
    expect((await store.decisions.list({ rule: 'on-air' })).items.map(({ message }) => message)).toEqual(['ada went live']);
    expect(await store.decisions.counts(['on-air'])).toEqual([{ rule: 'on-air', outcome: 'fired', count: 1 }]);
    expect(await store.ruleStates.load('live')).toEqual({ memory: { firings: 0, firedMs: {} }, episodes: new Map() });
    expect([...(await store.ruleStates.lastSlots()).keys()]).toEqual(['on-air']);
  });

  test('a renamed rule has the values that a person stored under its new id, if it announced nothing there', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const storing = (rule: string, firings: number, kept: JsonObject) =>
      committing([], { rule, change: { memory: { firings, firedMs: {}, kept }, put: [], drop: [] } });
    await store.ruleStates.commit(storing('live', 3, { streams: 3, viewers: 70 }));
    await store.ruleStates.commit(storing('on-air', 0, { streams: 12 }));

    await store.ruleStates.rename({ from: 'live', to: 'on-air' });

    expect((await store.ruleStates.load('on-air')).memory).toEqual({ firings: 3, firedMs: {}, kept: { streams: 12, viewers: 70 } });
  });

  test('a renamed rule creates nothing again when an episode ends for the second time', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const steps = [creating(['x'], { id: 'over' }), creating(['x', 'bluesky']), setting(['x'])];
    const ends = (rule: string, occasion: string) => firing(steps, { rule, section: 'finally', occasion, atMs: SLOT_MS + MINUTE_MS });
    await store.ruleStates.commit(committing([ends('live', '1')]));
    await store.ruleStates.rename({ from: 'live', to: 'on-air' });

    await store.ruleStates.commit(committing([ends('on-air', '2')], { rule: 'on-air', slotMs: SLOT_MS + MINUTE_MS }));

    const { items } = await store.deliveryLog.list({ limit: 10 });
    expect(items.map((one) => `${one.do} ${one.account} ${one.occasion}`).toSorted()).toEqual([
      'discord.edit x 1',
      'discord.edit x 2',
      'social.createPost bluesky 1',
      'social.createPost x 1',
      'social.createPost x 1',
    ]);
  });

  test('a step without an id that has another position or an id creates nothing again when an episode ends for the second time', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const [over, thanks, more] = [['x'], ['bluesky'], ['x']].map((as, n) => creating(as, { with: { text: `text ${n}` } }));
    if (!over || !thanks || !more) throw new Error('there is no step');
    const ends = (occasion: string, steps: readonly Step[]) => firing(steps, { section: 'finally', occasion, atMs: SLOT_MS + MINUTE_MS });
    await store.ruleStates.commit(committing([ends('1', [setting(['x']), over, thanks])]));

    const edited = [over, more, setting(['x']), { ...thanks, id: 'thanks', number: 4 }];
    await store.ruleStates.commit(committing([ends('2', edited)], { slotMs: SLOT_MS + MINUTE_MS }));

    const { items } = await store.deliveryLog.list({ limit: 10 });
    const created = items.filter(({ creates }) => creates).map(({ account, occasion }) => `${account} ${occasion}`);
    expect(created.toSorted()).toEqual(['bluesky 1', 'x 1', 'x 2']);
  });

  test('a new step in the position of another one is created when an episode ends for the second time, and the other one only once', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const began = firing([creating(['x'])]);
    const [thanks, over] = ['thanks', 'over'].map((text) => creating(['x'], { with: { text } }));
    if (!thanks || !over) throw new Error('there is no step');
    const ends = (occasion: string, steps: readonly Step[]) =>
      firing(steps, { section: 'finally', occasion, atMs: SLOT_MS + MINUTE_MS, sees: [began.id] });
    await store.ruleStates.commit(committing([began, ends('1', [over])]));
    // The pause withdraws it, so the next end decides it again.
    await store.ruleStates.changePauses(['live'], { pause: { by: 'ada' } });
    await store.ruleStates.changePauses(['live'], { resume: 'now' });

    const created = async (occasion: string, steps: readonly Step[], minutes: number): Promise<readonly string[]> => {
      await store.ruleStates.commit(committing([ends(occasion, steps)], { slotMs: SLOT_MS + minutes * MINUTE_MS }));
      const { items } = await store.deliveryLog.list({ limit: 10 });
      return items.map((one) => `${one.section} ${one.step} ${one.occasion} ${one.state}`).toSorted();
    };

    const expected = ['finally 0 2 pending', 'finally 1 2 pending', 'then 0 1 skipped'];
    expect(await created('2', [thanks, over], 1)).toEqual(expected);
    expect(await created('3', [over, setting(['bluesky']), thanks], 2)).toEqual(['finally 1 3 pending', ...expected].toSorted());
  });

  test('a step without an id that was moved and edited creates nothing when an episode ends for the second time', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const began = firing([creating(['x'])]);
    const [bye, over, edited] = ['Bye!', 'Over.', 'It is over.'].map((text) => creating(['x'], { with: { text } }));
    if (!bye || !over || !edited) throw new Error('there is no step');
    const ends = (occasion: string, steps: readonly Step[]) =>
      firing(steps, { section: 'finally', occasion, atMs: SLOT_MS + Number(occasion) * MINUTE_MS, sees: [began.id] });
    await store.ruleStates.commit(committing([began, ends('1', [bye, over])]));

    await store.ruleStates.commit(committing([ends('2', [edited, bye])], { slotMs: SLOT_MS + MINUTE_MS }));

    const { items } = await store.deliveryLog.list({ limit: 10 });
    expect(items.map(({ section, step, occasion }) => `${section} ${step} ${occasion}`).toSorted()).toEqual([
      'finally 0 1',
      'finally 1 1',
      'then 0 1',
    ]);
  });

  test.for([
    ['that announced nothing is replaced', 0, ['ada', 'grace'], 3],
    ['that announced something keeps it', 2, ['ada of the new id', 'grace'], 2],
  ] as const)('a state under the new id %s', async ([, firings, cards, kept]) => {
    await using store = await open(new ManualClock(SLOT_MS));
    const card = (key: string, announcedBy: string | undefined) => ({
      ...episodeOf(`${key}@${announcedBy ?? 'silent'}`),
      key,
      announcedBy,
    });
    const old = [card('ada', 'ada'), card('grace', 'grace'), card('linus', undefined)];
    const now = [card('ada', firings > 0 ? 'ada of the new id' : undefined), card('grace', undefined)];
    const { memory } = changing({ put: [], drop: [] });
    await store.ruleStates.commit(committing([], { change: changing({ put: old, drop: [] }) }));
    await store.ruleStates.commit(
      committing([], { rule: 'on-air', slotMs: SLOT_MS + MINUTE_MS, change: { memory: { ...memory, firings }, put: now, drop: [] } }),
    );

    await store.ruleStates.rename({ from: 'live', to: 'on-air' });

    const state = await store.ruleStates.load('on-air');
    const announced = [...state.episodes.values()].flatMap(({ announcedBy }) => announcedBy ?? []);
    expect(announced.toSorted()).toEqual(cards);
    expect(state.memory.firings).toBe(kept);
    expect((await store.ruleStates.load('live')).episodes.size).toBe(0);
  });

  test('the instant at which a rule was deleted is stored, and removed when it runs again', async () => {
    await using store = await open(new ManualClock(SLOT_MS + MINUTE_MS));
    await store.ruleStates.commit(committing([]));
    await store.ruleStates.retire('live');
    const deleted = await store.ruleStates.lastSlots();
    await store.ruleStates.commit(committing([], { slotMs: SLOT_MS + 2 * MINUTE_MS }));

    expect(deleted.get('live')?.retiredMs).toBe(SLOT_MS + MINUTE_MS);
    expect((await store.ruleStates.lastSlots()).get('live')?.retiredMs).toBeUndefined();
  });

  test('a rule whose fuse blew is resumed once, and keeps its cooldowns', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const memory = { firings: 31, firedMs: { ada: SLOT_MS }, fusedMs: [SLOT_MS], blownMs: SLOT_MS };
    await store.ruleStates.commit(committing([], { change: { memory, put: [], drop: [] } }));

    expect(await store.ruleStates.paused()).toEqual(new Map([['live', { blownMs: SLOT_MS }]]));

    const resumed = await store.ruleStates.changePauses(['live'], { resume: 'now' });

    expect(resumed).toEqual(['live']);
    expect((await store.ruleStates.load('live')).memory).toEqual({ firings: 31, firedMs: { ada: SLOT_MS }, fusedMs: [], resumes: 1 });
    expect(await store.ruleStates.paused()).toEqual(new Map());
    expect(await store.ruleStates.changePauses(['live'], { resume: 'now' })).toEqual([]);
    expect(await store.ruleStates.changePauses(['nobody'], { resume: 'now' })).toEqual([]);
  });

  test('a slot that was running when its rule was resumed does not pause it again, and a fuse that blows later does', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const { ruleStates } = store;
    const blown = { firings: 31, firedMs: {}, fusedMs: [SLOT_MS], blownMs: SLOT_MS };
    const slot = (n: number, memory: RuleMemory) =>
      ruleStates.commit(committing([], { slotMs: SLOT_MS + n * MINUTE_MS, change: { memory, put: [], drop: [] } }));
    await slot(0, blown);
    const { memory: before } = await ruleStates.load('live');
    await ruleStates.changePauses(['live'], { resume: 'now' });

    await slot(1, { ...before, lastPollMs: SLOT_MS + MINUTE_MS });

    const { memory: after } = await ruleStates.load('live');
    expect(after).toEqual({ firings: 31, firedMs: {}, fusedMs: [], lastPollMs: SLOT_MS + MINUTE_MS, resumes: 1 });
    await slot(2, { ...after, blownMs: SLOT_MS + MINUTE_MS });
    expect(await ruleStates.paused()).toEqual(new Map([['live', { blownMs: SLOT_MS + MINUTE_MS }]]));
    expect([await ruleStates.changePauses(['live'], { resume: 'now' }), (await ruleStates.load('live')).memory.resumes]).toEqual([
      ['live'],
      2,
    ]);
  });

  test('a pause has its person and its time until the rule is resumed, once', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const { ruleStates } = store;

    const paused = [
      await ruleStates.changePauses(['live'], { pause: { by: 'ada' } }),
      await ruleStates.changePauses(['live'], { pause: { by: 'grace' } }),
    ];

    const person = { by: 'ada', atMs: SLOT_MS };
    expect(paused).toEqual([['live'], []]);
    expect(await ruleStates.paused()).toEqual(new Map([['live', { person }]]));
    expect((await ruleStates.load('live')).paused).toEqual(person);
    expect([
      await ruleStates.changePauses(['live'], { resume: 'now' }),
      await ruleStates.changePauses(['live'], { resume: 'now' }),
    ]).toEqual([['live'], []]);
    expect(await ruleStates.paused()).toEqual(new Map());
    expect((await ruleStates.load('live')).paused).toBeUndefined();
  });

  test('the pauses of several rules change together, if they are still as the person saw them', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using store = await open(clock);
    const { ruleStates } = store;
    const until = SLOT_MS + MINUTE_MS;
    await ruleStates.changePauses(['b'], { pause: { by: 'ada' } });
    const see = async () => ({ paused: await ruleStates.paused(), planned: await ruleStates.planned() });
    const seen = await see();
    const pauseAs = (by: string) => ruleStates.changePauses(['a', 'b'], { pause: { by, untilMs: until } }, seen);

    const both = await Promise.all([pauseAs('grace'), pauseAs('linus')]);
    const pauses = await see();
    const late = await ruleStates.changePauses(['a', 'b'], { resume: 'now' }, seen);
    const none = await ruleStates.changePauses(['a'], { pause: { by: 'eve', untilMs: until } }, pauses);
    const resumed = await ruleStates.changePauses(['b', 'c'], { resume: 'now' }, pauses);

    expect(both.filter((changed) => changed !== undefined)).toEqual([['a', 'b']]);
    expect(new Set([...pauses.paused.values()].map(({ person }) => person?.by)).size).toBe(1);
    expect([late, none, resumed]).toEqual([undefined, [], ['b']]);
    expect([...(await ruleStates.paused()).keys()]).toEqual(['a']);
  });

  test('a pause ends at its end time: the rule runs, and it can be paused again', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using store = await open(clock);
    const { ruleStates, deliveries } = store;
    const untilMs = SLOT_MS + MINUTE_MS;
    const pausedBy = async () => [(await ruleStates.paused()).get('live')?.person, (await ruleStates.load('live')).paused];

    await ruleStates.changePauses(['live'], { pause: { by: 'ada', untilMs } });
    const person = { by: 'ada', atMs: SLOT_MS, untilMs };
    expect(await pausedBy()).toEqual([person, person]);
    expect([
      await ruleStates.changePauses(['live'], { pause: { by: 'grace', untilMs } }),
      await ruleStates.changePauses(['live'], { pause: { by: 'grace', untilMs: untilMs + 1 } }),
    ]).toEqual([[], ['live']]);

    clock.set(untilMs + 1);
    expect(await pausedBy()).toEqual([undefined, undefined]);
    const late = firing([creating(['x'])], { atMs: untilMs + 1 });
    await ruleStates.commit(committing([late], { slotMs: untilMs + 1 }));
    expect((await deliveries.find(keysOf(late)[0] ?? ''))?.state).toBe('pending');
    expect([
      await ruleStates.changePauses(['live'], { resume: 'now' }),
      await ruleStates.changePauses(['live'], { pause: { by: 'linus' } }),
    ]).toEqual([[], ['live']]);
    expect((await ruleStates.paused()).get('live')?.person?.by).toBe('linus');
  });

  test('one resume ends a pause and a blown fuse', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const { ruleStates } = store;
    const memory = { firings: 31, firedMs: {}, fusedMs: [SLOT_MS], blownMs: SLOT_MS };
    await ruleStates.commit(committing([], { change: { memory, put: [], drop: [] } }));
    await ruleStates.changePauses(['live'], { pause: { by: 'ada' } });

    expect(await ruleStates.paused()).toEqual(new Map([['live', { blownMs: SLOT_MS, person: { by: 'ada', atMs: SLOT_MS } }]]));
    expect(await ruleStates.changePauses(['live'], { resume: 'now' })).toEqual(['live']);
    expect(await ruleStates.paused()).toEqual(new Map());
  });

  test('a pause withdraws pending announcements of its rule, and keeps begun deliveries and edits of `finally`', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const fired = firing([creating(['x', 'mastodon']), setting(['discord'])]);
    const closing = firing([setting(['discord']), creating(['x'])], { section: 'finally' });
    await store.ruleStates.commit(committing([fired, closing]));
    await store.ruleStates.commit(committing([firing([creating(['x'])], { rule: 'other' })], { rule: 'other' }));
    await begin(store, keysOf(fired)[1]);

    await store.ruleStates.changePauses(['live'], { pause: { by: 'ada' } });

    const { items } = await store.deliveryLog.list();
    expect(items.toReversed().map(({ section, account, state, message }) => [section, account, state, message])).toEqual([
      ['then', 'x', 'skipped', 'ada paused the rule'],
      ['then', 'mastodon', 'sending', undefined],
      ['then', 'discord', 'skipped', 'ada paused the rule'],
      ['finally', 'discord', 'pending', undefined],
      ['finally', 'x', 'skipped', 'ada paused the rule'],
      ['then', 'x', 'pending', undefined],
    ]);
  });

  test('a delivery that was withdrawn during its attempt can be sent by this attempt, and is not repeated', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const withdrawn = [
      firing([creating(['paused', 'sent'])]),
      firing([creating(['deleted'])], { rule: 'other' }),
      firing([creating(['replaced'])], { rule: 'next', queue: 'next' }),
    ];
    for (const fired of withdrawn) await store.ruleStates.commit(committing([fired], { rule: fired.rule }));
    const begun = [];
    for (const key of withdrawn.flatMap(keysOf)) begun.push(await begin(store, key));

    await store.ruleStates.changePauses(['live'], { pause: { by: 'ada' } });
    await store.ruleStates.retire('other');
    const replaced = { rule: 'next', of: { queue: 'next' }, section: 'then', message: 'replaced' } as const;
    await store.ruleStates.commit(committing([], { rule: 'next', slotMs: SLOT_MS + 1, withdrawals: [replaced] }));

    const ended = begun.map((delivery) =>
      store.deliveries.change(delivery, delivery.account === 'sent' ? { state: 'sent' } : { state: 'pending', dueAt: new Date(SLOT_MS) }),
    );
    expect((await Promise.all(ended)).map((delivery) => delivery && [delivery.account, delivery.state, delivery.message])).toEqual([
      ['paused', 'skipped', 'ada paused the rule'],
      ['sent', 'sent', undefined],
      // The file of the rule may return.
      ['deleted', 'pending', undefined],
      ['replaced', 'skipped', 'replaced'],
    ]);
    const [deleted = ''] = withdrawn.slice(1, 2).flatMap(keysOf);
    const held = { state: 'pending', dueAt: new Date(SLOT_MS + MINUTE_MS), withdrawn: { message: 'the rule was deleted' } };
    expect(await find(store, deleted)).toMatchObject(held);
  });

  test('a failed delivery is sent again with another step, unless its rule is paused or deleted', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const fired = firing([creating(['a'], { id: 'first' }), creating(['b'])]);
    await store.ruleStates.commit(committing([fired]));
    const [first = '', id] = keysOf(fired);
    await settle(store, first, { state: 'sent', result: { id: 'r1' } });
    await settle(store, id, { state: 'failed', error: { fault: 'forbidden', message: 'no' } });
    const failed = await find(store, id);
    const step = creating(['b'], { reads: ['first'], retry: { attempts: 3 }, strict: true });
    const planned = { step, names: { steps: { first: 'social.createPost' } } };
    const resend = () =>
      store.deliveries.reopen(failed, resendFailed(failed, { step, by: 'ada', nowMs: SLOT_MS }), { planned, reads: [first] });

    await store.ruleStates.changePauses(['live'], { pause: { by: 'grace' } });
    const whilePaused = await resend();
    await store.ruleStates.changePauses(['live'], { resume: 'now' });
    const both = await Promise.all([resend(), resend()]);

    expect(whilePaused).toBeUndefined();
    expect(both.filter((one) => one !== undefined)).toHaveLength(1);
    const reopened = await find(store, id);
    expect(reopened).toMatchObject({
      state: 'pending',
      attempts: 0,
      params: undefined,
      error: undefined,
      strict: true,
      retry: { attempts: 3 },
      resends: [{ by: 'ada', atMs: SLOT_MS, failure: 'no' }],
    });
    const { due, results } = await store.deliveries.prepare(reopened);
    expect([due.step, due.names, results]).toEqual([step, planned.names, { first: [{ account: 'a', result: { id: 'r1' } }] }]);
    expect((await store.deliveries.due('b', { nowMs: SLOT_MS, limit: 1 })).map((one) => one.id)).toEqual([id]);
    await settle(store, id, { state: 'failed' });
    await store.ruleStates.retire('live');
    expect(await store.deliveries.reopen(await find(store, id), { state: 'pending' }, {})).toBeUndefined();
  });

  test('a slot that was running when its rule was paused creates no announcement', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    await store.ruleStates.changePauses(['live'], { pause: { by: 'ada' } });

    await store.ruleStates.commit(committing([firing([creating(['x'])]), firing([setting(['discord'])], { section: 'while' })]));

    expect(await states(store)).toEqual([
      ['x', '1', 'skipped'],
      ['discord', '1', 'pending'],
    ]);
  });

  test('of simultaneous commits of a slot, one is written', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const commits = Array.from({ length: 8 }, (_, n) => committing([firing([creating(['x'])], { occasion: String(n) })]));

    const written = await Promise.all(commits.map((commit) => store.ruleStates.commit(commit)));

    expect(written.filter(Boolean)).toHaveLength(1);
    expect((await store.deliveryLog.list()).items).toHaveLength(1);
  });
}

function changing(episodes: Pick<StateChange, 'put' | 'drop'>): StateChange {
  return { memory: { firings: 3, firedMs: { ada: SLOT_MS }, lastPollMs: SLOT_MS, fingerprint: 'f' }, ...episodes };
}
