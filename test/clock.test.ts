import { getEventListeners } from 'node:events';
import { expect, test, vi } from 'vitest';
import { systemClock } from '#src/clock.ts';

test('an aborted sleep rejects with the reason of its signal', async () => {
  const stopping = new AbortController();
  const reason = new Error('the program stops');

  const sleep = systemClock.sleep(3_600_000, stopping.signal);
  stopping.abort(reason);

  await expect(sleep).rejects.toBe(reason);
});

test('a sleep with an aborted signal rejects at once', async () => {
  await expect(systemClock.sleep(3_600_000, AbortSignal.abort(new Error('over')))).rejects.toThrow('over');
});

test('an abort ends every sleep of its signal, and later sleeps reject at once', async () => {
  const stopping = new AbortController();
  await systemClock.sleep(1, stopping.signal);
  const sleeps = [systemClock.sleep(3_600_000, stopping.signal), systemClock.sleep(3_600_000, stopping.signal)];

  stopping.abort(new Error('stop'));

  expect(await Promise.allSettled(sleeps)).toEqual(sleeps.map(() => ({ status: 'rejected', reason: new Error('stop') })));
  await expect(systemClock.sleep(1, stopping.signal)).rejects.toThrow('stop');
});

test('a signal has no listener after its last sleep has ended', async () => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const long = systemClock.sleep(20, signal);
  await systemClock.sleep(1, signal);
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);

  await long;

  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('a sleep of months ends after months', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const ended = vi.fn<() => void>();
    const months = 100 * 86_400_000;
    void systemClock.sleep(months).then(ended);

    await vi.advanceTimersByTimeAsync(months - 1);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);

    expect(ended).toHaveBeenCalledOnce();
  } finally {
    vi.useRealTimers();
  }
});

test('an abort ends a sleep of months', async () => {
  const stopping = new AbortController();
  const warned = vi.fn<() => void>();
  process.on('warning', warned);
  try {
    const sleep = systemClock.sleep(100 * 86_400_000, stopping.signal);
    await systemClock.sleep(1);
    stopping.abort(new Error('stop'));

    await expect(sleep).rejects.toThrow('stop');
    expect(warned).not.toHaveBeenCalled();
  } finally {
    process.off('warning', warned);
  }
});
