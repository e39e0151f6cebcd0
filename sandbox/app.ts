import { Hono } from 'hono';
import { TrieRouter } from 'hono/router/trie-router';
import type { Log } from '#src/log.ts';
import { controlRoutes, type ControlOptions } from './control/control.ts';
import { type SandboxEnv, gate } from './gate.ts';
import { localHostOnly, localProgramsOnly } from './local-only.ts';

interface SandboxAppOptions extends ControlOptions {
  readonly log: Log;
  /** Ends delayed requests when the sandbox stops. */
  readonly signal: AbortSignal;
}

/** All routes of the sandbox: the platforms, each with a gate, and the control API. */
export function sandboxApp({ log, signal, ...control }: SandboxAppOptions): Hono<SandboxEnv> {
  const { platforms, requests } = control;
  const { clock, faults } = control.context;
  // The default router compiles all routes at the first request, which takes longer than most tests need a sandbox.
  const app = new Hono<SandboxEnv>({ router: new TrieRouter() });

  app.onError((error, c) => {
    log.error({ error, path: c.req.path }, 'the sandbox failed to answer');
    return c.json({ error: 'the sandbox failed to answer' }, 500);
  });
  app.notFound((c) => c.json({ error: `the sandbox has no route ${c.req.path}` }, 404));

  app.use(localHostOnly());
  for (const platform of platforms) {
    const platformGate = gate({ platform, clock, faults, requests, signal });
    for (const [part, routes] of Object.entries({ [platform.name]: platform.routes, ...platform.aliases })) {
      app.use(`/${part}/*`, platformGate);
      app.route(`/${part}`, routes);
    }
  }
  app.use('/control/*', localProgramsOnly());
  app.route('/control', controlRoutes(control));
  return app;
}
