import { expect, test } from 'vitest';
import { startSandbox } from '#sandbox/index.ts';
import { eventually, getText, launch, untilReady, type FanfareProcess } from '../support/fanfare-process.ts';
import { receiveOtlp, type ReceivedSpan } from '../support/otlp-receiver.ts';
import { repeatIfSlow } from '../store/postgres/watched-cluster.ts';
import { startPostgres } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const WORKERS = ['w-1', 'w-2'];

/** The values of a metric by its labels. */
async function valuesOf({ url }: FanfareProcess, metric: string): Promise<ReadonlyMap<string, number>> {
  const { text } = await getText(`${url}/metrics`);
  const lines = [...text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gmu)];
  return new Map(lines.filter(([, name]) => name === metric).map(([, , labels = '', value]) => [labels, Number(value)]));
}

test('two workers show their metrics, their log lines, one trace for each firing, and a database that stops', async () => {
  // The test stops its own server.
  await using other = await startPostgres();
  await repeatIfSlow(other, expectObserved);
});

async function expectObserved(): Promise<void> {
  await using postgres = await startPostgres();
  await using sandbox = await startSandbox();
  await using receiver = await receiveOtlp();
  using directory = temporaryFolder({ inMemory: true });
  await using stack = new AsyncDisposableStack();
  const shared = { ...sandbox.environment, DATABASE_URL: postgres.url, FANFARE_DATA: directory.path };
  await using push = await launch({ args: ['rules', 'push'], environment: shared });
  await push.exit;
  const workers: FanfareProcess[] = [];
  for (const worker of WORKERS) {
    const environment = { ...shared, FANFARE_WORKER: worker, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url };
    const args = ['start', '--role', worker === 'w-1' ? 'all' : 'worker'];
    workers.push(stack.use(await launch({ args, environment })));
  }
  const [first = expect.fail('no worker'), second = expect.fail('no worker')] = workers;
  await Promise.all(workers.map(untilReady));
  const isReceipt = ({ name, attributes }: ReceivedSpan) => name === 'delivery' && attributes['fanfare.state'] === 'sent';
  await eventually('a receipt in a trace', () => Promise.resolve(receiver.spans.some(isReceipt)));

  await postgres.stop();
  const lost = await eventually('both workers are not ready', async () => {
    const answers = await Promise.all(workers.map(({ url }) => getText(`${url}/readyz`)));
    return answers.every(({ statusCode }) => statusCode === 503) && answers.map(({ text }): unknown => JSON.parse(text));
  });
  const up = await valuesOf(first, 'fanfare_database_up');
  // Either worker can have made all polls so far.
  const polls = await Promise.all(workers.map((worker) => valuesOf(worker, 'fanfare_poll_seconds_count')));
  const { text: page } = await getText(`${first.url}/overview`);
  await postgres.start();
  await Promise.all(workers.map(untilReady));
  const later = await valuesOf(second, 'fanfare_worker_info');
  const due = await eventually('rules run again', async () => (await valuesOf(first, 'fanfare_slots_open')).size > 0);
  await stack.disposeAsync();

  expect(lost).toEqual(
    WORKERS.map(() => ({
      ready: false,
      message: expect.stringContaining('the database has not answered since'),
      // A connection that ends without an answer has no code.
      reason: expect.objectContaining({ kind: 'databaseLost', lostAtMs: expect.any(Number) }),
    })),
  );
  expect(up).toEqual(new Map([['', 0]]));
  expect(polls.flatMap((some) => [...some.values()]).some((count) => count > 0)).toBe(true);
  expect(page).toContain('the database has not answered since');
  expect([...later.keys()]).toEqual([expect.stringContaining('worker="w-2"')]);
  expect(due).toBe(true);
  for (const [index, { output }] of workers.entries()) {
    const lines = output().match(/^\d{4}-\d\d-\d\dT\S+Z .*$/gmu) ?? [];
    expect(lines.filter((line) => !line.includes(` worker=${WORKERS[index]}`))).toEqual([]);
    expect(lines.filter((line) => line.includes('the database does not answer'))).toHaveLength(1);
    expect(lines.filter((line) => line.includes('the database answers again'))).toHaveLength(1);
    expect(lines.filter((line) => line.includes('the database is not available'))).toEqual([]);
  }
  const traces = Map.groupBy(receiver.spans, ({ traceId }) => traceId);
  const whole = [...traces.values()].filter((spans) => spans.some(({ name }) => name === 'delivery'));
  expect(whole.length).toBeGreaterThan(0);
  for (const spans of whole) {
    const ids = new Set(spans.map(({ spanId }) => spanId));
    expect(spans.filter(({ name }) => name === 'slot')).toHaveLength(1);
    expect(spans.filter(({ name, parentSpanId }) => name !== 'slot' && !ids.has(parentSpanId ?? ''))).toEqual([]);
  }
}
