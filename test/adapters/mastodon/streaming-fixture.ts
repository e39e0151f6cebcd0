import { fetch } from 'undici';
import { onTestFinished } from 'vitest';
import { mastodon } from '#adapters/mastodon/index.ts';
import { openStore } from '#src/store/store.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import type { Rule } from '#src/rules/rule.ts';
import { openMastodon, type OpenMastodon } from '../../../sandbox/test/mastodon/open-mastodon.ts';
import { followedPlatform } from '../../support/followed-platform.ts';
import { makeRule, makeWatched } from '../../support/rules.ts';

/** A rule of `mastodon` that polls each hour. */
export function watching(id: string, operation: string, params: JsonObject = {}): Rule {
  return makeRule({
    id,
    schedule: { everyMs: 3_600_000 },
    watched: makeWatched({ verb: `social.${operation}`, accounts: ['mastodon'], with: params }),
  });
}

/** A server of the sandbox, and an installation that follows it. */
export async function openStreaming(rules: readonly Rule[], prepare: (server: OpenMastodon) => Promise<void> = async () => undefined) {
  const server = await openMastodon();
  onTestFinished(() => server[Symbol.asyncDispose]());
  await prepare(server);
  const store = await openStore();
  onTestFinished(() => store[Symbol.asyncDispose]());
  const one = followedPlatform({
    clock: server.clock,
    store: store.notifiers,
    client: 'social',
    rules,
    open: (log) => mastodon({ url: server.url, token: server.token, streaming: true, clock: server.clock, log }),
    exchange: () => server.send('/api/v1/instance'),
  });
  onTestFinished(() => one[Symbol.asyncDispose]());
  const order = async (path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${server.sandbox.url}/control${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(await response.text());
    return response.json();
  };
  return { ...one, server, order };
}
