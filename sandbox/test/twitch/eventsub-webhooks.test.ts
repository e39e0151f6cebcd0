import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { openEventSub } from './eventsub-client.ts';

const SECRET = 'a secret of the test';
const HANDLE = 'midnightowl';
const Body = z.looseObject({
  challenge: z.string().optional(),
  subscription: z.looseObject({ status: z.string() }),
  event: z.looseObject({}).optional(),
});

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: z.output<typeof Body>;
  readonly isSigned: boolean;
}

/** A webhook on this machine. `answer` is the status of its next answers, and `challenge` its answer to a challenge. */
async function openWebhook() {
  const received: Received[] = [];
  const behavior: { status: number; challenge: string | undefined } = { status: 204, challenge: undefined };
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => (text += part));
    request.on('end', () => {
      const { headers } = request;
      const signed = `${header(headers, 'id')}${header(headers, 'timestamp')}${text}`;
      const isSigned = header(headers, 'signature') === `sha256=${createHmac('sha256', SECRET).update(signed).digest('hex')}`;
      const body = Body.parse(JSON.parse(text));
      received.push({ headers, body, isSigned });
      if (body.challenge === undefined) response.writeHead(behavior.status).end();
      else response.writeHead(200, { 'content-type': 'text/plain' }).end(behavior.challenge ?? body.challenge);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    received,
    behavior,
    transport: { method: 'webhook', callback: `http://127.0.0.1:${port}/hook`, secret: SECRET },
    ofType: (type: string) => received.filter(({ headers }) => header(headers, 'type') === type),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function header(headers: IncomingHttpHeaders, name: string): string {
  return String(headers[`twitch-eventsub-message-${name}`]);
}

const untilTrue = (check: () => boolean | Promise<boolean>) => vi.waitUntil(check, { timeout: 50_000 });

type Twitch = Awaited<ReturnType<typeof openEventSub>>;

/** Waits until all subscriptions have a status. */
const statusOf = (twitch: Twitch, wanted: string) =>
  untilTrue(async () => (await twitch.helix('GET', '/subscriptions')).data.every(({ status }) => status === wanted));

describe('webhooks of EventSub', () => {
  test('are enabled by a challenge, and receive signed notifications', async () => {
    await using webhook = await openWebhook();
    await using twitch = await openEventSub();

    const created = await twitch.subscribe('stream.online', HANDLE, webhook.transport);
    await statusOf(twitch, 'enabled');
    twitch.sandbox.world.order({ do: 'goLive', user: HANDLE }, twitch.clock.nowMs());
    await untilTrue(() => webhook.received.length === 2);

    const { secret, ...shown } = webhook.transport;
    expect(secret).toBe(SECRET);
    expect(created).toMatchObject({
      status: 202,
      total_cost: 1,
      data: [{ status: 'webhook_callback_verification_pending', transport: shown }],
    });
    const [challenge, notification] = webhook.received;
    expect(challenge).toMatchObject({
      isSigned: true,
      headers: { 'twitch-eventsub-message-type': 'webhook_callback_verification', 'content-type': 'application/json' },
      body: { challenge: expect.any(String), subscription: { type: 'stream.online', transport: shown } },
    });
    expect(notification).toMatchObject({
      isSigned: true,
      headers: {
        'twitch-eventsub-message-id': expect.stringMatching(/^[\da-f-]{36}$/u),
        'twitch-eventsub-message-retry': '0',
        'twitch-eventsub-message-type': 'notification',
        'twitch-eventsub-message-timestamp': '2026-11-20T18:00:00.000000000Z',
        'twitch-eventsub-subscription-type': 'stream.online',
        'twitch-eventsub-subscription-version': '1',
      },
      body: { subscription: { status: 'enabled' }, event: { broadcaster_user_login: HANDLE, type: 'live' } },
    });
    expect(JSON.stringify(webhook.received)).not.toContain(SECRET);
  });

  test('fail without the answer to the challenge', async () => {
    await using webhook = await openWebhook();
    await using twitch = await openEventSub();
    webhook.behavior.challenge = 'something else';

    await twitch.subscribe('stream.online', HANDLE, webhook.transport);
    await statusOf(twitch, 'webhook_callback_verification_failed');

    expect(await twitch.helix('GET', '/subscriptions')).toMatchObject({ total: 1, total_cost: 0 });
  });

  test('receive a refused notification again with the same id, and are revoked after five refusals', async () => {
    await using webhook = await openWebhook();
    await using twitch = await openEventSub();
    await twitch.subscribe('stream.online', HANDLE, webhook.transport);
    await statusOf(twitch, 'enabled');
    webhook.behavior.status = 500;

    twitch.sandbox.world.order({ do: 'goLive', user: HANDLE }, twitch.clock.nowMs());
    await untilTrue(async () => {
      await twitch.clock.advance(60_000);
      return webhook.ofType('revocation').length > 0;
    });

    const attempts = webhook.ofType('notification');
    expect(attempts.map(({ headers }) => header(headers, 'retry'))).toEqual(['0', '1', '2', '3', '4']);
    expect(new Set(attempts.map(({ headers }) => header(headers, 'id'))).size).toBe(1);
    expect(webhook.ofType('revocation')[0]).toMatchObject({
      isSigned: true,
      body: { subscription: { status: 'notification_failures_exceeded' } },
    });
    expect((await twitch.helix('GET', '/subscriptions')).data).toMatchObject([{ status: 'notification_failures_exceeded' }]);
  });

  test('receive a forged notification with a wrong signature', async () => {
    await using webhook = await openWebhook();
    await using twitch = await openEventSub();
    await twitch.subscribe('stream.online', HANDLE, webhook.transport);
    await statusOf(twitch, 'enabled');
    twitch.sandbox.faults.add({ platform: 'twitch', kind: 'forgedNotification', times: 1 });

    twitch.sandbox.world.order({ do: 'goLive', user: HANDLE }, twitch.clock.nowMs());
    await untilTrue(() => webhook.ofType('notification').length === 2);

    expect(new Set(webhook.ofType('notification').map(({ isSigned }) => isSigned))).toEqual(new Set([false, true]));
  });

  test('can be shards, which need a challenge too', async () => {
    await using webhook = await openWebhook();
    await using twitch = await openEventSub();
    const [conduit] = (await twitch.helix('POST', '/conduits', { shard_count: 1 })).data;
    const shards = () => twitch.helix('GET', `/conduits/shards?conduit_id=${conduit?.id}`);

    const bound = await twitch.helix('PATCH', '/conduits/shards', {
      conduit_id: conduit?.id,
      shards: [{ id: '0', transport: webhook.transport }],
    });
    await untilTrue(async () => (await shards()).data[0]?.['status'] === 'enabled');
    await twitch.subscribe('stream.online', HANDLE, { method: 'conduit', conduit_id: conduit?.id });
    twitch.sandbox.world.order({ do: 'goLive', user: HANDLE }, twitch.clock.nowMs());
    await untilTrue(() => webhook.ofType('notification').length === 1);

    expect(bound).toMatchObject({ status: 202, data: [{ id: '0', status: 'webhook_callback_verification_pending' }], errors: [] });
    expect(webhook.ofType('notification')[0]).toMatchObject({
      isSigned: true,
      body: { subscription: { transport: { method: 'conduit' } } },
    });
  });

  test('receive notifications after a restart of the sandbox, without a request', async () => {
    using folder = temporaryFolder();
    await using webhook = await openWebhook();
    const file = `${folder.path}/sandbox.sqlite`;
    {
      await using before = await openEventSub({ file });
      await before.subscribe('stream.online', HANDLE, webhook.transport);
      await statusOf(before, 'enabled');
    }
    await using twitch = await openEventSub({ file });

    await untilTrue(() => twitch.clock.sleeping > 0);
    twitch.sandbox.world.order({ do: 'goLive', user: HANDLE }, twitch.clock.nowMs());

    await untilTrue(() => webhook.ofType('notification').length === 1);
    expect(webhook.ofType('notification')[0]?.body.event).toMatchObject({ broadcaster_user_login: HANDLE });
  });
});
