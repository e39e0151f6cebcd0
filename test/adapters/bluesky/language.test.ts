import { expect, test } from 'vitest';
import { openBluesky } from './open-bluesky.ts';

test('a post without a language has the language of the latest posts', async () => {
  await using fixture = await openBluesky();
  const { social, platform } = fixture;

  await platform.learn?.({ signal: AbortSignal.timeout(5000) });
  const before = await social.createPost('Hallo');
  await social.createPost('Guten Tag', { language: 'de' });
  await platform.learn?.({ signal: AbortSignal.timeout(5000) });
  const after = await social.createPost('Bis morgen');
  const other = await social.createPost('Goodbye', { language: 'en' });

  expect([before, after, other].map(({ language }) => language)).toEqual([undefined, 'de', 'en']);
});
