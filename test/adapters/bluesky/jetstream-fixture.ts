import { fetch } from 'undici';
import { onTestFinished } from 'vitest';
import { bluesky } from '#adapters/bluesky/index.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import type { Rule } from '#src/rules/rule.ts';
import { openStore } from '#src/store/store.ts';
import { openBluesky } from '../../../sandbox/test/bluesky/open-bluesky.ts';
import { followedPlatform } from '../../support/followed-platform.ts';
import { makeRule, makeWatched } from '../../support/rules.ts';

/** A rule of `bluesky` that polls each hour. */
export function watching(id: string, operation: string, params: JsonObject = {}): Rule {
  return makeRule({
    id,
    schedule: { everyMs: 3_600_000 },
    watched: makeWatched({ verb: `social.${operation}`, accounts: ['bluesky'], with: params }),
  });
}

/** The servers of the sandbox, and an installation that follows Jetstream. */
export async function openJetstream(rules: readonly Rule[]) {
  const server = await openBluesky();
  onTestFinished(() => server[Symbol.asyncDispose]());
  const store = await openStore();
  onTestFinished(() => store[Symbol.asyncDispose]());
  const { environment, clock, sandbox } = server;
  const order = async (path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${sandbox.url}/control${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(await response.text());
    return response.json();
  };
  const one = followedPlatform({
    clock,
    store: store.notifiers,
    client: 'social',
    rules,
    open: (log) =>
      bluesky({
        url: environment['BLUESKY_URL'],
        handle: environment['BLUESKY_HANDLE'] ?? '',
        appPassword: environment['BLUESKY_APP_PASSWORD'],
        jetstreamUrl: environment['BLUESKY_JETSTREAM_URL'],
        clock,
        log,
      }),
    exchange: () => order('/bluesky/jetstream'),
  });
  onTestFinished(() => one[Symbol.asyncDispose]());
  return { ...one, server, order };
}
