import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import { z } from 'zod';
import type { Capability } from '#src/clients/operation/capability.ts';

const recording = new AsyncLocalStorage<Set<string>>();
const Created = z.object({ request: z.object({ method: z.string(), path: z.string() }) });

subscribe('undici:request:create', (message) => {
  const { method, path } = Created.parse(message).request;
  recording.getStore()?.add(`${method} ${path.replace(/\?.*$/su, '')}`);
});

/** Requests of all operations: to sign in, and to resolve a handle. */
const OF_ALL =
  /^(?:POST .*\/(?:oauth2?\/token|com\.atproto\.server\.\w+)|GET .*\/oauth2\/validate|GET .*\/com\.atproto\.identity\.resolveHandle)$/u;

interface Adapter {
  readonly operations: object;
  readonly capabilities: Readonly<Record<string, Capability>>;
}

/** The adapter with operations that note the requests they send. `unlisted` are those that the table of capabilities lacks. */
export function withRecordedRequests<A extends Adapter>(adapter: A): { readonly adapter: A; readonly unlisted: () => readonly string[] } {
  const sent = new Map<string, Set<string>>();
  const operations = Object.entries(adapter.operations).map(([name, operation]: [string, (...args: unknown[]) => unknown]) => {
    const requests = new Set<string>();
    sent.set(name, requests);
    return [name, (...args: unknown[]) => recording.run(requests, () => operation(...args))] as const;
  });
  return {
    adapter: { ...adapter, operations: Object.fromEntries(operations) },
    unlisted: () =>
      [...sent].flatMap(([name, requests]) => {
        const listed = (adapter.capabilities[name]?.endpoints ?? []).map(toPattern);
        const others = [...requests].filter((request) => !OF_ALL.test(request) && !listed.some((pattern) => pattern.test(request)));
        return others.map((request) => `${name}: ${request}`);
      }),
  };
}

/** Matches the requests of an endpoint, for example `GET /2/users/:id`, below the path of any server. */
function toPattern(endpoint: string): RegExp {
  const [method = '', path = ''] = endpoint.split(' ');
  return new RegExp(`^${method} (?:/.*)?${path.replaceAll('.', String.raw`\.`).replaceAll(/:\w+/gu, '[^/]+')}$`, 'u');
}
