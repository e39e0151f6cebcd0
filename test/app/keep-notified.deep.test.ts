import { request } from 'undici';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { openApp, type AppFixture } from '../discord/app-fixture.ts';

const WAIT = { timeout: 240_000, interval: 100 };

/** Without notifications, this rule would see a stream after up to an hour. */
const RULES = {
  'live.yaml': `
id: live
when: { every: 1h, watch: streaming.getStreams, account: twitch, confirm: 1, with: { users: [Ada, grace] } }
then:
  - { do: social.createPost, with: { text: "\${{ item.owner.handle }} is live" } }
`,
};

const Connections = z.object({
  subscriptions: z.object({ total: z.number() }),
  conduits: z.array(z.object({ id: z.string(), shards: z.array(z.object({ status: z.string() })) })),
});

/** Both are offline until an order, whatever the time is. */
async function endAll(control: AppFixture['control']): Promise<void> {
  for (const user of ['ada', 'grace']) await control('/world', { do: 'end', user });
}

test('a stream is announced at once, and the conduit stays the same over a restart', async () => {
  await using app = await openApp('', { rules: RULES, prepare: endAll });
  const state = async () => Connections.parse(await app.control('/twitch/eventsub'));
  const posts = async () => (await app.control<{ items: { text: string }[] }>('/posts')).items.map(({ text }) => text);
  await expect.poll(async () => (await state()).subscriptions.total, WAIT).toBe(4);
  const before = await state();

  await app.control('/world', { do: 'goLive', user: 'ada' });
  await expect.poll(posts, WAIT).toEqual(['ada is live']);

  const status = await (await request(`${app.url}/api/status`)).body.json();
  expect(status).toMatchObject({
    accounts: expect.arrayContaining([
      expect.objectContaining({
        account: 'twitch',
        notifications: expect.objectContaining({ state: 'connected', subscriptions: 4, lastAt: expect.any(String) }),
      }),
    ]),
  });

  await app.restart();
  await expect.poll(async () => (await state()).conduits, WAIT).toEqual(before.conduits);
});

test('if Twitch stops to notify without an error, a stream is announced at the next poll', async () => {
  const every = { 'live.yaml': RULES['live.yaml'].replace('every: 1h', 'every: 5s') };
  await using app = await openApp('', { rules: every, prepare: endAll });
  const state = async () => Connections.parse(await app.control('/twitch/eventsub'));
  const posts = async () => (await app.control<{ items: { text: string }[] }>('/posts')).items.map(({ text }) => text);
  await expect.poll(async () => (await state()).subscriptions.total, WAIT).toBe(4);
  await app.control('/faults', { platform: 'twitch', kind: 'lostNotification' });
  await app.control('/world', { do: 'goLive', user: 'ada' });
  // The interval, and the time of a poll on a busy machine.
  await expect.poll(posts, { timeout: 240_000, interval: 100 }).toEqual(['ada is live']);
});
