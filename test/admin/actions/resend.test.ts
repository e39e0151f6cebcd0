import { describe, expect, test } from 'vitest';
import { resend, type ResendOutcome } from '#src/admin/actions/resend.ts';
import { RESEND_WITHIN_MS } from '#src/engine/delivery/resolution.ts';
import { POST_RULE } from '#src/engine/posting/posts.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { Step } from '#src/rules/step.ts';
import { runEngine, type RunningEngine } from '../../engine/delivery/running-engine.ts';
import { failing } from '../../support/fake-platform.ts';
import { creating, episodeOf, firing, keysOf, setting } from '../../support/firings.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { makeRule } from '../../support/rules.ts';

const MINUTE_MS = 60_000;

/** Sends a delivery again, with the current rule. */
function resendNow(
  { store, engine, clock }: RunningEngine,
  id: string | undefined,
  now?: Partial<Rule>,
  by = 'ada',
): Promise<ResendOutcome> {
  const rule = now && makeRule(now);
  return resend(id ?? '', by, {
    deliveries: { ...store.deliveries, reopen: engine.reopen },
    ruleStates: store.ruleStates,
    findRule: () => rule && { rule, isOn: rule.enabled !== false },
    isPost: (one) => one === POST_RULE,
    clock,
  });
}

/** A failed step through x, and its key. */
async function fail(running: RunningEngine, step: Partial<Step> = {}): Promise<string> {
  running.platform.nextFailures.set('x', ['forbidden']);
  const fired = firing([creating(['x'], step)]);
  await running.commit([fired]);
  return keysOf(fired)[0] ?? '';
}

describe('a failed delivery that is sent again', () => {
  test('can be sent for a week after it was due, however long before it was decided', async () => {
    await using running = await runEngine();
    const afterMs = 2 * RESEND_WITHIN_MS;
    const step = creating(['x'], { afterMs });
    const id = await fail(running, step);
    await running.clock.advance(afterMs + RESEND_WITHIN_MS - MINUTE_MS);
    // The next commit also deletes what is no longer needed.
    await running.commit([]);

    expect(await resendNow(running, id, { then: [step] })).toMatchObject({ resent: { state: 'pending' } });
  });

  test('can be sent for a week after its last retry', async () => {
    await using running = await runEngine();
    const step = creating(['x'], { retry: { forMs: RESEND_WITHIN_MS + 24 * 60 * MINUTE_MS } });
    running.platform.nextFailures.set(
      'x',
      Array.from({ length: 1_000 }, () => 'unavailable'),
    );
    const fired = firing([step]);
    await running.commit([fired]);
    const [id = ''] = keysOf(fired);
    await running.clock.advance(RESEND_WITHIN_MS + 25 * 60 * MINUTE_MS);
    expect(await running.find(id)).toMatchObject({ state: 'failed', reason: { kind: 'retriesExhausted' } });

    await running.clock.advance(RESEND_WITHIN_MS - 25 * 60 * MINUTE_MS);
    await running.commit([]);

    expect(await resendNow(running, id, { then: [step] })).toMatchObject({ resent: { state: 'pending' } });
  });

  test('has the current step, another key, and the name of the person', async () => {
    await using running = await runEngine();
    const id = await fail(running, { maxAgeMs: 1_000 });
    await running.clock.advance(60 * MINUTE_MS);
    const atMs = running.clock.nowMs();

    const outcome = await resendNow(running, id, { then: [creating(['x'], { with: { text: 'corrected' } })] });
    await running.clock.advance(0);

    expect(outcome).toMatchObject({ resent: { state: 'pending', reason: { kind: 'resent', by: 'ada' } } });
    const [first, second] = running.platform.attempts;
    expect([first?.params, second?.params]).toEqual([{ text: 'hello' }, { text: 'corrected' }]);
    expect(second?.key).not.toBe(first?.key);
    expect(await running.find(id)).toMatchObject({
      state: 'sent',
      attempts: 1,
      result: { id: 'r1' },
      error: undefined,
      resends: [{ by: 'ada', atMs, failure: 'it said forbidden' }],
    });
  });

  test('is sent once, even if two people resend it, and again after another failure', async () => {
    await using running = await runEngine();
    const id = await fail(running);
    const rule = { then: [creating(['x'])] };

    const outcomes = await Promise.all([resendNow(running, id, rule), resendNow(running, id, rule, 'grace')]);
    running.platform.nextFailures.set('x', ['forbidden']);
    await running.clock.advance(0);
    const third = await resendNow(running, id, rule, 'grace');
    await running.clock.advance(0);

    expect(outcomes.filter((outcome) => outcome && 'resent' in outcome)).toHaveLength(1);
    expect(outcomes).toContainEqual({ refused: { kind: 'state', state: expect.stringMatching(/pending|sending/) } });
    expect(third).toHaveProperty('resent');
    expect(running.platform.records).toHaveLength(1);
    expect(new Set(running.platform.attempts.map(({ key }) => key)).size).toBe(3);
    expect((await running.find(id)).resends?.map(({ by }) => by)).toHaveLength(2);
  });

  test('goes only through the account that failed, and later steps of the episode read its result', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set('x', ['forbidden']);
    const post = creating(['x', 'mastodon'], { id: 'post' });
    const fired = firing([post]);
    await running.commit([fired]);

    await resendNow(running, keysOf(fired)[0], { then: [post] });
    await running.clock.advance(0);
    const closing = firing([setting(['discord'], { reads: ['post'] })], { section: 'finally', sees: [fired.id] });
    await running.commit([closing]);

    expect(running.platform.records.map(({ account }) => account)).toEqual(['mastodon', 'x', 'discord']);
    const { results } = await running.store.deliveries.prepare(await running.find(keysOf(closing)[0]));
    expect(results).toEqual({ post: [{ account: 'x', result: { id: 'r2' } }] });
  });

  test('reads the results that the step needs now', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set('x', ['forbidden']);
    const card = creating(['discord'], { id: 'card' });
    const fired = firing([card, creating(['x'])]);
    await running.commit([fired]);
    const [, id] = keysOf(fired);

    await resendNow(running, id, { then: [card, creating(['x'], { reads: ['card'] })] });

    const { results } = await running.store.deliveries.prepare(await running.find(id));
    expect(results).toEqual({ card: [{ account: 'discord', result: { id: 'r1' } }] });
  });

  test('continues a thread from the part that failed, with the texts that were decided', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set('x', [undefined, 'forbidden']);
    const thread = creating(['x'], { fit: 'thread', with: { text: 'one|two|three' } });
    await running.commit([firing([thread])]);
    const { items } = await running.store.deliveryLog.list({ state: 'failed' });

    await resendNow(running, items[0]?.id, { then: [thread] });
    await running.clock.advance(0);

    expect(running.platform.records.map(({ params }) => params)).toEqual([
      { text: 'one' },
      { text: 'two', replyTo: 'r1' },
      { text: 'three', replyTo: 'r2' },
    ]);
  });

  test('can become a thread, and each element of a list is sent separately', async () => {
    await using running = await runEngine();
    const id = await fail(running);
    await resendNow(running, id, { then: [creating(['x'], { fit: 'thread', with: { text: 'one|two' } })] });
    await running.clock.advance(0);
    running.platform.nextFailures.set('y', [undefined, 'forbidden']);
    const list = creating(['y'], { forEach: 'a,b,c' });
    await running.commit([firing([list], { occasion: '2' })]);
    const { items } = await running.store.deliveryLog.list({ state: 'failed' });

    await resendNow(running, items[0]?.id, { then: [list] });
    await running.clock.advance(0);

    expect(running.platform.records.map(({ params }) => params['it'] ?? params['text'])).toEqual(['one', 'two', 'a', 'c', 'b']);
  });

  test('is found if its answer is lost, and is not sent twice', async () => {
    await using running = await runEngine({ traits: { deduplicates: false }, visibleAfterMs: () => 10_000 });
    const id = await fail(running);
    running.platform.nextFailures.set('x', ['answerLost']);

    await resendNow(running, id, { then: [creating(['x'])] });
    await running.clock.advance(60 * MINUTE_MS);

    expect(running.platform.records).toHaveLength(1);
    expect(await running.find(id)).toMatchObject({ state: 'sent' });
  });

  test('is a post of each poll of an open episode', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set('x', ['forbidden']);
    const post = creating(['x']);
    const poll = firing([post], { section: 'while' });
    await running.commit([poll]);

    expect(await resendNow(running, keysOf(poll)[0], { while: [post] })).toMatchObject({ resent: { state: 'pending' } });
  });

  test('is a post of a person, with its text', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set('x', ['forbidden']);
    const fired = firing([creating(['x'])], { rule: POST_RULE });
    await running.commit([fired], { rule: POST_RULE });

    await resendNow(running, keysOf(fired)[0]);
    await running.clock.advance(0);

    expect(running.platform.records.map(({ params }) => params)).toEqual([{ text: 'hello' }]);
  });
});

describe('a delivery is not sent again', () => {
  const step = creating(['x']);

  test.each([
    ['without its rule', undefined, 'ruleGone'],
    ['if its rule is off', { enabled: false, then: [step] }, 'ruleOff'],
    ['if the rule no longer has the step', { then: [creating(['x'], { do: 'social.sendMessage' })] }, 'stepGone'],
    ['if the step no longer has the account', { then: [creating(['mastodon'])] }, 'stepGone'],
  ] as const)('%s', async (_, rule, kind) => {
    await using running = await runEngine();
    const id = await fail(running);

    expect(await resendNow(running, id, rule)).toEqual({ refused: { kind } });
    expect(await running.find(id)).toMatchObject({ state: 'failed', resends: undefined });
  });

  test('while its item is muted, but after the end of the episode', async () => {
    await using running = await runEngine();
    const { ruleStates } = running.store;
    const episode = episodeOf('ada@1');
    const memory = { firings: 1, firedMs: {} };
    running.platform.nextFailures.set('x', ['forbidden', 'forbidden', 'forbidden']);
    const all = [
      firing([creating(['x'])]),
      firing([creating(['x'])], { section: 'while' }),
      firing([setting(['x'])], { section: 'finally', occasion: '2' }),
    ];
    await running.commit(all, { change: { memory, put: [episode], drop: [] } });
    const [post = '', reminder = '', edit = ''] = all.flatMap(keysOf);
    const rule = { then: [creating(['x'])], while: [creating(['x'])], finally: [setting(['x'])] };
    await ruleStates.mute('live', 'ada@1', 'grace');

    const muted = { refused: { kind: 'muted', by: 'grace' } };
    expect([await resendNow(running, post, rule), await resendNow(running, reminder, rule)]).toEqual([muted, muted]);
    expect(await resendNow(running, edit, rule)).toMatchObject({ resent: { state: 'pending' } });

    const { slotMs = 0 } = await ruleStates.load('live');
    const put = [{ ...episode, phase: 'closed' as const, closedMs: slotMs + 1 }];
    await running.commit([], { slotMs: slotMs + MINUTE_MS, change: { memory, put, drop: [] } });
    expect(await resendNow(running, post, rule)).toMatchObject({ resent: { state: 'pending' } });
  });

  test('if its item is muted at the same time', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set('x', ['forbidden']);
    const fired = firing([creating(['x'])]);
    await running.commit([fired], { change: { memory: { firings: 1, firedMs: {} }, put: [episodeOf('ada@1')], drop: [] } });
    const [id = ''] = keysOf(fired);
    const { reopen } = running.engine;
    const muteFirst: typeof reopen = async (...call) => {
      await running.store.ruleStates.mute('live', 'ada@1', 'grace');
      return reopen(...call);
    };

    const outcome = await resend(id, 'ada', {
      deliveries: { ...running.store.deliveries, reopen: muteFirst },
      ruleStates: running.store.ruleStates,
      findRule: () => ({ rule: makeRule({ then: [creating(['x'])] }), isOn: true }),
      isPost: () => false,
      clock: running.clock,
    });

    expect(outcome).toEqual({ refused: { kind: 'muted', by: 'grace' } });
  });

  test('of one element if the step no longer sends each element', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set('y', [undefined, 'forbidden']);
    await running.commit([firing([creating(['y'], { forEach: 'a,b,c' })])]);
    const { items } = await running.store.deliveryLog.list({ state: 'failed' });

    expect(await resendNow(running, items[0]?.id, { then: [creating(['y'])] })).toEqual({ refused: { kind: 'stepGone' } });
  });

  test('with the later parts of its thread that have another reason', async () => {
    const part = (id: string, after: string, reasonKind: string) => ({ id, after, reasonKind, firing: 'f', rule: 'live', state: 'failed' });
    const all = [
      part('second', 'first', 'failed'),
      part('third', 'second', 'previousPartNotSent'),
      part('fourth', 'third', 'tooLate'),
      part('fifth', 'fourth', 'previousPartNotSent'),
    ].map((one) => ({ ...one, createdAt: new Date(0) }));
    const reopened: unknown[] = [];

    await resend('second', 'ada', {
      deliveries: {
        find: async () => all[0],
        plan: async () => ({ step }),
        ofFirings: async () => all,
        reopen: async (_delivery: unknown, _change: unknown, { continues }: { readonly continues: unknown }) => reopened.push(continues),
      } as never, // what a part of a thread needs
      ruleStates: { paused: async () => new Map() },
      findRule: () => ({ rule: makeRule({ then: [step] }), isOn: true }),
      isPost: () => false,
      clock: { nowMs: () => 0 },
    });

    expect(reopened).toEqual([['third']]);
  });

  test('while its rule is paused, until it is resumed', async () => {
    await using running = await runEngine();
    const id = await fail(running);
    await running.store.ruleStates.changePauses(['live'], { pause: { by: 'grace' } });

    const paused = await resendNow(running, id, { then: [step] });
    await running.store.ruleStates.changePauses(['live'], { resume: 'now' });

    expect(paused).toEqual({ refused: { kind: 'paused', by: 'grace' } });
    expect(await resendNow(running, id, { then: [step] })).toHaveProperty('resent');
  });

  test('unless it has failed', async () => {
    await using running = await runEngine({ traits: { deduplicates: false, finds: 'nothing' } });
    running.platform.nextFailures.set('lost', ['answerLost']);
    const fired = firing([creating(['lost']), creating(['sent']), creating(['later'], { afterMs: 120 * MINUTE_MS })]);
    await running.commit([fired]);
    await running.clock.advance(60 * MINUTE_MS);

    const outcomes = [];
    for (const key of [...keysOf(fired), 'nobody']) outcomes.push(await resendNow(running, key, { then: [step] }));

    expect(outcomes).toEqual([
      { refused: { kind: 'state', state: 'unknown' } },
      { refused: { kind: 'state', state: 'sent' } },
      { refused: { kind: 'state', state: 'pending' } },
      undefined,
    ]);
  });

  test('if the platform made something else, if it edits an open card, or after a week', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set('x', [Object.assign(failing('rejected'), { record: { id: 'other' } })]);
    running.platform.nextFailures.set('discord', ['forbidden']);
    running.platform.nextFailures.set('mastodon', ['forbidden']);
    const opening = firing([step, creating(['mastodon'])]);
    const edit = firing([setting(['discord'])], { section: 'while' });
    await running.commit([opening, edit]);
    const [other, old] = keysOf(opening);
    const rule = { then: [step, creating(['mastodon'])], while: [setting(['discord'])] };

    expect(await resendNow(running, other, rule)).toEqual({ refused: { kind: 'otherRecord' } });
    expect(await resendNow(running, keysOf(edit)[0], rule)).toEqual({ refused: { kind: 'superseded' } });
    const aWeekLater = { ...running, clock: new ManualClock(running.clock.nowMs() + RESEND_WITHIN_MS + MINUTE_MS) };
    expect(await resendNow(aWeekLater, old, rule)).toEqual({ refused: { kind: 'tooOld' } });
  });
});
