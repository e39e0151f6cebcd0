import { capabilityTables } from '#src/app/capability-tables.ts';
import { describe, expect, test } from 'vitest';
import { bluesky } from '#adapters/bluesky/index.ts';
import { feed } from '#adapters/feed/index.ts';
import { discord } from '#adapters/discord/index.ts';
import { kick } from '#adapters/kick/index.ts';
import { mastodon } from '#adapters/mastodon/index.ts';
import { openai } from '#adapters/openai/index.ts';
import { sandbox } from '#adapters/sandbox/index.ts';
import { twitch } from '#adapters/twitch/index.ts';
import { x } from '#adapters/x/index.ts';
import { youtube } from '#adapters/youtube/index.ts';
import type { CapabilityTable } from '#src/admin/queries/capability-table.ts';
import { Chat } from '#src/clients/chat/chat.ts';
import { createConversationPlatform } from '#src/clients/assistant/respond.ts';
import { catalogue } from '#src/clients/catalogue.ts';
import { Conversations } from '#src/clients/assistant/conversations.ts';
import { Feed } from '#src/clients/feed/feed.ts';
import { recorded } from '#src/clients/history/recorded.ts';
import { History } from '#src/clients/history/history.ts';
import { UnsupportedOperation, UnsupportedParameter } from '#src/errors.ts';
import { call, walk } from '#src/clients/operation/call.ts';
import type { AnyClient } from '#src/clients/operation/client.ts';
import type { Declared } from '#src/clients/operation/declared.ts';
import { shapeAt, shapeOf } from '#src/rules/shape/shape.ts';
import { SocialAsync, type SocialPlatform } from '#src/clients/social/social.ts';
import { Bot, type StreamingPlatform } from '#src/clients/streaming/bot.ts';
import { emptyHistory } from '../support/history.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { memoryTranscripts } from '#src/clients/assistant/memory-transcripts.ts';

/** An address without a server: a request would fail with another error. */
const url = 'http://127.0.0.1:1';
const clock = new ManualClock();

interface Adapter {
  readonly platform: { readonly operations: object; readonly capabilities: object };
  readonly client: AnyClient;
}

/** Each adapter, with invalid credentials. */
const built: Readonly<Record<string, () => Adapter>> = {
  twitch: () => streaming(twitch({ clientId: 'x', clientSecret: 'x', apiUrl: url, authUrl: url, clock })),
  kick: () => streaming(kick({ clientId: 'x', clientSecret: 'x', apiUrl: url, authUrl: url, clock })),
  youtube: () => streaming(youtube({ apiKey: 'x', apiUrl: url, siteUrl: url, clock })),
  sandbox: () => social(sandbox({ url, token: 'x', clock })),
  mastodon: () => social(mastodon({ url, token: 'x', clock })),
  bluesky: () => social(bluesky({ url, handle: 'x.test', appPassword: 'x', clock })),
  x: () => social(x({ url, bearerToken: 'x', budgets: { usd: 1 }, watchList: { all: () => Promise.resolve([]) } as never, clock })), // no watched users
  discord() {
    const platform = discord({ token: 'x', guildId: '1', apiUrl: url, clock });
    return { platform, client: new Chat({ platform, clock }) };
  },
  openai() {
    const model = openai({ url, apiKey: 'x', model: 'x', clock });
    const platform = createConversationPlatform({ platform: model, transcripts: memoryTranscripts(), clock });
    return { platform, client: new Conversations({ platform, clock }) };
  },
  feed() {
    const platform = feed({ clock });
    return { platform, client: new Feed({ platform, clock }) };
  },
  history() {
    const platform = recorded({ ...emptyHistory, catalogue, clock });
    return { platform, client: new History({ platform, clock }) };
  },
};

function streaming(platform: StreamingPlatform): Adapter {
  return { platform, client: new Bot({ platform, clock }) };
}

function social(platform: SocialPlatform): Adapter {
  return { platform, client: new SocialAsync({ platform, clock }) };
}

/** Calls an operation with the parameters of its primitive. */
async function ask(client: AnyClient, operation: Declared, params: object): Promise<unknown> {
  if (operation.kind !== 'list') return client[call](operation, params, {});
  return client[walk](operation, { pages: 1, waitTime: 0, ...params }, {}).next();
}

/** An object with a value at a path of parameters. */
function valueAt(name: string, value: unknown): object {
  return name.split('.').reduceRight<object>((inside, part, index, all) => ({ [part]: index === all.length - 1 ? value : inside }), {});
}

function refused({ rows }: CapabilityTable): readonly (readonly [operation: Declared, parameter: string, value: string])[] {
  return rows.flatMap(({ operation, capability: { parameters = {} } }) =>
    Object.entries(parameters).flatMap(([parameter, { support, values = {} }]) => [
      ...(support === 'unsupported' ? [[operation, parameter, 'x'] as const] : []),
      ...Object.entries(values).flatMap(([value, of]) => (of.support === 'unsupported' ? [[operation, parameter, value] as const] : [])),
    ]),
  );
}

test('every adapter of rules and clients has a table', () => {
  expect(new Set(capabilityTables.map(({ adapter }) => adapter))).toEqual(new Set(Object.keys(built)));
});

describe.for(capabilityTables.map((table) => [table.adapter, table] as const))('the table of %s', ([name, table]) => {
  const { platform, client } = built[name]?.() ?? expect.fail(`no ${name} to compare with`);
  const words = (support: (one: string) => boolean): Set<string> =>
    new Set(table.rows.filter(({ capability }) => support(capability.support)).map(({ operation }) => operation.name));

  test('equals the table of the adapter', () => {
    expect(Object.fromEntries(table.rows.map(({ operation, capability }) => [operation.name, capability]))).toEqual(platform.capabilities);
  });

  test('has a primitive for each native, composed or gated operation, and for no other', () => {
    expect(new Set(Object.keys(platform.operations))).toEqual(words((support) => support !== 'unsupported'));
  });

  test('names only parameters that the operation has', () => {
    const unknown = table.rows.flatMap(({ operation, capability }) => {
      const known = shapeOf(operation.params);
      const named = Object.entries(capability.parameters ?? {}).flatMap(([name, { excludes = [] }]) => [name, ...excludes]);
      return named.filter((name) => !shapeAt(known, name.split('.')));
    });

    expect(unknown).toEqual([]);
  });

  // History sends no requests.
  test.skipIf(name === 'history')('names the requests of every supported operation', () => {
    const able = table.rows.filter(({ capability }) => capability.support !== 'unsupported');

    expect(able.filter(({ capability }) => !capability.endpoints?.length).map(({ operation }) => operation.name)).toEqual([]);
  });

  test('gives a reason and an alternative for everything unsupported', () => {
    const capabilities = table.rows.flatMap(({ capability }) => [capability, ...Object.values(capability.parameters ?? {})]);

    expect(capabilities.filter((one) => 'reason' in one && !one.detail && !one.alternatives)).toEqual([]);
  });

  test('refuses operations before any request', async () => {
    const operations = table.rows.filter(({ capability }) => capability.support === 'unsupported');

    const errors = await Promise.all(operations.map(({ operation }) => ask(client, operation, {}).catch((error: unknown) => error)));

    expect(errors.filter((error) => !(error instanceof UnsupportedOperation))).toEqual([]);
  });

  test('refuses parameters and their values before any request', async () => {
    const errors = await Promise.all(
      refused(table).map(([operation, parameter, value]) =>
        ask(client, operation, valueAt(parameter, value)).catch((error: unknown) => error),
      ),
    );

    expect(errors.filter((error) => !(error instanceof UnsupportedParameter))).toEqual([]);
  });
});
