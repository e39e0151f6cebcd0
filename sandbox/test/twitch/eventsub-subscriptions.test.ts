import { describe, expect, test } from 'vitest';
import { openEventSub } from './eventsub-client.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';

const HOUR_MS = 3_600_000;

describe('subscriptions of an app', () => {
  test('are created, listed and deleted as on Twitch', async () => {
    await using twitch = await openEventSub();
    const { transport, conduit } = await twitch.connectedConduit();
    const { id: userId } = twitch.person('midnightowl');

    const created = await twitch.subscribe('stream.online', 'midnightowl', transport);
    const id = created.data[0]?.id ?? '';
    const subscription = {
      id: expect.stringMatching(/^[\da-f-]{36}$/u),
      status: 'enabled',
      type: 'stream.online',
      version: '1',
      condition: { broadcaster_user_id: userId },
      transport: { method: 'conduit', conduit_id: conduit },
      created_at: '2026-11-20T18:00:00.000000000Z',
      cost: 1,
    };
    expect(created).toEqual({ status: 202, data: [subscription], total: 1, total_cost: 1, max_total_cost: 10_000 });
    const totals = { total: 1, total_cost: 1, max_total_cost: 10_000 };
    expect(await twitch.helix('GET', '/subscriptions')).toEqual({ status: 200, data: [subscription], ...totals, pagination: {} });

    const deleted = await twitch.helix('DELETE', `/subscriptions?id=${id}`);
    const again = await twitch.helix('DELETE', `/subscriptions?id=${id}`);
    expect([deleted.status, again.status, again.message]).toEqual([204, 404, 'subscription not found']);
    expect(await twitch.helix('GET', '/subscriptions')).toMatchObject({ data: [], total: 0, total_cost: 0 });
  });

  test('are filtered by one parameter', async () => {
    await using twitch = await openEventSub();
    const { transport, conduit } = await twitch.connectedConduit();
    const [first] = (await twitch.subscribe('stream.online', 'midnightowl', transport)).data;
    await twitch.subscribe('stream.offline', 'midnightowl', transport);
    await twitch.subscribe('channel.update', 'odd_fathom', transport);
    const typesOf = async (query: string) => (await twitch.helix('GET', `/subscriptions?${query}`)).data.map(({ type }) => type);

    expect(await typesOf(`user_id=${twitch.person('midnightowl').id}`)).toEqual(['stream.online', 'stream.offline']);
    expect(await typesOf('type=channel.update')).toEqual(['channel.update']);
    expect(await typesOf(`subscription_id=${first?.id}`)).toEqual(['stream.online']);
    expect(await typesOf(`conduit_id=${conduit}`)).toHaveLength(3);
    expect(await typesOf('status=enabled')).toHaveLength(3);
    expect(await typesOf('status=version_removed')).toEqual([]);
    expect(await twitch.helix('GET', '/subscriptions?status=open')).toMatchObject({ status: 400 });
    expect(await twitch.helix('GET', '/subscriptions?status=enabled&type=stream.online')).toMatchObject({
      status: 400,
      message: 'You may specify only one filter query parameter',
    });
  });

  test('are listed on pages of 100', async () => {
    await using twitch = await openEventSub();
    const { transport } = await twitch.connectedConduit();
    for (const { handle } of twitch.sandbox.world.people.slice(0, 101)) await twitch.subscribe('stream.online', handle, transport);

    const first = await twitch.helix('GET', '/subscriptions');
    const second = await twitch.helix('GET', `/subscriptions?after=${first.pagination?.cursor}`);

    expect([first.data.length, second.data.length, second.pagination]).toEqual([100, 1, {}]);
    expect(new Set([...first.data, ...second.data].map(({ id }) => id)).size).toBe(101);
    expect(await twitch.helix('GET', '/subscriptions?after=abc')).toMatchObject({ status: 400 });
  });

  test('cannot exist twice on a transport, and three times at most', async () => {
    await using twitch = await openEventSub();
    const conduits: string[] = [];
    for (let number = 0; number < 4; number++)
      conduits.push((await twitch.helix('POST', '/conduits', { shard_count: 1 })).data[0]?.id ?? '');
    const subscribe = async (conduit_id = '') => {
      const { status, message } = await twitch.subscribe('stream.online', 'midnightowl', { method: 'conduit', conduit_id });
      return [status, message];
    };

    expect(await subscribe(conduits[0])).toEqual([202, undefined]);
    expect(await subscribe(conduits[0])).toEqual([409, 'subscription already exists']);
    expect(await subscribe(conduits[1])).toEqual([202, undefined]);
    expect(await subscribe(conduits[2])).toEqual([202, undefined]);
    expect(await subscribe(conduits[3])).toEqual([429, 'maximum subscriptions with type and condition exceeded']);
  });

  test('are refused above the total cost, which the control API lowers', async () => {
    await using twitch = await openEventSub();
    const { transport } = await twitch.connectedConduit();
    await twitch.order('/twitch/eventsub', { do: 'limit', maxTotalCost: 2 });

    const created = await twitch.subscribe('stream.online', 'midnightowl', transport);
    await twitch.subscribe('stream.offline', 'midnightowl', transport);
    const refused = await twitch.subscribe('channel.update', 'midnightowl', transport);
    await twitch.helix('DELETE', `/subscriptions?id=${created.data[0]?.id}`);
    const afterwards = await twitch.subscribe('channel.update', 'midnightowl', transport);

    expect(created).toMatchObject({ max_total_cost: 2 });
    expect(refused).toMatchObject({ status: 429, message: 'cost exceeded', error: 'Too Many Requests' });
    expect(afterwards).toMatchObject({ status: 202, total: 2, total_cost: 2 });
  });

  test('cost nothing for a channel that has authorized the app', async () => {
    await using twitch = await openEventSub();
    const { transport } = await twitch.connectedConduit();
    await twitch.userToken();

    expect(await twitch.subscribe('stream.online', 'ada', transport)).toMatchObject({ data: [{ cost: 0 }], total: 1, total_cost: 0 });
  });

  test('to conduit.shard.disabled need the own client id and an own conduit', async () => {
    await using twitch = await openEventSub();
    const { transport, conduit } = await twitch.connectedConduit();
    const subscribe = (condition: object) =>
      twitch.helix('POST', '/subscriptions', { type: 'conduit.shard.disabled', version: '1', condition, transport });

    expect(await subscribe({ client_id: twitch.clientId, conduit_id: conduit })).toMatchObject({ status: 202, total_cost: 0 });
    expect(await subscribe({ client_id: 'another' })).toMatchObject({ status: 403 });
    expect(await subscribe({ client_id: twitch.clientId, conduit_id: 'another' })).toMatchObject({ status: 403 });
  });

  test('to channel.raid have one of two broadcasters, and both are in the answer', async () => {
    await using twitch = await openEventSub();
    const { transport } = await twitch.connectedConduit();
    const { id } = twitch.person('ada');
    const subscribe = (condition: object) =>
      twitch.helix('POST', '/subscriptions', { type: 'channel.raid', version: '1', condition, transport });

    expect(await subscribe({ to_broadcaster_user_id: id })).toMatchObject({
      status: 202,
      data: [{ condition: { from_broadcaster_user_id: '', to_broadcaster_user_id: id } }],
    });
    expect(await subscribe({})).toMatchObject({ status: 400 });
    expect(await subscribe({ from_broadcaster_user_id: id, to_broadcaster_user_id: id })).toMatchObject({ status: 400 });
  });

  test.each([
    [{ type: 'stream.paused' }, 400, 'invalid subscription type and version'],
    [{ version: '2' }, 400, 'invalid subscription type and version'],
    [{ condition: {} }, 400, 'invalid condition'],
    [{ condition: { broadcaster_user_id: '1' } }, 400, 'invalid condition'],
    [{ condition: undefined }, 400, 'Missing or invalid field "condition"'],
    [{ transport: { method: 'pigeon' } }, 400, 'Missing or invalid field "transport.method"'],
    [{ transport: { method: 'conduit', conduit_id: 'none' } }, 404, 'conduit not found'],
    [{ transport: { method: 'websocket', session_id: 'none' } }, 400, 'invalid transport and auth combination'],
    [
      { transport: { method: 'webhook', callback: 'http://127.0.0.1:1/', secret: 'short' } },
      400,
      'Missing or invalid field "transport.secret"',
    ],
    [
      { transport: { method: 'webhook', callback: 'https://example.org/hook', secret: 'long enough' } },
      400,
      'The callback must be an address of this machine, because this Twitch is simulated',
    ],
  ])('are refused for %j', async (change, status, message) => {
    await using twitch = await openEventSub();
    const { transport } = await twitch.connectedConduit();
    const wanted = { type: 'stream.online', version: '1', condition: { broadcaster_user_id: twitch.person('ada').id }, transport };

    expect(await twitch.helix('POST', '/subscriptions', { ...wanted, ...change })).toMatchObject({ status, message });
  });

  test('survive a restart with their conduit, and the shard needs a new session', async () => {
    using folder = temporaryFolder();
    const file = `${folder.path}/sandbox.sqlite`;
    let conduit = '';
    {
      await using before = await openEventSub({ file });
      const connected = await before.connectedConduit();
      conduit = connected.conduit;
      await before.subscribe('stream.online', 'midnightowl', connected.transport);
    }
    await using twitch = await openEventSub({ file });

    expect((await twitch.helix('GET', '/subscriptions')).data).toMatchObject([{ status: 'enabled', transport: { conduit_id: conduit } }]);
    expect((await twitch.helix('GET', `/conduits/shards?conduit_id=${conduit}`)).data).toMatchObject([
      { status: 'websocket_disconnected' },
    ]);
  });
});

describe('subscriptions of a user', () => {
  const WEBSOCKET = 'websocket';

  test('use a session, and are lost with it', async () => {
    await using twitch = await openEventSub();
    const { accessToken } = await twitch.userToken();
    const client = await twitch.connect();
    const session_id = await client.sessionId();

    const created = await twitch.subscribe('stream.online', 'midnightowl', { method: WEBSOCKET, session_id }, accessToken);
    await twitch.clock.advance(20_000);
    const isOpen = client.socket.readyState === client.socket.OPEN;
    client.socket.close();
    await client.closed;
    const ofUser = () => twitch.helix('GET', '/subscriptions', undefined, accessToken);
    // The server notices the end of the connection after the client.
    await expect.poll(async () => (await ofUser()).data[0]).toMatchObject({ status: 'websocket_disconnected' });
    const lost = await ofUser();
    const ofApp = await twitch.helix('GET', '/subscriptions');
    await twitch.clock.advance(HOUR_MS);

    expect(created).toMatchObject({
      status: 202,
      total: 1,
      total_cost: 1,
      max_total_cost: 10,
      data: [{ transport: { method: WEBSOCKET, session_id } }],
    });
    expect(isOpen).toBe(true);
    expect(lost).toMatchObject({
      total_cost: 0,
      data: [{ transport: { disconnected_at: expect.any(String) } }],
    });
    expect(ofApp.data).toEqual([]);
    expect((await ofUser()).data).toEqual([]);
  });

  test('have a limit of cost, of connections, and need an open session', async () => {
    await using twitch = await openEventSub();
    const { accessToken } = await twitch.userToken();
    const sessions = [];
    for (let number = 0; number < 4; number++) sessions.push(await (await twitch.connect()).sessionId());
    const subscribe = async (type: string, handle: string, session_id = '') => {
      const { status, message } = await twitch.subscribe(type, handle, { method: WEBSOCKET, session_id }, accessToken);
      return [status, message];
    };

    for (const [index, session] of sessions.slice(0, 3).entries()) {
      expect(await subscribe('stream.online', ['ada', 'grace', 'linus'][index] ?? '', session)).toEqual([202, undefined]);
    }
    expect(await subscribe('stream.online', 'margaret', sessions[3])).toEqual([429, 'number of websocket transports limit exceeded']);
    expect(await subscribe('stream.online', 'margaret', 'gone')).toEqual([
      400,
      'websocket transport session does not exist or has already disconnected',
    ]);
    await twitch.order('/twitch/eventsub', { do: 'limit', maxUserCost: 2 });
    expect(await subscribe('stream.online', 'margaret', sessions[0])).toEqual([429, 'cost exceeded']);
    // The channel of the token costs nothing.
    expect(await subscribe('stream.offline', 'ada', sessions[0])).toEqual([202, undefined]);
  });

  test('cannot use a conduit, and an app token cannot use a session', async () => {
    await using twitch = await openEventSub();
    const { accessToken } = await twitch.userToken();
    const { transport, client } = await twitch.connectedConduit();
    const invalid = { status: 400, message: 'invalid transport and auth combination' };

    expect(await twitch.subscribe('stream.online', 'ada', transport, accessToken)).toMatchObject(invalid);
    expect(await twitch.subscribe('stream.online', 'ada', { method: WEBSOCKET, session_id: await client.sessionId() })).toMatchObject(
      invalid,
    );
    expect(await twitch.helix('GET', '/conduits', undefined, accessToken)).toMatchObject({ status: 401 });
  });
});
