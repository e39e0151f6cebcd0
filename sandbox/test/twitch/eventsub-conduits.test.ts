import { describe, expect, test } from 'vitest';
import { openEventSub } from './eventsub-client.ts';

const HOUR_MS = 3_600_000;

describe('conduits', () => {
  test('are created, listed, changed and deleted; an app has five at most', async () => {
    await using twitch = await openEventSub();
    const created = [];
    for (let count = 1; count <= 5; count++) created.push(...(await twitch.helix('POST', '/conduits', { shard_count: count })).data);
    const [first] = created;

    expect(created).toEqual([1, 2, 3, 4, 5].map((shard_count) => ({ id: expect.stringMatching(/^[\da-f-]{36}$/u), shard_count })));
    expect(await twitch.helix('POST', '/conduits', { shard_count: 1 })).toMatchObject({ status: 429, message: 'Conduit limit reached' });
    expect((await twitch.helix('PATCH', '/conduits', { id: first?.id, shard_count: 7 })).data).toEqual([{ id: first?.id, shard_count: 7 }]);
    expect((await twitch.helix('DELETE', `/conduits?id=${first?.id}`)).status).toBe(204);
    expect((await twitch.helix('GET', '/conduits')).data).toEqual(created.slice(1));
    expect((await twitch.helix('POST', '/conduits', { shard_count: 1 })).status).toBe(200);
  });

  test.each([
    ['POST', '/conduits', {}, 400, 'Missing or invalid field "shard_count"'],
    ['POST', '/conduits', { shard_count: 0 }, 400, 'Missing or invalid field "shard_count"'],
    ['POST', '/conduits', { shard_count: 20_001 }, 400, 'Missing or invalid field "shard_count"'],
    ['PATCH', '/conduits', { id: 'none', shard_count: 1 }, 404, 'Conduit not found'],
    ['DELETE', '/conduits?id=none', undefined, 404, 'Conduit not found'],
    ['DELETE', '/conduits', undefined, 400, 'Missing required parameter "id"'],
    ['GET', '/conduits/shards', undefined, 400, 'Missing required parameter "conduit_id"'],
    ['GET', '/conduits/shards?conduit_id=none', undefined, 404, 'Conduit not found'],
    [
      'PATCH',
      '/conduits/shards',
      { conduit_id: 'none', shards: [{ id: '0', transport: { method: 'webhook' } }] },
      404,
      'Conduit not found',
    ],
  ])('refuse %s %s with %j', async (method, path, body, status, message) => {
    await using twitch = await openEventSub();

    expect(await twitch.helix(method, path, body)).toMatchObject({ status, message });
  });

  test('bind sessions to shards, and report each wrong shard', async () => {
    await using twitch = await openEventSub();
    const [conduit] = (await twitch.helix('POST', '/conduits', { shard_count: 3 })).data;
    const sessions = [await (await twitch.connect()).sessionId(), await (await twitch.connect()).sessionId()];
    const shard = (id: string, session_id = '') => ({ id, transport: { method: 'websocket', session_id } });

    const answer = await twitch.helix('PATCH', '/conduits/shards', {
      conduit_id: conduit?.id,
      shards: [
        shard('0', sessions[0]),
        shard('1', 'gone'),
        shard('2', sessions[0]),
        shard('3', sessions[1]),
        { id: '1', transport: { method: 'x' } },
      ],
    });

    const bound = {
      id: '0',
      status: 'enabled',
      transport: { method: 'websocket', session_id: sessions[0], connected_at: '2026-11-20T18:00:00.000000000Z' },
    };
    expect(answer).toEqual({
      status: 202,
      data: [bound],
      errors: [
        { id: '1', message: 'websocket transport session does not exist or has already disconnected', code: 'invalid_parameter' },
        { id: '2', message: 'The websocket session is already assigned to another shard', code: 'invalid_parameter' },
        { id: '3', message: "The shard id is outside the conduit's range", code: 'invalid_parameter' },
        { id: '1', message: 'The transport method must be webhook or websocket', code: 'invalid_parameter' },
      ],
    });
    expect((await twitch.helix('GET', `/conduits/shards?conduit_id=${conduit?.id}`)).data).toEqual([bound]);
    expect((await twitch.helix('GET', `/conduits/shards?conduit_id=${conduit?.id}&status=websocket_disconnected`)).data).toEqual([]);
  });

  test('lose the shards beyond a lower number', async () => {
    await using twitch = await openEventSub();
    const [conduit] = (await twitch.helix('POST', '/conduits', { shard_count: 2 })).data;
    const shards = [];
    for (const id of ['0', '1']) {
      shards.push({ id, transport: { method: 'websocket', session_id: await (await twitch.connect()).sessionId() } });
    }
    await twitch.helix('PATCH', '/conduits/shards', { conduit_id: conduit?.id, shards });

    await twitch.helix('PATCH', '/conduits', { id: conduit?.id, shard_count: 1 });

    expect((await twitch.helix('GET', `/conduits/shards?conduit_id=${conduit?.id}`)).data).toMatchObject([{ id: '0' }]);
  });

  test('share notifications among their shards, and drop them if two shards in a row are disabled', async () => {
    await using twitch = await openEventSub();
    const [conduit] = (await twitch.helix('POST', '/conduits', { shard_count: 3 })).data;
    const clients = [await twitch.connect(), await twitch.connect(), await twitch.connect()];
    const shards = [];
    for (const [id, client] of clients.entries()) {
      shards.push({ id: String(id), transport: { method: 'websocket', session_id: await client.sessionId() } });
    }
    await twitch.helix('PATCH', '/conduits/shards', { conduit_id: conduit?.id, shards });
    await twitch.subscribe('channel.update', 'midnightowl', { method: 'conduit', conduit_id: conduit?.id });
    twitch.sandbox.world.order({ do: 'goLive', user: 'midnightowl' }, twitch.clock.nowMs());
    const counts = async () => {
      for (const client of clients) if (client.socket.readyState === client.socket.OPEN) await client.received();
      return clients.map((client) => client.ofType('notification').length);
    };
    const change = (title: string) => twitch.sandbox.world.order({ do: 'changeTitle', user: 'midnightowl', title }, twitch.clock.nowMs());

    for (const title of ['a', 'b', 'c']) change(title);
    const shared = await counts();
    await twitch.order('/twitch/eventsub', { do: 'disableShard', shard: 1 });
    for (const title of ['d', 'e', 'f']) change(title);
    const oneDisabled = await counts();
    await twitch.order('/twitch/eventsub', { do: 'disableShard', shard: 2 });
    for (const title of ['g', 'h', 'i']) change(title);

    expect([shared, oneDisabled, await counts()]).toEqual([
      [1, 1, 1],
      [2, 1, 3],
      [4, 1, 3],
    ]);
    expect(await twitch.order('/twitch/eventsub')).toMatchObject({ notifications: { sent: 8, undelivered: 1 } });
  });

  test('report a disabled shard to conduit.shard.disabled', async () => {
    await using twitch = await openEventSub();
    const { conduit, client, transport } = await twitch.connectedConduit();
    const other = await twitch.connectedConduit();
    await twitch.helix('POST', '/subscriptions', {
      type: 'conduit.shard.disabled',
      version: '1',
      condition: { client_id: twitch.clientId },
      transport: other.transport,
    });
    await twitch.subscribe('stream.online', 'midnightowl', transport);
    const session_id = await client.sessionId();

    client.socket.close();
    const notification = await other.client.until(({ metadata }) => metadata.message_type === 'notification');

    expect(notification.payload.event).toEqual({
      conduit_id: conduit,
      shard_id: '0',
      status: 'websocket_disconnected',
      transport: {
        method: 'websocket',
        session_id,
        connected_at: '2026-11-20T18:00:00.000000000Z',
        disconnected_at: '2026-11-20T18:00:00.000000000Z',
      },
    });
  });

  test('receive again on a new session, without new subscriptions', async () => {
    await using twitch = await openEventSub();
    const { conduit, client, transport } = await twitch.connectedConduit();
    await twitch.subscribe('stream.online', 'midnightowl', transport);
    client.socket.terminate();
    await client.closed;

    const next = await twitch.connect();
    const session_id = await next.sessionId();
    await twitch.helix('PATCH', '/conduits/shards', {
      conduit_id: conduit,
      shards: [{ id: '0', transport: { method: 'websocket', session_id } }],
    });
    twitch.sandbox.world.order({ do: 'goLive', user: 'midnightowl' }, twitch.clock.nowMs());

    const { metadata } = await next.until((message) => message.metadata.message_type === 'notification');
    expect(metadata['subscription_type']).toBe('stream.online');
  });

  test('end their subscriptions when they are deleted, and after 72 hours without an enabled shard', async () => {
    await using twitch = await openEventSub();
    const deleted = await twitch.connectedConduit();
    await twitch.subscribe('stream.online', 'midnightowl', deleted.transport);
    const unused = await twitch.connectedConduit();
    await twitch.subscribe('stream.offline', 'midnightowl', unused.transport);

    await twitch.helix('DELETE', `/conduits?id=${deleted.conduit}`);
    unused.client.socket.terminate();
    // The server notices the end of the connection after the client.
    const shards = () => twitch.helix('GET', `/conduits/shards?conduit_id=${unused.conduit}`);
    await expect.poll(async () => (await shards()).data[0]).toMatchObject({ status: 'websocket_disconnected' });
    // To advance the clock through each keepalive of these hours would take seconds.
    twitch.clock.set(twitch.clock.nowMs() + 72 * HOUR_MS - 1);
    await twitch.clock.advance(0);
    const last = await twitch.helix('GET', '/conduits');
    await twitch.clock.advance(1);

    expect(last.data.map(({ id }) => id)).toEqual([unused.conduit]);
    expect((await twitch.helix('GET', '/conduits')).data).toEqual([]);
    expect((await twitch.helix('GET', '/subscriptions')).data.map(({ status }) => status)).toEqual(['conduit_deleted', 'conduit_deleted']);
  });
});
