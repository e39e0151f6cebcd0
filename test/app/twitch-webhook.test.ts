import { request } from 'undici';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { openApp } from '../discord/app-fixture.ts';
import { freePort } from '../support/free-port.ts';

const RULES = {
  'live.yaml': `
id: live
when: { every: 2m, watch: streaming.getStreams, account: twitch, confirm: 1, with: { users: [ada] } }
then:
  - { do: social.createPost, with: { text: "\${{ item.owner.handle }} is live" } }
`,
};

const State = z.object({ subscriptions: z.object({ enabled: z.number() }), sessions: z.array(z.unknown()) });

test('a webhook as the shard of the conduit brings polls forward, whatever others send', async () => {
  const port = await freePort();
  await using app = await openApp('', {
    rules: RULES,
    environment: { PORT: String(port), FANFARE_PUBLIC_URL: `http://127.0.0.1:${port}`, TWITCH_EVENTSUB: 'webhook' },
    prepare: (control) => control('/world', { do: 'end', user: 'ada' }),
  });
  const state = async () => State.parse(await app.control('/twitch/eventsub'));
  const posts = async () => (await app.control<{ items: { text: string }[] }>('/posts')).items.map(({ text }) => text);
  const metric = async (answer: string): Promise<number> => {
    const text = await (await request(`${app.url}/metrics`)).body.text();
    const line = text
      .split('\n')
      .find((one) => one.startsWith('fanfare_notification_requests_total') && one.includes(`answer="${answer}"`));
    return Number(line?.split(' ').at(-1) ?? 0);
  };
  await expect.poll(async () => (await state()).subscriptions.enabled).toBe(2);
  expect((await state()).sessions).toEqual([]);
  for (const kind of ['forgedNotification', 'foreignNotification', 'repeatedNotification']) {
    await app.control('/faults', { platform: 'twitch', kind, times: 1 });
  }

  await app.control('/world', { do: 'goLive', user: 'ada' });

  await expect.poll(posts).toEqual(['ada is live']);
  const answers = ['challenge', 'accepted', 'repeated', 'signature'];
  await expect.poll(() => Promise.all(answers.map(metric))).toEqual([1, 1, 1, 1]);
});
