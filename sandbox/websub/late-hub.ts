import type { Hono } from 'hono';
import type { SandboxContext } from '../context.ts';
import { serve } from '../control/endpoint.ts';
import { StoredMap } from '../stored-map.ts';
import type { hubEndpoints } from './control-endpoints.ts';
import type { Hub } from './hub.ts';

interface LateHubOptions {
  readonly platform: string;
  readonly context: SandboxContext;
  readonly onUse: (isUsed: boolean) => void;
}

/** The hub of a platform, which loads when it is first used. */
export function lateHub({ platform, context, onUse }: LateHubOptions) {
  const { journal } = context;
  let opened: Promise<Hub> | undefined;
  const load = (): Promise<Hub> =>
    (opened ??= import('./hub.ts').then(
      (loaded) => new loaded.Hub({ platform, context, collection: (options) => new StoredMap({ journal, ...options }), onUse }),
    ));
  // The subscribers of an earlier run are notified without a request.
  if (journal.all(`${platform}.subscriptions`).length > 0) void load();

  return {
    load,
    /** The hub, if it is loaded. */
    opened: () => opened,
    /** Adds the routes of the hub. */
    addTo({ routes, control }: { readonly routes: Hono; readonly control: Hono }, { read, change }: ReturnType<typeof hubEndpoints>): void {
      routes.post('/hub', async (c) => {
        const status = (await load()).order(new URLSearchParams(await c.req.text()));
        return status === 202 ? c.body(null, 202) : c.text('the request has an invalid parameter', 400);
      });
      serve(control, read, async () => (await load()).describe());
      serve(control, change, async ({ body: { deny } }) => {
        (await load()).deny(deny);
        return { denied: deny };
      });
    },
    close: async (): Promise<void> => (await opened)?.close(),
  };
}
