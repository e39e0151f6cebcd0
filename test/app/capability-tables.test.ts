import { capabilityTables } from '#src/app/capability-tables.ts';
import { describe, expect, test } from 'vitest';
import { adapters } from '#adapters/index.ts';
import type { CapabilityTable } from '#src/queries/capability-table.ts';
import { Chat } from '#src/chat/chat.ts';
import { createConversationPlatform } from '#src/assistant/respond.ts';
import { Conversations } from '#src/assistant/conversations.ts';
import { recorded } from '#src/history/recorded.ts';
import { History } from '#src/history/history.ts';
import { UnsupportedOperation, UnsupportedParameter } from '#src/errors.ts';
import { call, walk } from '#src/operation/call.ts';
import type { AnyClient } from '#src/operation/client.ts';
import type { Declared } from '#src/operation/declared.ts';
import { shapeAt, shapeOf } from '#src/rules/shape/shape.ts';
import { SocialAsync, type SocialPlatform } from '#src/social/social.ts';
import { Bot, type StreamingPlatform } from '#src/streaming/bot.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { memoryTranscripts } from '#src/assistant/memory-transcripts.ts';

/** Nobody listens there: a call that came so far would fail in another way. */
const url = 'http://127.0.0.1:1';
const clock = new ManualClock();
const [x, bluesky, mastodon] = await Promise.all([adapters.x(), adapters.bluesky(), adapters.mastodon()]);

interface Adapter {
  readonly platform: { readonly operations: object; readonly capabilities: object };
  readonly client: AnyClient;
}

/** Each adapter as it is used, with credentials that open nothing. */
const built: Readonly<Record<string, () => Adapter>> = {
  twitch: () => streaming(adapters.twitch({ clientId: 'x', clientSecret: 'x', apiUrl: url, authUrl: url, clock })),
  kick: () => streaming(adapters.kick({ clientId: 'x', clientSecret: 'x', apiUrl: url, authUrl: url, clock })),
  sandbox: () => social(adapters.sandbox({ url, token: 'x', clock })),
  mastodon: () => social(mastodon({ url, token: 'x', clock })),
  bluesky: () => social(bluesky({ url, handle: 'x.test', appPassword: 'x', clock })),
  x: () => social(x({ url, bearerToken: 'x', budgets: { usd: 1 }, watchList: { all: () => Promise.resolve([]) } as never, clock })), // nobody is watched
  discord() {
    const platform = adapters.discord({ token: 'x', guildId: '1', apiUrl: url, clock });
    return { platform, client: new Chat({ platform, clock }) };
  },
  openai() {
    const model = adapters.openai({ url, apiKey: 'x', model: 'x', clock });
    const platform = createConversationPlatform({ platform: model, transcripts: memoryTranscripts(), clock });
    return { platform, client: new Conversations({ platform, clock }) };
  },
  history() {
    const platform = recorded({ episodes: { list: () => Promise.resolve([]) }, clock });
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
  // Only clients use GIPHY, not rules.
  const named = Object.keys(adapters).filter((name) => name !== 'giphy');

  expect(new Set(capabilityTables.map(({ adapter }) => adapter))).toEqual(new Set([...named, 'history']));
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
    const strange = table.rows.flatMap(({ operation, capability }) => {
      const known = shapeOf(operation.params);
      const named = Object.entries(capability.parameters ?? {}).flatMap(([name, { excludes = [] }]) => [name, ...excludes]);
      return named.filter((name) => !shapeAt(known, name.split('.')));
    });

    expect(strange).toEqual([]);
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
