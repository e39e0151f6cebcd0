import { expect, test } from 'vitest';
import { coalesce } from '#src/http/coalesce.ts';

/** Work that ends when it is told to, and takes its time when it is aborted. */
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

test('all who ask while it runs get the result of one run', async () => {
  const { work, runs } = slowWork();

  const answers = Promise.all([work(), work(), work()]);
  runs[0]?.finish('token');

  expect(await answers).toEqual(['token', 'token', 'token']);
  expect(runs).toHaveLength(1);
});

test('who asks after it has ended starts it anew', async () => {
  const { work, runs } = slowWork();
  const first = work();
  runs[0]?.finish('first');
  await first;

  const second = work();
  runs[1]?.finish('second');

  expect(await second).toBe('second');
});

test('somebody who leaves does not take the result from the others', async () => {
  const { work, runs } = slowWork();
  const stop = new AbortController();
  const leaving = work(stop.signal);
  const staying = work();

  stop.abort(new Error('enough'));
  await expect(leaving).rejects.toThrow('enough');
  runs[0]?.finish('token');

  expect(await staying).toBe('token');
});

test('when the last has left, the run is aborted, and the next who asks starts anew', async () => {
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

test('a run that came to its end is not aborted', async () => {
  const { work, runs } = slowWork();
  const answer = work();
  runs[0]?.finish('token');

  await answer;

  expect(runs[0]?.signal.aborted).toBe(false);
});

test('a failure is everybody’s, and is not kept', async () => {
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
