import { describe, expect, test } from 'vitest';
import type { RuleStates } from '#src/engine/scheduler/rule-states.ts';
import type { Step } from '#src/rules/step.ts';
import { creating, firing, keysOf, SLOT_MS } from '../../support/firings.ts';
import { runEngine } from './running-engine.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const ASK = creating(['discord'], { id: 'verdict', do: 'discord.ask', maxAgeMs: HOUR_MS, with: { content: 'shall I?' } });
const asking = () => firing([ASK, creating(['x'], { reads: ['verdict'] }), creating(['discord'], { with: { text: 'independent' } })]);

describe('a question', () => {
  test('waits for a person, and delays only the steps that read its answer', async () => {
    await using running = await runEngine();
    const fired = asking();

    await running.commit([fired]);

    expect(await running.find(keysOf(fired)[0])).toMatchObject({ state: 'asked', result: { id: 'r1' }, sentAt: new Date(SLOT_MS) });
    expect(await running.states()).toEqual([
      ['discord', 'asked'],
      ['x', 'pending'],
      ['discord', 'sent'],
    ]);
  });

  test('is answered once, even if buttons are pressed several times', async () => {
    await using running = await runEngine();
    const fired = asking();
    await running.commit([fired]);
    const key = String(keysOf(fired)[0]);

    const presses = [
      running.engine.answer(key, { choice: 'send', by: 'ada' }),
      running.engine.answer(key, { choice: 'drop', by: 'grace' }),
    ];
    const [first, second] = await Promise.all(presses);
    const third = await running.engine.answer(key, { choice: 'drop', by: 'linus' });
    await running.clock.advance(0);

    expect(first).toMatchObject({ state: 'sent', result: { id: 'r1', choice: 'send', by: 'ada' } });
    expect([second, third]).toEqual([undefined, undefined]);
    expect(running.platform.records.map(({ account }) => account)).toEqual(['discord', 'discord', 'x']);
    const { results } = await running.store.deliveries.prepare(await running.find(keysOf(fired)[1]));
    expect(results).toEqual({ verdict: [{ account: 'discord', result: { id: 'r1', choice: 'send', by: 'ada' } }] });
  });

  test.for<readonly [by: string, stop: (states: RuleStates, nowMs: number) => Promise<unknown>, message: string]>([
    [
      'a pause',
      (states) => states.changePauses(['live'], { pause: { by: 'ada' } }),
      'ada paused the rule, and new messages after this question were withdrawn before the answer; they are not sent after the pause either',
    ],
    [
      'a pause that is over',
      async (states) => {
        await states.changePauses(['live'], { pause: { by: 'ada' } });
        await states.changePauses(['live'], { resume: 'now' });
      },
      'ada paused the rule, and new messages after this question were withdrawn before the answer; they are not sent after the pause either',
    ],
    [
      'a planned pause that began',
      async (states, nowMs) => {
        await states.changePauses(['live'], { pause: { by: 'ada', fromMs: nowMs + 1 } });
        return () => states.beginPlanned();
      },
      'ada paused the rule, and new messages after this question were withdrawn before the answer; they are not sent after the pause either',
    ],
    [
      'a rule that is off',
      (states) => states.disable('live'),
      'the rule was turned off, and new messages after this question were withdrawn before the answer',
    ],
  ])('says that its answer was preceded by %s', async ([, stop, message]) => {
    await using running = await runEngine();
    const fired = asking();
    await running.commit([fired]);
    const next = await stop(running.store.ruleStates, running.clock.nowMs());
    await running.clock.advance(2 * MINUTE_MS);
    if (typeof next === 'function') await next();

    const answer = await running.engine.answer(String(keysOf(fired)[0]), { choice: 'send' });
    await running.clock.advance(0);

    expect(answer).toMatchObject({ state: 'sent', result: { choice: 'send' }, message, reason: { kind: 'nextStepsWithdrawn' } });
    expect((await running.find(keysOf(fired)[1])).state).toBe('skipped');
  });

  test('is closed without an answer in time, and the steps that read it continue without a choice', async () => {
    await using running = await runEngine();
    const fired = asking();
    await running.commit([fired]);
    const key = String(keysOf(fired)[0]);

    await running.clock.advance(HOUR_MS);

    expect(await running.find(key)).toMatchObject({ state: 'sent', message: 'no one answered', result: { id: 'r1' } });
    expect(running.unanswered.map(({ id }) => id)).toEqual([key]);
    expect(running.platform.records.map(({ account }) => account)).toEqual(['discord', 'discord', 'x']);
    expect(await running.engine.answer(key, { choice: 'send' })).toBeUndefined();
  });

  test('of a deleted rule is closed after a minute, and its buttons are removed', async () => {
    await using running = await runEngine();
    const fired = asking();
    await running.commit([fired]);
    const key = String(keysOf(fired)[0]);

    await running.store.ruleStates.retire(fired.rule);
    running.engine.wake();
    await running.clock.advance(MINUTE_MS);

    expect(await running.find(key)).toMatchObject({ state: 'sent', message: 'the rule was deleted' });
    expect(running.unanswered.map(({ id }) => id)).toEqual([key]);
    expect(await running.engine.answer(key, { choice: 'send' })).toBeUndefined();
    expect(running.platform.records.map(({ account }) => account)).toEqual(['discord', 'discord']);
  });

  test('has its whole time for the answer, even if it could not be sent at once', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set('discord', ['unreachable', 'unreachable', 'unreachable']);
    const fired = asking();

    await running.commit([fired]);
    await running.clock.advance(MINUTE_MS);

    const { sentAt, dueAt } = await running.find(keysOf(fired)[0]);
    expect(sentAt?.getTime()).toBeGreaterThan(SLOT_MS);
    expect(dueAt.getTime() - (sentAt?.getTime() ?? 0)).toBe(HOUR_MS);
  });

  test('without a time limit waits without end', async () => {
    await using running = await runEngine();
    const fired = firing([{ ...ASK, maxAgeMs: undefined }]);
    await running.commit([fired]);

    await running.clock.advance(30 * HOUR_MS);

    expect(await running.states()).toEqual([['discord', 'asked']]);
  });

  test('can be answered before its receipt is stored', async () => {
    await using running = await runEngine();
    const hanging = Promise.withResolvers<void>();
    running.platform.hangs.set('discord', hanging.promise);
    const fired = asking();
    await running.commit([fired]);
    const key = String(keysOf(fired)[0]);

    const answered = await running.engine.answer(key, { id: 'live/1', choice: 'send' });
    hanging.resolve();
    await running.clock.advance(0);

    expect(answered).toMatchObject({ state: 'sent' });
    expect(await running.find(key)).toMatchObject({ state: 'sent', result: { id: 'live/1', choice: 'send' } });
  });

  test('that is not sent yet, or another step, has no answer', async () => {
    await using running = await runEngine();
    const fired = firing([{ ...ASK, afterMs: HOUR_MS }, creating(['x'])]);
    await running.commit([fired]);

    const answers = await Promise.all([...keysOf(fired), 'no-such-delivery'].map((key) => running.engine.answer(key, { choice: 'send' })));

    expect(answers).toEqual([undefined, undefined, undefined]);
  });

  test('that the operator resolves as sent waits for its answer', async () => {
    await using running = await runEngine({ traits: { deduplicates: false, finds: 'nothing' } });
    running.platform.nextFailures.set('discord', ['answerLost']);
    const fired = asking();
    await running.commit([fired]);
    await running.clock.advance(10 * MINUTE_MS);
    const key = String(keysOf(fired)[0]);

    const resolved = await running.engine.resolve(key, 'sent');

    expect(resolved).toMatchObject({ state: 'asked' });
    expect(await running.engine.answer(key, { choice: 'drop' })).toMatchObject({ state: 'sent', result: { choice: 'drop' } });
  });
});

describe('the time of a step that needs a result', () => {
  const asks = (count: number, step: Partial<Step> = {}) =>
    Array.from({ length: count }, (_, index) =>
      creating(['discord'], {
        id: `q${index}`,
        do: 'discord.ask',
        maxAgeMs: HOUR_MS / 2,
        reads: index === 0 ? [] : [`q${index - 1}`],
        with: { content: `question ${index}` },
        ...step,
      }),
    );

  test.each([
    { does: 'are answered late', answerAfterMs: HOUR_MS / 2 - 1, state: 'sent' },
    { does: 'have no answer', answerAfterMs: undefined, state: 'sent' },
  ])('begins with the result: three questions in a row that $does are all asked', async ({ answerAfterMs, state }) => {
    await using running = await runEngine();
    const fired = firing([...asks(3), creating(['x'], { reads: ['q2'], maxAgeMs: MINUTE_MS })]);
    await running.commit([fired]);

    for (const key of keysOf(fired).slice(0, 3)) {
      expect(await running.find(key)).toMatchObject({ state: 'asked' });
      await running.clock.advance(answerAfterMs ?? HOUR_MS / 2);
      if (answerAfterMs !== undefined) await running.engine.answer(key, { choice: 'send' });
      await running.clock.advance(0);
    }

    expect(await running.states()).toEqual([...Array.from({ length: 3 }, () => ['discord', state]), ['x', 'sent']]);
  });

  test('begins when the delivery that it reads is sent, even after repeats', async () => {
    await using running = await runEngine();
    running.platform.nextFailures.set(
      'x',
      Array.from({ length: 10 }, () => 'unreachable'),
    );
    const fired = firing([creating(['x'], { id: 'post' }), creating(['discord'], { reads: ['post'], maxAgeMs: 1_000 })]);
    await running.commit([fired]);

    await running.clock.advance(12 * HOUR_MS);

    expect(await running.states()).toEqual([
      ['x', 'sent'],
      ['discord', 'sent'],
    ]);
  });

  test('ends `maxAge` after the result, if the step cannot begin before', async () => {
    await using running = await runEngine();
    const steps = [...asks(1), creating(['x'], { reads: ['q0'], maxAgeMs: MINUTE_MS })];
    const fired = firing(steps);
    await running.commit([fired]);
    await running.clock.advance(20 * MINUTE_MS);
    const [question, post] = keysOf(fired);

    // The answer was stored before the program was down for two minutes.
    const settledAt = new Date(running.clock.nowMs() - 2 * MINUTE_MS);
    await running.store.deliveries.change(await running.find(question), { state: 'sent', settledAt, result: { choice: 'send' } });
    running.engine.wake();
    await running.clock.advance(0);

    expect(await running.find(post)).toMatchObject({
      state: 'skipped',
      reason: { kind: 'tooLate', untilMs: SLOT_MS + 19 * MINUTE_MS },
    });
  });

  test('does not limit the time for the answer, which has a key', async () => {
    await using running = await runEngine();
    const fired = firing(asks(1, { answerWithinMs: 12 * HOUR_MS }));
    await running.commit([fired]);
    const [question] = keysOf(fired);

    await running.clock.advance(11 * HOUR_MS);
    expect(await running.find(question)).toMatchObject({ state: 'asked', dueAt: new Date(SLOT_MS + 12 * HOUR_MS) });

    await running.clock.advance(HOUR_MS);
    expect(await running.find(question)).toMatchObject({ state: 'sent', reason: { kind: 'unanswered' } });
  });
});

describe('a question for two members', () => {
  const BOTH = creating(['discord'], { id: 'verdict', do: 'discord.ask', maxAgeMs: HOUR_MS, with: { content: 'shall I?', answers: 2 } });
  const person = (id: string) => ({ platform: 'discord', id });
  const [ada, grace] = [person('1'), person('2')];

  test.for([
    ['send', 'send'],
    ['drop', undefined],
  ] as const)('has a choice only if they agree: send and %s', async ([second, choice]) => {
    await using running = await runEngine();
    const fired = firing([BOTH, creating(['x'], { reads: ['verdict'] })]);
    await running.commit([fired]);
    const key = String(keysOf(fired)[0]);

    const first = await running.engine.answer(key, { choice: 'drop', by: ada });
    const changed = await running.engine.answer(key, { choice: 'send', by: ada });
    expect([first?.state, changed?.state]).toEqual(['asked', 'asked']);
    expect(changed?.result).toEqual({ id: 'r1', answers: [{ choice: 'send', by: ada }] });
    const last = await running.engine.answer(key, { choice: second, by: grace });
    await running.clock.advance(0);

    const answers = [
      { choice: 'send', by: ada },
      { choice: second, by: grace },
    ];
    expect(last).toMatchObject({ state: 'sent' });
    expect(last?.result).toEqual({ id: 'r1', answers, ...(choice !== undefined && { choice }) });
    expect(running.platform.records.map(({ account }) => account)).toEqual(['discord', 'x']);
    expect(await running.engine.answer(key, { choice: 'drop', by: person('3') })).toBeUndefined();
  });

  test('informs each member who answers after a pause', async () => {
    await using running = await runEngine();
    const fired = firing([BOTH, creating(['x'], { reads: ['verdict'] })]);
    await running.commit([fired]);
    const key = String(keysOf(fired)[0]);
    await running.store.ruleStates.changePauses(['live'], { pause: { by: 'grace' } });

    const first = await running.engine.answer(key, { choice: 'send', by: ada });
    const last = await running.engine.answer(key, { choice: 'send', by: grace });

    const reason = { kind: 'nextStepsWithdrawn', because: { kind: 'rulePaused', by: 'grace' } };
    expect([first, last]).toMatchObject([
      { state: 'asked', reason },
      { state: 'sent', reason },
    ]);
  });

  test('keeps both answers of the same instant', async () => {
    await using running = await runEngine();
    const fired = firing([BOTH]);
    await running.commit([fired]);
    const key = String(keysOf(fired)[0]);

    await Promise.all([ada, grace].map((by) => running.engine.answer(key, { choice: 'send', by })));

    expect(await running.find(key)).toMatchObject({ state: 'sent', result: { choice: 'send', answers: [{}, {}] } });
  });

  test('is closed with the answers that came in time', async () => {
    await using running = await runEngine();
    const fired = firing([BOTH]);
    await running.commit([fired]);
    const key = String(keysOf(fired)[0]);
    await running.clock.advance(HOUR_MS / 2);
    await running.engine.answer(key, { choice: 'send', by: ada });

    await running.clock.advance(HOUR_MS / 2);

    expect(await running.find(key)).toMatchObject({ state: 'sent', message: 'no one answered', result: { answers: [{ by: ada }] } });
  });
});
