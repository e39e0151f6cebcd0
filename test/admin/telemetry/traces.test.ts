import { describe, expect, test } from 'vitest';
import { configOfEnvironment } from '#src/config/config.ts';
import { createDeliveryEngine } from '#src/engine/delivery/delivery-engine.ts';
import { createLog, silentLog, type Log } from '#src/log.ts';
import type { Firing } from '#src/rules/firing.ts';
import { createScheduler } from '#src/engine/scheduler/scheduler.ts';
import { openStore, type Store } from '#src/store/store.ts';
import { openTraces } from '#src/admin/telemetry/open-traces.ts';
import { FakePlatform } from '../../support/fake-platform.ts';
import { creating, firing, renderPlainly, SLOT_MS } from '../../support/firings.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { receiveOtlp, type OtlpReceiver, type ReceivedSpan } from '../../support/otlp-receiver.ts';
import { makeRule } from '../../support/rules.ts';

interface WorkerOptions {
  readonly worker: string;
  readonly receiver: Pick<OtlpReceiver, 'url'>;
  readonly store: Store;
  readonly platform: FakePlatform;
  readonly clock: ManualClock;
  /** The firings of a slot. */
  readonly fired?: readonly Firing[];
  readonly log?: Log;
}

/** Runs a slot and the deliveries that are due, as a worker does; its spans are exported at the end. */
async function work({ worker, receiver, store, platform, clock, fired = [], log = silentLog }: WorkerOptions): Promise<void> {
  const { traces: settings } = configOfEnvironment({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-token=a%20b',
  });
  await using traces = await openTraces({ settings, worker, clock, log });
  const { perform, recover } = platform;
  const engine = createDeliveryEngine({
    deliveries: store.deliveries,
    perform,
    recover,
    render: renderPlainly,
    visibleAfterMs: () => 0,
    onDelivery: (delivery) => traces?.delivered(delivery),
    onAttempt: (ended) => traces?.attempted(ended),
    clock,
    log: silentLog,
  });
  const scheduler = await createScheduler({
    rules: [makeRule()],
    states: store.ruleStates,
    async read(due, onPoll) {
      await clock.sleep(200);
      for (const { rule } of due) await onPoll(rule.id, { items: [], complete: true });
    },
    advance: ({ slotMs: atMs }) => ({
      firings: fired,
      withdrawals: [],
      decisions: fired.map(({ id }) => ({
        rule: 'live',
        atMs,
        outcome: 'fired',
        message: '',
        details: { firing: id, occurredAt: new Date(atMs - 9_000).toISOString() },
      })),
    }),
    onCommit: (commit, times) => traces?.slotCommitted(commit, times),
    clock,
    log: silentLog,
  });
  const ticked = scheduler.tick();
  await clock.advance(200);
  await ticked;
  while (await engine.deliverNext());
}

const named = (spans: readonly ReceivedSpan[], name: string) => spans.filter((span) => span.name === name);

describe('traces', () => {
  test('the work of two workers on one firing is one trace, from the tick to the receipt', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using receiver = await receiveOtlp();
    await using store = await openStore({ clock });
    const platform = new FakePlatform(clock, { deduplicates: false });
    platform.nextFailures.set('x', ['answerLost']);
    const fired = firing([creating(['x'], { with: { text: 'a secret text' } }), creating(['mastodon'])], { queue: 'live/ada' });
    platform.latencyMs = () => 0;

    await work({ worker: 'worker-1', receiver, store, platform, clock, fired: [fired] });
    // The first worker began the delivery through x, and the second one reconciles it.
    clock.set(SLOT_MS + 20_000);
    await work({ worker: 'worker-2', receiver, store, platform, clock });

    const { spans } = receiver;
    const [slot = expect.fail('no span of the slot'), ...others] = named(spans, 'slot');
    expect(others).toEqual([]);
    expect(slot.parentSpanId).toBeUndefined();
    expect(slot.traceId).toMatch(/^[0-9a-f]{32}$/u);
    expect(slot).toMatchObject({ beganMs: SLOT_MS, endedMs: SLOT_MS + 200, worker: 'worker-1' });
    expect(slot.attributes).toMatchObject({ 'fanfare.rule': 'live', 'fanfare.item': 'ada', 'fanfare.steps': 2 });
    expect(slot.attributes).toMatchObject({ 'fanfare.noticed_by': 'poll', 'fanfare.notice_delay_ms': 9_000 });
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([slot.traceId]));
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
    const ids = new Set(spans.map(({ spanId }) => spanId));
    expect(spans.filter((span) => span !== slot && !ids.has(span.parentSpanId ?? ''))).toEqual([]);

    const ofSlot = spans.filter(({ parentSpanId }) => parentSpanId === slot.spanId);
    expect(ofSlot.map(({ name, endedMs, beganMs }) => `${name} ${endedMs - beganMs}`).toSorted()).toEqual([
      'commit 0',
      'delivery 0',
      'delivery 20000',
      'evaluate 0',
      'poll 200',
    ]);
    const late = named(spans, 'delivery').find(({ worker }) => worker === 'worker-2');
    expect(late?.attributes).toMatchObject({ 'fanfare.account': 'x', 'fanfare.state': 'sent', 'fanfare.do': 'social.createPost' });
    expect(spans.filter(({ parentSpanId }) => parentSpanId === late?.spanId).map(({ name, worker }) => `${name} ${worker}`)).toEqual([
      'attempt worker-1',
      'reconcile worker-2',
    ]);
    expect(named(spans, 'attempt').map(({ attributes, isError }) => [attributes['fanfare.fault'], isError])).toEqual([
      ['unanswered', true],
      [undefined, false],
    ]);
  });

  test('have no text of a post, and the headers of the configuration', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using receiver = await receiveOtlp();
    await using store = await openStore({ clock });
    const fired = firing([creating(['x'], { with: { text: 'a secret text' } })]);

    await work({ worker: 'worker-1', receiver, store, platform: new FakePlatform(clock), clock, fired: [fired] });

    expect(receiver.bodies.join('')).toContain('social.createPost');
    expect(receiver.bodies.join('')).not.toContain('secret');
    expect(new Set(receiver.tokens)).toEqual(new Set(['a b']));
  });

  test('a slot without a firing has no trace', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using receiver = await receiveOtlp();
    await using store = await openStore({ clock });

    await work({ worker: 'worker-1', receiver, store, platform: new FakePlatform(clock), clock });

    expect(receiver.spans).toEqual([]);
  });

  test('a receiver that fails is logged once, and harms nothing', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using receiver = await receiveOtlp();
    receiver.status = 400;
    await using store = await openStore({ clock });
    const platform = new FakePlatform(clock);
    const lines: string[] = [];
    const log = createLog({ level: 'info', secrets: [], write: (line) => lines.push(line), color: false });

    await work({ worker: 'worker-1', receiver, store, platform, clock, fired: [firing([creating(['x'])])], log });

    expect(platform.records).toHaveLength(1);
    expect(lines.map((line) => line.replace(/^\S+ /u, '').split(' why=')[0])).toEqual(['warn  traces cannot be exported']);
  });
});

describe('the receiver', () => {
  test('without a receiver, nothing is opened', async () => {
    const { traces: settings } = configOfEnvironment({ OTEL_SERVICE_NAME: 'fanfare-eu' });

    expect(await openTraces({ settings, worker: 'worker-1', clock: new ManualClock(), log: silentLog })).toBeUndefined();
  });

  test.for([
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318/' },
      { url: 'http://127.0.0.1:4318/v1/traces', headers: {}, service: 'fanfare' },
    ],
    [
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/in',
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20eA==, x-team=a',
        OTEL_SERVICE_NAME: 'fanfare-eu',
      },
      { url: 'https://traces.example/in', headers: { authorization: 'Basic eA==', 'x-team': 'a' }, service: 'fanfare-eu' },
    ],
  ] as const)('is read from the variables of OpenTelemetry: %o', ([variables, settings]) => {
    expect(configOfEnvironment(variables).traces).toEqual(settings);
  });

  test('headers without a value are refused', () => {
    expect(() => configOfEnvironment({ OTEL_EXPORTER_OTLP_HEADERS: 'authorization' })).toThrow(
      'OTEL_EXPORTER_OTLP_HEADERS: write name=value',
    );
  });
});
