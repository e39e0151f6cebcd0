import { randomUUID } from 'node:crypto';
import { fetch } from 'undici';
import { z } from 'zod';
import type { Actor } from '#src/admin/actions/actor.ts';
import type { RunningProcess } from '#src/admin/actions/running-process.ts';
import { openConfig } from '#src/config/open-config.ts';
import { ConfigError, Refused, UserError } from '#src/errors.ts';
import { isReachable } from '#src/web/site.ts';
import { localUrl } from '#src/web/host-check.ts';
import { accessIn } from './open-access.ts';
import { withStoredState } from './stored-state.ts';

/** How long the token of one request is valid. */
const TOKEN_MS = 10 * 60_000;
/** A running process answers whether it works within this time. An action may take longer. */
const HEALTH_MS = 5000;

const ProblemAnswer = z.object({
  code: z.string(),
  detail: z.string(),
  errors: z.array(z.object({ pointer: z.string(), detail: z.string() })).optional(),
});

/** The running process of the installation that `environment` describes, in the name of `by`. */
export function openRunning(environment: Readonly<Record<string, string | undefined>>, by: Actor): RunningProcess {
  const config = openConfig(environment);
  const url = new URL(localUrl(config));
  return {
    async post(path, body, answer) {
      // A process that other machines can reach asks for a token, even on this machine.
      if (!isReachable(config)) return read(await send(url, path, { body }), answer);
      return withStoredState(config, async (store) => {
        const access = await accessIn(store, store.clock);
        const { token, text } = await access.createToken(
          { name: `${by.name} (command line)`, scope: 'admin', expiresAt: new Date(store.clock.nowMs() + TOKEN_MS) },
          by,
        );
        try {
          return read(await send(url, path, { body, token: text }), answer);
        } finally {
          await access.revokeToken({ token: token.id }, by);
          // The audit log has both actions, and a list of tokens with one for each command is hard to read.
          await (await store.openAccess()).apiTokens.drop(token.id);
        }
      });
    },
  };
}

/** An answer whose body has arrived. */
interface Answered {
  readonly status: number;
  readonly body: string;
}

async function send(url: URL, path: string, { body, token }: { readonly body: object; readonly token?: string }): Promise<Answered> {
  await assertAnswers(url);
  const headers = {
    'Content-Type': 'application/json',
    'Idempotency-Key': randomUUID(),
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
  };
  const request = { method: 'POST', headers, body: JSON.stringify(body), redirect: 'error' } as const;
  const post = async (): Promise<Answered> => {
    const answer = await fetch(new URL(path, url), request);
    return { status: answer.status, body: await answer.text() };
  };
  try {
    return await post();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  // The connection broke, and the action may be done. The same key gets the answer of the first request.
  const repeated = await post().catch((error: unknown) => {
    if (error instanceof TypeError) throw unanswered();
    throw error;
  });
  // A process that ended with the first request can leave it open, and no client gets its answer later.
  if (problemIn(repeated)?.code === 'stillRunning') throw unanswered();
  return repeated;
}

/** Throws a {@link ConfigError} if no process answers. Nothing was requested then. */
async function assertAnswers(url: URL): Promise<void> {
  try {
    // Another program may use the port, and never answer.
    await (await fetch(new URL('/healthz', url), { redirect: 'error', signal: AbortSignal.timeout(HEALTH_MS) })).body?.cancel();
  } catch (error) {
    const isTimeout = error instanceof Error && error.name === 'TimeoutError';
    if (!(error instanceof TypeError || isTimeout)) throw error;
    throw new ConfigError(`no Fanfare answers at ${url.origin}`, {
      file: 'HOST and PORT',
      hint: 'start Fanfare, or set HOST and PORT as for the running process',
    });
  }
}

function unanswered(): UserError {
  return new UserError(
    'Fanfare stopped answering; the action may be done.\n' +
      'Look before you repeat it: npx fanfare explain <rule> shows what a rule decided, npx fanfare answer the open questions, and npx fanfare posts the waiting posts.',
  );
}

function read<S extends z.ZodType>(answered: Answered, answer: S): z.output<S> {
  if (answered.status < 300) return answer.parse(jsonOf(answered));
  const problem = problemIn(answered);
  if (problem) throw new Refused(problem.code, whyOf(problem));
  throw new UserError(`The process answered ${answered.status}, which is not an answer of Fanfare.`);
}

/** The reason of a refusal; for a wrong body, its wrong fields. */
function whyOf({ code, detail, errors = [] }: z.output<typeof ProblemAnswer>): string {
  if (code !== 'invalidBody' || errors.length === 0) return detail;
  return errors.map(({ pointer, detail: why }) => (pointer === '' ? why : `${pointer.slice(1)}: ${why}`)).join('\n');
}

function problemIn(answered: Answered): z.output<typeof ProblemAnswer> | undefined {
  return ProblemAnswer.safeParse(jsonOf(answered)).data;
}

function jsonOf({ body }: Answered): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
