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
