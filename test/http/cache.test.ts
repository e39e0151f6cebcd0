import { expect, test } from 'vitest';
import { cachedByName } from '#src/http/cache.ts';
import { ManualClock } from '../support/manual-clock.ts';

const MOST = 10_000;

test('the number of cached names is limited; the last used names stay', async () => {
  const asked: string[] = [];
  const idOf = cachedByName(new ManualClock(0), async (name) => {
    asked.push(name);
    return name.length;
  });
  for (let n = 0; n <= MOST; n++) await idOf(`viewer${n}`, undefined);
  asked.length = 0;

  await idOf('viewer1', undefined);
  await idOf(`Viewer${MOST}`, undefined);
  await idOf('viewer0', undefined);

  expect(asked).toEqual(['viewer0']);
});

test('look-ups of one name at the same time are one, and a failed one is repeated', async () => {
  const waiting: PromiseWithResolvers<string>[] = [];
  const find = cachedByName(new ManualClock(0), () => {
    const one = Promise.withResolvers<string>();
    waiting.push(one);
    return one.promise;
  });

  const both = Promise.allSettled([find('Ada', undefined), find('ada', undefined)]);
  const other = find('grace', undefined);
  waiting[1]?.resolve('g');
  waiting[0]?.reject(new Error('down'));

  expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await other).toBe('g');
  expect(waiting).toHaveLength(2);
  const again = find('ada', undefined);
  waiting[2]?.resolve('a');
  expect(await again).toBe('a');
  expect(await find('ADA', undefined)).toBe('a');
  expect(waiting).toHaveLength(3);
});

test('a name is looked up again after a day', async () => {
  const clock = new ManualClock(0);
  let lookUps = 0;
  const find = cachedByName(clock, async () => ++lookUps);
  await find('ada', undefined);

  clock.set(24 * 3_600_000 - 1);
  expect([await find('ada', undefined), find.known('ada')]).toEqual([1, 1]);
  clock.set(24 * 3_600_000);
  expect(find.known('ada')).toBeUndefined();
  expect(await find('ada', undefined)).toBe(2);
});
