import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { x } from '#adapters/x/index.ts';
import { monthlySpending } from '#src/clients/operation/spending.ts';
import type { Rule } from '#src/rules/rule.ts';
import { openStore } from '#src/store/store.ts';
import { openX } from '../../../sandbox/test/x/open-x.ts';
import { followedPlatform, hourlyRules } from '../../support/followed-platform.ts';

const State = z.object({ connections: z.number(), rules: z.array(z.object({ value: z.string(), tag: z.string().nullable() })) });

/** A rule of `x` that polls each hour. */
export const watching = hourlyRules('x');

type OpenedX = Awaited<ReturnType<typeof openX>>;

interface StreamFixture {
  readonly rules: readonly Rule[];
  readonly prepare?: (server: OpenedX) => Promise<unknown>;
  /** The budget of a month. */
  readonly monthUsd?: number;
}

/** The X of the sandbox, and an installation that follows its filtered stream. */
export async function openStream({ rules, prepare, monthUsd }: StreamFixture) {
  const server = await openX();
  onTestFinished(() => server[Symbol.asyncDispose]());
  await prepare?.(server);
  const store = await openStore();
  onTestFinished(() => store[Symbol.asyncDispose]());
  const { clock, environment } = server;
  const spending =
    monthUsd === undefined ? undefined : monthlySpending({ platform: 'x', account: 'x', monthUsd, sums: store.spentSums, clock });
  const bearerToken = environment['X_BEARER_TOKEN'] ?? '';
  const state = async () => State.parse(await server.control('/stream'));
  const one = followedPlatform({
    clock,
    store: store.notifiers,
    client: 'social',
    rules,
    open: (log) => x({ url: server.url, bearerToken, stream: true, spending, clock, log }),
    exchange: state,
  });
  onTestFinished(() => one[Symbol.asyncDispose]());
  const { accessToken: token } = await server.session({ user: 'ada' });
  const post = (text: string, more: object = {}, as = token) => server.send('POST', '/2/tweets', { token: as, json: { text, ...more } });
  const fault = (kind: string, more: object = {}) => server.sandbox.faults.add({ platform: 'x', kind, times: 1, ...more } as never); // tests name existing kinds
  const changeStreamRules = (json: object) => server.send('POST', '/2/tweets/search/stream/rules', { token: bearerToken, json });
  return { ...one, server, store, state, post, fault, changeStreamRules, bearerToken, spending };
}
