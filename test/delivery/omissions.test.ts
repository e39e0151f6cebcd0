import { expect, test } from 'vitest';
import { accepts } from '#src/app/steps.ts';
import { toDeliveryView } from '#src/queries/deliveries.ts';
import { PlatformError, ValidationError } from '#src/errors.ts';
import { creating, firing, keysOf } from '../support/firings.ts';
import { runEngine } from './running-engine.ts';

const picture = (index: number): Error =>
  new ValidationError('the file a.png cannot be posted: it is empty', { path: 'file', part: { parameter: 'files', index } });
const role = (index: number): Error =>
  new PlatformError('The server has no role "Live".', { platform: 'discord', fault: 'missing', part: { parameter: 'mention', index } });

const post = { with: { text: 'Ada is live', files: ['a.png', 'b.png'] } };

test('a message goes out without the parts that cannot be had, and its delivery says which and why', async () => {
  await using running = await runEngine({ accepts });
  const params = { channel: 'live', content: 'Ada is live', files: ['https://a.test/1.png'], mention: ['Live', 'Mods'] };
  running.platform.mishaps.set('discord', [role(0), picture(0), 'unavailable']);
  const fired = firing([creating(['discord'], { do: 'discord.send', with: params })]);

  await running.commit([fired]);
  await running.clock.advance(60_000);

  const delivery = await running.find(keysOf(fired)[0]);
  expect(running.platform.records).toMatchObject([{ params: { channel: 'live', content: 'Ada is live', files: [], mention: ['Mods'] } }]);
  expect(delivery).toMatchObject({ state: 'sent', attempts: 2, params });
  expect(toDeliveryView(delivery).omitted).toEqual([
    { parameter: 'mention', index: 0, reason: 'The server has no role "Live".' },
    { parameter: 'files', index: 0, reason: 'the file a.png cannot be posted: it is empty' },
  ]);
});

test('what became of a message without a part is asked without that part', async () => {
  await using running = await runEngine({ accepts, habits: { knowsKeys: false, finds: 'content' } });
  running.platform.mishaps.set('x', [picture(0), 'answerLost']);
  const fired = firing([creating(['x'], post)]);

  await running.commit([fired]);
  await running.clock.advance(60_000);

  expect(running.platform.records).toMatchObject([{ params: { files: ['b.png'] } }]);
  expect(await running.find(keysOf(fired)[0])).toMatchObject({ state: 'sent', result: { id: 'r1' } });
});

test.each([
  ['a strict step', { ...post, strict: true }],
  ['a post whose only content is the picture', { with: { text: '', files: ['a.png'] } }],
])('%s fails as before', async (_, step) => {
  await using running = await runEngine({ accepts });
  running.platform.mishaps.set('x', [picture(0)]);
  const fired = firing([creating(['x'], step)]);

  await running.commit([fired]);

  expect(running.platform.records).toEqual([]);
  expect(await running.find(keysOf(fired)[0])).toMatchObject({
    state: 'failed',
    error: { fault: 'invalid', message: 'the file a.png cannot be posted: it is empty' },
    omitted: undefined,
  });
});

test('a failure of the platform is no reason to leave a part out', async () => {
  await using running = await runEngine({ accepts });
  running.platform.mishaps.set('x', ['unavailable']);
  const fired = firing([creating(['x'], post)]);

  await running.commit([fired]);
  await running.clock.advance(60_000);

  expect(running.platform.records).toMatchObject([{ params: post.with }]);
});
