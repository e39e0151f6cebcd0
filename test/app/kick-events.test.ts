import { request } from 'undici';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { openApp } from '../discord/app-fixture.ts';

/** Without events, this rule would see a stream after up to two minutes. */
const rules = (users: string) => ({
  'live.yaml': `
id: live
when: { every: 2m, watch: streaming.getStreams, account: kick, confirm: 1, with: { users: [${users}] } }
then:
  - { do: social.createPost, with: { text: "\${{ item.owner.handle }} is live" } }
`,
});

const State = z.object({ subscriptions: z.number(), sent: z.number(), undelivered: z.number() });
const Status = z.object({
  accounts: z.array(z.object({ account: z.string(), notifications: z.looseObject({ state: z.string() }).optional() })),
});

async function openKick(environment: Readonly<Record<string, string>>, users = 'margaret, grace') {
  const app = await openApp('', {
    rules: rules(users),
    environment,
    async prepare(control) {
      await control('/world', { do: 'end', user: 'margaret' });
      await control('/world', { do: 'end', user: 'grace' });
    },
  });
  const metric = async (answer: string): Promise<number> => {
    const text = await (await request(`${app.url}/metrics`)).body.text();
    const line = text
      .split('\n')
      .find((one) => one.startsWith('fanfare_notification_requests_total') && one.includes(`answer="${answer}"`));
    return Number(line?.split(' ').at(-1) ?? 0);
  };
  return {
    app,
    metric,
    state: async () => State.parse(await app.control('/kick/events')),
    posts: async () => (await app.control<{ items: { text: string }[] }>('/posts')).items.map(({ text }) => text),
    notifications: async () => {
      const { accounts } = Status.parse(await (await request(`${app.url}/api/status`)).body.json());
      return accounts.find(({ account }) => account === 'kick')?.notifications;
    },
  };
}

test('a stream of Kick is announced at once, whatever others send', async () => {
  const { app, metric, state, posts, notifications } = await openKick({ FANFARE_PUBLIC_URL: 'https://fanfare.example' });
  await using _app = app;
  await expect.poll(async () => (await state()).subscriptions).toBeGreaterThanOrEqual(2);
  const fault = (kind: string) => app.control('/faults', { platform: 'kick', kind, times: 1 });
  await app.control('/kick/events', { do: 'setWebhook', url: `${app.url}/hooks/notifications/kick` });
  for (const kind of ['forgedNotification', 'foreignNotification', 'repeatedNotification']) await fault(kind);

  await app.control('/world', { do: 'goLive', user: 'margaret' });

  await expect.poll(posts).toEqual(['margaret is live']);
  await expect.poll(() => Promise.all(['accepted', 'repeated', 'signature', 'subscription'].map(metric))).toEqual([1, 1, 1, 1]);
  expect(await notifications()).toMatchObject({ state: 'connected', onlyPolled: 0, lastAt: expect.any(String) });

  // Kick signs with another key. The old one was read less than ten minutes ago, so the event does not count.
  await app.control('/kick/events', { do: 'changeKey' });
  await app.control('/world', { do: 'changeTitle', user: 'margaret', title: 'Another title' });
  await expect.poll(() => metric('signature')).toBe(2);
});

test('a watched name that no channel of Kick has, for example after it was renamed, is a problem of the account', async () => {
  const { app, notifications } = await openKick({ FANFARE_PUBLIC_URL: 'https://fanfare.example' }, 'margaret, margaret_before');
  await using _app = app;
  await expect.poll(notifications).toMatchObject({ state: 'connected', onlyPolled: 1, problem: 'Kick has no channel margaret_before' });
});

test('without a public address, Fanfare says what would turn notifications on', async () => {
  const { app, state, notifications } = await openKick({});
  await using _app = app;
  await expect.poll(notifications).toMatchObject({ state: 'off', problem: expect.stringContaining('FANFARE_PUBLIC_URL') });
  expect(await state()).toMatchObject({ subscriptions: 0 });
  expect((await request(`${app.url}/hooks/notifications/kick`, { method: 'POST', body: '{}' })).statusCode).toBe(404);
});
