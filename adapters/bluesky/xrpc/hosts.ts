import type { Dispatcher } from 'undici';
import type { Clock } from '#src/clock.ts';
import { httpClient, type HttpClient } from '#src/http/client.ts';
import type { Log } from '#src/log.ts';
import { PLATFORM } from '../platform.ts';
import { refusalOf } from './faults.ts';

/** The servers that the adapter speaks to, each with its limits. */
export interface Hosts extends AsyncDisposable {
  at(url: string): HttpClient;
}

export interface HostsOptions {
  readonly clock: Clock;
  readonly log?: Log | undefined;
  readonly dispatcher?: Dispatcher | undefined;
  /** How long a server may take for an answer, where that is not the usual. */
  readonly timeoutMs?: number | undefined;
}

export function hosts(options: HostsOptions): Hosts {
  const known = new Map<string, HttpClient>();
  return {
    at(url) {
      const client =
        known.get(url) ?? httpClient({ ...options, platform: PLATFORM, baseUrl: url, refusesInJson: true, faultOf: refusalOf });
      known.set(url, client);
      return client;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(known.values().map((client) => client[Symbol.asyncDispose]()));
    },
  };
}
