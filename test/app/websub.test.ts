import { request } from 'undici';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { openApp } from '../discord/app-fixture.ts';
import { freePort } from '../support/free-port.ts';

/** Without hubs, these rules would see news after up to two minutes. */
const RULES = {
  'blog.yaml': `
id: blog
when: { every: 2m, watch: feed.getItems, confirm: 1, with: { url: https://blog.example/feed.xml } }
then:
  - { do: social.createPost, with: { text: "\${{ item.title }}" } }
`,
  'live.yaml': `
id: live
when: { every: 2m, watch: streaming.getStreams, account: youtube, confirm: 1, with: { users: [ada, ada_before] } }
then:
  - { do: social.createPost, with: { text: "\${{ item.owner.handle }} is live" } }
`,
};

const Status = z.object({ accounts: z.array(z.object({ account: z.string(), notifications: z.looseObject({}).optional() })) });
const Hub = z.object({ subscriptions: z.number(), sent: z.number(), undelivered: z.number() });

test('the hubs of a feed and of YouTube bring polls forward, whatever others send', async () => {
  const port = await freePort();
  await using app = await openApp('', {
    rules: RULES,
    environment: ({ onRequest }) => ({
      ...onRequest['youtube'],
      PORT: String(port),
      FANFARE_PUBLIC_URL: `http://127.0.0.1:${port}`,
    }),
    prepare: (control) => control('/world', { do: 'end', user: 'ada' }),
  });
  const hub = async (platform: string) => Hub.parse(await app.control(`/${platform}/hub`));
  const posts = async () => (await app.control<{ items: { text: string }[] }>('/posts')).items.map(({ text }) => text);
  const metric = async (account: string, answer: string): Promise<number> => {
    const text = await (await request(`${app.url}/metrics`)).body.text();
    const labels = [`account="${account}"`, `answer="${answer}"`];
    const line = text
      .split('\n')
      .find((one) => one.startsWith('fanfare_notification_requests_total') && labels.every((label) => one.includes(label)));
    return Number(line?.split(' ').at(-1) ?? 0);
  };
  await expect.poll(async () => (await hub('feeds')).subscriptions).toBe(1);
  await expect.poll(async () => (await hub('youtube')).subscriptions).toBe(1);
  await expect
    .poll(async () => Status.parse(await (await request(`${app.url}/api/status`)).body.json()).accounts)
    .toContainEqual({
      account: 'youtube',
      notifications: expect.objectContaining({ onlyPolled: 1, problem: 'YouTube has no channel ada_before' }),
    });
  for (const kind of ['forgedNotification', 'foreignNotification', 'repeatedNotification']) {
    await app.control('/faults', { platform: 'feeds', kind, times: 1 });
  }

  await app.control('/feeds', { feed: 'blog.example', title: 'Patch notes' });
  await expect.poll(posts).toContain('Patch notes');
  await app.control('/world', { do: 'goLive', user: 'ada' });
  await expect.poll(posts).toContain('ada is live');

  const answers = ['challenge', 'accepted', 'repeated', 'signature', 'subscription'];
  await expect.poll(() => Promise.all(answers.map((answer) => metric('feed', answer)))).toEqual([1, 1, 1, 1, 1]);
  expect(await metric('youtube', 'accepted')).toBeGreaterThanOrEqual(1);

  // Rules that end leave the hub.
  await app.changeRule('blog.yaml', undefined);
  await expect.poll(async () => (await hub('feeds')).subscriptions).toBe(0);
});
