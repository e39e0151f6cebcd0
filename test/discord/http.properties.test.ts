import { generateKeyPairSync, sign } from 'node:crypto';
import { type APIInteraction, GatewayDispatchEvents, RESTEvents } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { systemClock } from '#src/clock.ts';
import { type EndpointAnswer, interactionsEndpoint } from '#src/discord/http/endpoint.ts';
import { createLog, silentLog } from '#src/log.ts';
import { startWeb, type Web } from '#src/web/web.ts';
import { fetch } from '../support/discord-sandbox.ts';
import { FakeApiQueries } from '../support/fake-api-queries.ts';
import { noOperations } from '../support/operations.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { fc, runs } from '../support/property.ts';
import { trickle } from '../support/slow-request.ts';
import { openBotConnection, type ConnectionFixture, type ConnectionFixtureOptions } from './connection-fixture.ts';

/** A bot without a gateway, whose HTTP endpoint receives the interactions of the sandbox. */
async function overHttp({ settings, ...options }: Pick<ConnectionFixtureOptions, 'settings' | 'servers'> = {}): Promise<
  ConnectionFixture & { readonly web: Web; readonly endpoint: string }
> {
  const fixture = await openBotConnection({ settings: { ...settings, gateway: false }, ...options });
  await fixture.online.client;
  // The sandbox returns its public key, which Discord shows on the page of an application.
  const { publicKey } = await fixture.discord.order<{ publicKey: string }>('/discord/endpoint', {});
  const takeInteraction = interactionsEndpoint({
    publicKey,
    deliver: (interaction) => fixture.online.deliver(interaction),
    clock: systemClock,
    log: silentLog,
  });
  const web = await startWeb({
    host: '127.0.0.1',
    port: 0,
    apiQueries: new FakeApiQueries(),
    operations: noOperations,
    takeInteraction,
    clock: systemClock,
    log: silentLog,
  });
  const endpoint = `${web.url}/discord/interactions`;
  await fixture.discord.order('/discord/endpoint', { url: endpoint });
  return {
    ...fixture,
    web,
    endpoint,
    async [Symbol.asyncDispose]() {
      await fixture[Symbol.asyncDispose]();
      await web[Symbol.asyncDispose]();
    },
  };
}

describe('without a gateway', () => {
  test('commands, autocompletion, buttons and forms work without a gateway connection', async () => {
    await using fixture = await overHttp();
    const [user, , member] = fixture.discord.people;

    const answered = await fixture.echo('hello');
    const later = await fixture.echo('later');
    const typed = await fixture.discord.interact({ user, channel: 'general', command: 'echo', options: { text: 'f' }, autocomplete: true });
    const clicked = await fixture.discord.interact({ user: member, message: answered.message?.id, click: 'Again' });
    const form = await fixture.echo('form');
    const filled = await fixture.discord.interact({ user, modal: form.id, fields: { text: 'typed' } });

    expect([answered.message?.content, later.message?.content]).toEqual(['hello', 'later']);
    expect(typed.choices).toMatchObject([{ value: 'first' }, { value: 'second' }]);
    expect([clicked.message?.content, clicked.ephemeral]).toEqual(['again hello', true]);
    expect([form.outcome, filled.message?.content]).toEqual(['modal', 'again typed']);
    expect(await fixture.connections()).toBe(0);
    expect(fixture.states.map(({ kind }) => kind)).toEqual(['connected']);
  });

  test('the bot loads its servers with their channels and roles', async () => {
    await using fixture = await overHttp();
    const client = await fixture.online.client;

    const guild = client.guilds.cache.get(fixture.discord.guildId);

    expect(guild?.name).toBe('Fanfare Sandbox');
    expect(guild?.roles.cache.map(({ name }) => name)).toContain('Moderator');
    expect(guild?.channels.cache.map(({ name }) => name)).toContain('general');
  });

  test('without configured servers, the bot loads a server with its first interaction, once', async () => {
    await using fixture = await overHttp({ servers: [], settings: { roles: { look: ['Moderator'] } } });
    const client = await fixture.online.client;
    const loaded: string[] = [];
    client.rest.on(RESTEvents.Response, ({ path }) => void (path.includes('/guilds') && loaded.push(path)));

    const before = client.guilds.cache.size;
    const answered = await Promise.all(['one', 'two'].map((text) => fixture.echo(text)));
    const later = await fixture.echo('three');

    const id = fixture.discord.guildId;
    expect(before).toBe(0);
    // The name of the role is known before the command checks it.
    expect([...answered, later].map(({ message }) => message?.content)).toEqual(['one', 'two', 'three']);
    expect(loaded.toSorted()).toEqual([`/guilds/${id}`, `/guilds/${id}/channels`, `/guilds/${id}/threads/active`]);
    expect(client.guilds.cache.get(id)?.channels.cache.map(({ name }) => name)).toContain('general');
  });

  test('an offline bot answers that it is offline', async () => {
    await using fixture = await overHttp();
    await fixture.online[Symbol.asyncDispose]();

    const { outcome, message, ephemeral } = await fixture.echo('hello');

    expect([outcome, message?.content, ephemeral]).toEqual(['message', 'The bot is being restarted. Ask again in a minute.', true]);
  });

  test('an endpoint that does not check signatures is refused', async () => {
    await using fixture = await overHttp();
    const deaf = interactionsEndpoint({ publicKey: '0'.repeat(64), deliver: () => true, clock: systemClock, log: silentLog });
    await using web = await startWeb({
      host: '127.0.0.1',
      port: 0,
      apiQueries: new FakeApiQueries(),
      operations: noOperations,
      takeInteraction: deaf,
      clock: systemClock,
      log: silentLog,
    });

    await expect(fixture.discord.order('/discord/endpoint', { url: `${web.url}/discord/interactions` })).rejects.toThrow(
      'does not answer a ping',
    );
  });
});

describe('a signed interaction with missing or wrong fields', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const hex = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
  const FIELDS = [
    'entitlements',
    'member',
    'guild_id',
    'guild',
    'channel',
    'channel_id',
    'data',
    'type',
    'token',
    'app_permissions',
    'locale',
  ];
  const VALUES = [undefined, null, 0, '', 'x', [], {}, [null], { id: 1 }];

  /** The status of an interaction of the sandbox with changed fields. */
  async function changing(options: Pick<ConnectionFixtureOptions, 'servers'>) {
    const fixture = await overHttp(options);
    let raw: Readonly<Record<string, unknown>> = {};
    const take = interactionsEndpoint({
      publicKey: hex,
      deliver: (interaction) => fixture.online.deliver(interaction),
      clock: systemClock,
      log: silentLog,
    });
    const client = await fixture.online.client;
    client.ws.once(GatewayDispatchEvents.InteractionCreate, (interaction: APIInteraction) => (raw = { ...interaction }));
    await fixture.echo('valid');
    let id = 1000;
    const send = (changes: Readonly<Record<string, unknown>>): EndpointAnswer => {
      id += 1;
      const body = Buffer.from(JSON.stringify({ ...raw, id: String(id), ...changes }));
      const timestamp = String(Math.floor(systemClock.nowMs() / 1000) + 2);
      return take({
        timestamp,
        body,
        signature: sign(undefined, Buffer.concat([Buffer.from(timestamp), body]), privateKey).toString('hex'),
      });
    };
    return { fixture, send };
  }

  test.for(['entitlements', 'member'])('is refused in JSON without %s', async (field) => {
    const { fixture, send } = await changing({});
    await using _ = fixture;

    expect(send({ [field]: undefined })).toEqual({ status: 400, code: 'noInteraction', detail: 'The body is not an interaction.' });
    expect(send({}).status).toBe(202);
  });

  // Without configured servers, the interaction waits until its server is loaded.
  test.for([{}, { servers: [] }])('never ends the process', async (options) => {
    const { fixture, send } = await changing(options);
    await using _ = fixture;
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.constantFrom(...FIELDS), fc.constantFrom(...VALUES), { minKeys: 1, maxKeys: 3 }),
        async (changes) => {
          expect([200, 202, 400]).toContain(send(changes).status);
          await new Promise(setImmediate);
        },
      ),
      { numRuns: runs(50, 2000) },
    );
  });
});

test('an interaction over both gateway and HTTP runs once', async () => {
  await using fixture = await openBotConnection();
  const client = await fixture.online.client;
  // As it came: the gateway has given it to the client already.
  client.ws.once(GatewayDispatchEvents.InteractionCreate, (raw: APIInteraction) => void fixture.online.deliver(raw));

  await fixture.echo('once');

  expect(fixture.ran).toEqual(['once']);
});

describe('requests without a valid signature', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const hex = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
  const NOW = new Date('2026-11-20T12:00:00Z');

  interface Sent {
    readonly atMs?: number;
    readonly body?: string;
    /** Changes the signed request. */
    readonly tamper?: (request: {
      signature: string;
      timestamp: string;
      body: string;
    }) => Partial<{ signature: string; timestamp: string; body: string }>;
  }

  function open() {
    const delivered: string[] = [];
    const clock = new ManualClock(NOW);
    const take = interactionsEndpoint({ publicKey: hex, deliver: ({ id }) => delivered.push(id) > 0, clock, log: silentLog });
    const send = ({ atMs = clock.nowMs(), body = interaction('1'), tamper = () => ({}) }: Sent = {}): EndpointAnswer => {
      const timestamp = String(Math.floor(atMs / 1000));
      const signed = { timestamp, body, signature: sign(undefined, Buffer.from(timestamp + body), privateKey).toString('hex') };
      const arriving = { ...signed, ...tamper(signed) };
      return take({ ...arriving, body: Buffer.from(arriving.body) });
    };
    return { delivered, clock, send };
  }

  const interaction = (id: string): string =>
    JSON.stringify({ id, type: 2, token: 'a token', application_id: '2', data: { name: 'echo', type: 1 }, locale: 'de' });

  test('a signed interaction is delivered, and its answer comes over REST', () => {
    const { delivered, send } = open();

    expect(send()).toEqual({ status: 202 });
    expect(delivered).toEqual(['1']);
  });

  test('every ping is answered', () => {
    const { send } = open();
    const ping = JSON.stringify({ id: '1', type: 1, token: 'x', application_id: '2' });

    expect([send({ body: ping }), send({ body: ping })]).toEqual([1, 2].map(() => ({ status: 200, body: { type: 1 } })));
  });

  test('a request with a changed byte of body, timestamp or signature is refused', () => {
    fc.assert(
      fc.property(fc.constantFrom('signature', 'timestamp', 'body'), fc.nat(), fc.nat(254), (part, at, by) => {
        const { delivered, send } = open();
        const change = (text: string): string => {
          const bytes = Buffer.from(text);
          const place = at % bytes.length;
          bytes[place] = ((bytes[place] ?? 0) + 1 + by) % 256;
          return bytes.toString('latin1');
        };
        const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
        let changed = true;
        const { status } = send({
          tamper: (signed) => {
            const text = change(signed[part]);
            changed = !(part === 'signature' && same(text, signed[part]));
            return { [part]: text };
          },
        });
        expect([status, delivered]).toEqual(changed ? [401, []] : [202, ['1']]);
      }),
    );
  });

  test.for([
    ['no signature', { signature: '' }],
    ['an invalid signature', { signature: 'zz' }],
    ['a signature of another length', { signature: '00'.repeat(63) }],
    ['another one than that of the application', { signature: '00'.repeat(64) }],
    ['no timestamp', { timestamp: '' }],
  ] as const)('%s is refused', ([, change]) => {
    const { delivered, send } = open();

    expect(send({ tamper: () => change }).status).toBe(401);
    expect(delivered).toEqual([]);
  });

  test.for([
    ['too old', -61_000],
    ['from the future', 62_000],
  ] as const)('a request that is %s is refused, even with a valid signature', ([, byMs]) => {
    const { delivered, clock, send } = open();
    void clock.advance(120_000);

    expect(send({ atMs: clock.nowMs() + byMs }).status).toBe(401);
    expect(delivered).toEqual([]);
  });

  test('a repeated request is refused', async () => {
    const { delivered, clock, send } = open();
    const atMs = clock.nowMs();

    const statuses = [send({ atMs }).status, send({ atMs }).status];
    await clock.advance(50_000);
    statuses.push(send({ atMs }).status);

    expect(statuses).toEqual([202, 401, 401]);
    expect(delivered).toEqual(['1']);
  });

  test('a request from before the start of the process is refused', () => {
    const { delivered, send } = open();

    expect(send({ atMs: NOW.getTime() - 2000 }).status).toBe(401);
    expect(delivered).toEqual([]);
  });

  test.for(['', 'null', '[]', '{"type":2}', '{"id":"x","type":2}', '{"id":"1","type":2,"token":"a"}', '\u0000'])(
    'signed nonsense is refused: %j',
    (body) => {
      const { delivered, send } = open();

      expect(send({ body }).status).toBe(400);
      expect(delivered).toEqual([]);
    },
  );
});

describe('the address', () => {
  test('ends a request whose body never ends', async () => {
    const options = {
      host: '127.0.0.1',
      port: 0,
      apiQueries: new FakeApiQueries(),
      operations: noOperations,
      clock: systemClock,
      log: silentLog,
    };
    const lines: string[] = [];
    const log = createLog({ level: 'warn', secrets: [], write: (line) => void lines.push(line), color: false });
    await using web = await startWeb({ ...options, log, requestTimeoutMs: 100, takeInteraction: () => ({ status: 202 }) });

    expect(await trickle(`${web.url}/discord/interactions`)).toMatch(/^HTTP\/1\.1 408 /u);
    expect(lines).toEqual([]);
  });

  test('exists only with a public key, and accepts only the size of an interaction', async () => {
    const options = {
      host: '127.0.0.1',
      port: 0,
      apiQueries: new FakeApiQueries(),
      operations: noOperations,
      clock: systemClock,
      log: silentLog,
    };
    await using without = await startWeb(options);
    await using wide = await startWeb({ ...options, takeInteraction: () => ({ status: 202 }) });
    const post = async (web: Web, body: string): Promise<number> =>
      (await fetch(`${web.url}/discord/interactions`, { method: 'POST', body, headers: { host: 'bot.example.org' } })).status;

    expect([await post(without, '{}'), await post(wide, '{}'), await post(wide, 'x'.repeat(2 ** 20 + 1))]).toEqual([404, 202, 413]);
  });
});
