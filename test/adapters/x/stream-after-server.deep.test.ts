import './started-server.ts';
import { expect, test } from 'vitest';
import { openStream, watching } from './stream-fixture.ts';

test('the sandbox sends the stream, even if another server started before it was loaded', async () => {
  const one = await openStream({ rules: [watching('ada', 'getPosts', { user: 'ada' })] });
  await one.until(() => one.hints.length > 0);

  expect((await one.report())?.state).toBe('connected');
});
