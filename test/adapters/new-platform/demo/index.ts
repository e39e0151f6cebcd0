import type { Clock } from '#src/clock.ts';
import type { StreamingPlatform } from '#src/clients/streaming/bot.ts';
import { httpClient } from '#src/http/client.ts';
import type { RateBudgets } from '#src/http/rate-budgets.ts';
import type { Log } from '#src/log.ts';
import { capabilities } from './capabilities.ts';
import { demoApi } from './client.ts';
import { faultOf } from './errors.ts';
import { streams } from './operations/streams.ts';

export interface DemoOptions {
  readonly account: string;
  readonly url: string;
  readonly token: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly rateBudgets: RateBudgets | undefined;
}

export function demo({ account, url, token, clock, log, rateBudgets }: DemoOptions): StreamingPlatform & AsyncDisposable {
  const http = httpClient({ platform: 'demo', baseUrl: url, faultOf, clock, log, rateBudgets });
  return {
    name: 'demo',
    account,
    capabilities,
    operations: { getStreams: streams(demoApi(http, token), clock) },
    [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
  };
}
