import type { OpenAPIHono } from '@hono/zod-openapi';
import { z } from 'zod';
import type { KeptAnswer } from '#src/admin/actions/repeated-requests.ts';
import { createAnswerOnce } from './idempotency.ts';
import type { ApiEnv, ApiOptions } from './operations.ts';
import { sandboxControl, type SandboxControl } from './sandbox-control.ts';
import {
  type Sandbox,
  type SandboxArticle,
  SandboxChange,
  SandboxClock,
  SandboxFaults,
  SandboxStreamer,
  SandboxWorld,
} from './sandbox-records.ts';
import { readDiscord, sendInteraction, writeMessage } from './serve-sandbox-discord.ts';
import { SANDBOX_READS, SANDBOX_WRITES, sandboxWriteRoute, type SandboxWriteName } from './sandbox-routes.ts';
import { answerWrite, requireRole } from './writes.ts';

const Published = z.object({ id: z.string() });
const Streamers = z.object({ items: z.array(SandboxStreamer), cursor: z.string().optional() });

/** The checked body of a write. */
type Body<Name extends SandboxWriteName> = z.output<(typeof SANDBOX_WRITES)[Name]['body']>;

/** The requests to the sandbox, by the names of the writes. */
const SEND: { readonly [Name in SandboxWriteName]: (body: Body<Name>, control: SandboxControl) => Promise<object> } = {
  changeSandboxWorld: (body, control) => control({ method: 'POST', path: '/world', body, answer: SandboxChange }),
  async publishSandboxArticle(body, control) {
    const { id } = await control({ method: 'POST', path: '/feeds', body, answer: Published });
    return { article: id } satisfies z.output<typeof SandboxArticle>;
  },
  addSandboxFault: (body, control) => control({ method: 'POST', path: '/faults', body, answer: SandboxFaults }),
  endSandboxFaults: (query, control) => control({ method: 'DELETE', path: '/faults', query, answer: SandboxFaults }),
  moveSandboxClock: (body, control) => control({ method: 'POST', path: '/clock', body, answer: SandboxClock }),
  sendSandboxInteraction: sendInteraction,
  writeSandboxMessage: writeMessage,
};

interface SandboxOptions extends Pick<ApiOptions, 'repeatedRequests' | 'clock'> {
  readonly origin: string;
}

/** Serves the operations that only a sandbox has. */
export function serveSandbox(api: OpenAPIHono<ApiEnv>, { origin, repeatedRequests, clock }: SandboxOptions): void {
  const control = sandboxControl(origin);
  const answerOnce = createAnswerOnce(repeatedRequests, clock);

  api.openapi(SANDBOX_READS.getSandbox, async (c) => c.json(await describe(control)));
  api.openapi(SANDBOX_READS.listSandboxStreamers, async (c) => {
    return c.json(await control({ path: '/streamers', query: c.req.valid('query'), answer: Streamers }));
  });
  const { getSandboxDiscord } = SANDBOX_READS;
  // A member of the simulated Discord can be the owner of the server, and reads ephemeral answers.
  api.use(getSandboxDiscord.path, (c, next) => (requireRole(c.env.actor, 'admin'), next()));
  api.openapi(getSandboxDiscord, async (c) => c.json(await readDiscord(c.req.valid('query'), control)));

  for (const name of Object.keys(SANDBOX_WRITES) as SandboxWriteName[]) {
    // the keys of a record are its names
    const send = SEND[name] as (body: object, control: SandboxControl) => Promise<object>; // the route checks the body with its schema
    const { needs } = SANDBOX_WRITES[name];
    const route = sandboxWriteRoute(name);
    // The role comes first: the answer to a wrong body tells more than the role permits.
    api.use(route.path, async (c, next) => {
      if (c.req.method === route.method.toUpperCase()) requireRole(c.env.actor, needs);
      return next();
    });
    api.openapi(route, async (c) => {
      const input = c.req.valid('json');
      const make = async (): Promise<KeptAnswer> => ({ status: 200, body: JSON.stringify(await send(input, control)) });
      return answerWrite(c, { content: [name, input], make, answerOnce });
    });
  }
}

async function describe(control: SandboxControl): Promise<z.output<typeof Sandbox>> {
  const [clock, { platforms, games }, faults] = await Promise.all([
    control({ path: '/now', answer: SandboxClock }),
    control({ path: '/world', answer: SandboxWorld }),
    control({ path: '/faults', answer: SandboxFaults }),
  ]);
  return { ...clock, platforms, games: games.map(({ name }) => name), faults: faults.items };
}
