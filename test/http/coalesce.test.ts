import { expect, test } from 'vitest';
import { coalesce } from '#src/http/coalesce.ts';

/** Work that ends on command, and that does not end at once after an abort. */
function slowWork() {
  const runs: { readonly finish: (value: string) => void; readonly signal: AbortSignal }[] = [];
  const work = coalesce<string>(
    (signal) =>
      new Promise((resolve) => {
        runs.push({ finish: resolve, signal });
      }),
  );
  return { work, runs };
}

test('concurrent callers share the result of one run', async () => {
  const { work, runs } = slowWork();

  const answers = Promise.all([work(), work(), work()]);
  runs[0]?.finish('token');

  expect(await answers).toEqual(['token', 'token', 'token']);
  expect(runs).toHaveLength(1);
});

test('a call after the end starts another run', async () => {
  const { work, runs } = slowWork();
  const first = work();
  runs[0]?.finish('first');
  await first;

  const second = work();
  runs[1]?.finish('second');

  expect(await second).toBe('second');
});

test('an abort of one caller does not affect the others', async () => {
  const { work, runs } = slowWork();
  const stop = new AbortController();
  const leaving = work(stop.signal);
  const staying = work();

  stop.abort(new Error('enough'));
  await expect(leaving).rejects.toThrow('enough');
  runs[0]?.finish('token');

  expect(await staying).toBe('token');
});

test('after the last abort, the run is aborted, and the next call starts another run', async () => {
  const { work, runs } = slowWork();
  const stop = new AbortController();
  const leaving = work(stop.signal);

  stop.abort(new Error('enough'));
  await expect(leaving).rejects.toThrow('enough');
  const next = work();
  runs[1]?.finish('token');

  expect(runs[0]?.signal.aborted).toBe(true);
  expect(await next).toBe('token');
});

test('a finished run is not aborted', async () => {
  const { work, runs } = slowWork();
  const answer = work();
  runs[0]?.finish('token');

  await answer;

  expect(runs[0]?.signal.aborted).toBe(false);
});

test('a failure rejects all callers and is not cached', async () => {
  let attempts = 0;
  const work = coalesce(async () => {
    attempts += 1;
    if (attempts === 1) throw new Error('down');
    return 'up';
  });

  const both = await Promise.allSettled([work(), work()]);
  const later = await work();

  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(later).toBe('up');
});
