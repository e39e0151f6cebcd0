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

test.for([
  ['visibility', 'unlisted', 'followers'],
  ['language', 'de', 'en'],
] as const)('a post that the platform shows with another %s names the difference', async ([parameter, asked, shown]) => {
  await using running = await runEngine({ accepts });
  const fired = firing([creating(['x'], { with: { text: 'Ada is live', [parameter]: asked } })]);
  running.platform.answers.set('x', { [parameter]: shown });

  await running.commit([fired]);

  const delivery = await running.find(keysOf(fired)[0]);
  expect(delivery.state).toBe('sent');
  expect(toDeliveryView(delivery).omitted).toEqual([{ parameter, reason: `x shows it with the ${parameter} "${shown}"` }]);
});

test.for([
  ['language', 'de-AT', 'de'],
  ['language', 'de', undefined],
  ['visibility', undefined, 'followers'],
] as const)('a post with the %s %s and the answer %s is as asked for', async ([parameter, asked, shown]) => {
  await using running = await runEngine({ accepts });
  const fired = firing([creating(['x'], { with: { text: 'Ada is live', ...(asked && { [parameter]: asked }) } })]);
  running.platform.answers.set('x', shown ? { [parameter]: shown } : {});

  await running.commit([fired]);

  expect(await running.find(keysOf(fired)[0])).toMatchObject({ state: 'sent', omitted: undefined });
});
