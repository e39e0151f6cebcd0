import { expect, test } from 'vitest';
import { catalogue } from '#src/clients/catalogue.ts';
import { toDeliveryView } from '#src/admin/queries/deliveries.ts';
import type { DeliveryEngineOptions } from '#src/engine/delivery/delivery-engine.ts';
import { PlatformError, ValidationError } from '#src/errors.ts';
import { creating, firing, keysOf } from '../../support/firings.ts';
import { runEngine } from './running-engine.ts';

const accepts: DeliveryEngineOptions['accepts'] = (verb, params) => catalogue.get(verb)?.params.safeParse(params).success ?? false;

const picture = (index: number): Error =>
  new ValidationError('the file a.png cannot be posted: it is empty', { path: 'file', part: { parameter: 'files', index } });
const role = (index: number): Error =>
  new PlatformError('The server has no role "Live".', { platform: 'discord', fault: 'missing', part: { parameter: 'mention', index } });

const post = { with: { text: 'Ada is live', files: ['a.png', 'b.png'] } };

test('a message is sent without the unavailable parts, and its delivery names them with reasons', async () => {
  await using running = await runEngine({ accepts });
  const params = { channel: 'live', content: 'Ada is live', files: ['https://a.test/1.png'], mention: ['Live', 'Mods'] };
  running.platform.nextFailures.set('discord', [role(0), picture(0), 'unavailable']);
  const fired = firing([creating(['discord'], { do: 'discord.send', with: params })]);

  await running.commit([fired]);
  await running.clock.advance(60_000);

  const delivery = await running.find(keysOf(fired)[0]);
  expect(running.platform.records).toMatchObject([{ params: { channel: 'live', content: 'Ada is live', files: [], mention: ['Mods'] } }]);
  expect(delivery).toMatchObject({ state: 'sent', attempts: 2, params });
  expect(toDeliveryView(delivery).omitted).toEqual([
    { parameter: 'mention', index: 0, message: 'The server has no role "Live".' },
    { parameter: 'files', index: 0, message: 'the file a.png cannot be posted: it is empty' },
  ]);
});

test('a lost message without a part is searched for without that part', async () => {
  await using running = await runEngine({ accepts, traits: { deduplicates: false, finds: 'content' } });
  running.platform.nextFailures.set('x', [picture(0), 'answerLost']);
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
  running.platform.nextFailures.set('x', [picture(0)]);
  const fired = firing([creating(['x'], step)]);

  await running.commit([fired]);

  expect(running.platform.records).toEqual([]);
  expect(await running.find(keysOf(fired)[0])).toMatchObject({
    state: 'failed',
    error: { fault: 'invalid', message: 'the file a.png cannot be posted: it is empty' },
    omitted: undefined,
  });
});

test('a failure of the platform omits no part', async () => {
  await using running = await runEngine({ accepts });
  running.platform.nextFailures.set('x', ['unavailable']);
  const fired = firing([creating(['x'], post)]);

  await running.commit([fired]);
  await running.clock.advance(60_000);

  expect(running.platform.records).toMatchObject([{ params: post.with }]);
});

test.for([
  ['video', undefined, [{ parameter: 'altText', index: 0, message: 'x shows the video without its alternative text' }]],
  ['video', 'A clip', undefined],
  ['image', undefined, undefined],
] as const)('a post with a %s that has the description %s names a lost description', async ([kind, altText, omitted]) => {
  await using running = await runEngine({ accepts });
  const fired = firing([creating(['x'], { with: { text: 'Ada is live', files: [{ path: 'clip.mp4', altText: 'A clip' }] } })]);
  running.platform.answers.set('x', { media: [{ kind, altText }] });

  await running.commit([fired]);

  const delivery = await running.find(keysOf(fired)[0]);
  expect(delivery.state).toBe('sent');
  expect(delivery.omitted).toEqual(omitted);
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
  expect(toDeliveryView(delivery).omitted).toEqual([{ parameter, message: `x shows it with the ${parameter} "${shown}"` }]);
});

test.for([
  ['language', 'de-AT', 'de'],
  ['language', 'de', undefined],
  ['visibility', undefined, 'followers'],
] as const)('a post with the %s %s and the answer %s is as requested', async ([parameter, asked, shown]) => {
  await using running = await runEngine({ accepts });
  const fired = firing([creating(['x'], { with: { text: 'Ada is live', ...(asked && { [parameter]: asked }) } })]);
  running.platform.answers.set('x', shown ? { [parameter]: shown } : {});

  await running.commit([fired]);

  expect(await running.find(keysOf(fired)[0])).toMatchObject({ state: 'sent', omitted: undefined });
});
