import { fetch, type Response } from 'undici';
import { z } from 'zod';
import type { Actor } from '#src/admin/actions/actor.ts';
import type { RunningProcess } from '#src/admin/actions/running-process.ts';
import { systemClock } from '#src/clock.ts';
import { openConfig } from '#src/config/open-config.ts';
import { ConfigError, UserError } from '#src/errors.ts';
import { isReachable } from '#src/web/site.ts';
import { localUrl } from '#src/web/host-check.ts';
import { accessIn } from './open-access.ts';
import { withStoredState } from './stored-state.ts';

/** How long the token of one request is valid. */
const TOKEN_MS = 10 * 60_000;
/** A running process answers whether it works within this time. An action may take longer. */
const HEALTH_MS = 5000;

const ProblemAnswer = z.object({ code: z.string(), detail: z.string() });

/** The running process of the installation that `environment` describes, in the name of `by`. */
export function openRunning(environment: Readonly<Record<string, string | undefined>>, by: Actor): RunningProcess {
  const config = openConfig(environment);
  const url = new URL(localUrl(config));
  return {
    async post(path, body, answer) {
      // A process that other machines can reach asks for a token, even on this machine.
      if (!isReachable(config)) return read(await send(url, path, { body }), answer);
      return withStoredState(config, async (store) => {
        const access = await accessIn(store, systemClock);
        const { token, text } = await access.createToken(
          { name: `${by.name} (command line)`, scope: 'admin', expiresAt: new Date(systemClock.nowMs() + TOKEN_MS) },
          by,
        );
        try {
          return await read(await send(url, path, { body, token: text }), answer);
        } finally {
          await access.revokeToken({ token: token.id }, by);
          // The audit log has both actions, and a list of tokens with one for each command is hard to read.
          await (await store.openAccess()).apiTokens.drop(token.id);
        }
      });
    },
  };
}

async function send(url: URL, path: string, { body, token }: { readonly body: object; readonly token?: string }): Promise<Response> {
  const headers = { 'Content-Type': 'application/json', ...(token !== undefined && { Authorization: `Bearer ${token}` }) };
  try {
    // Another program may use the port, and never answer.
    await (await fetch(new URL('/healthz', url), { redirect: 'error', signal: AbortSignal.timeout(HEALTH_MS) })).body?.cancel();
    return await fetch(new URL(path, url), { method: 'POST', headers, body: JSON.stringify(body), redirect: 'error' });
  } catch (error) {
    const isTimeout = error instanceof Error && error.name === 'TimeoutError';
    if (!(error instanceof TypeError || isTimeout)) throw error;
    throw new ConfigError(`no Fanfare answers at ${url.origin}`, {
      file: 'HOST and PORT',
      hint: 'start Fanfare, or set HOST and PORT as for the running process',
    });
  }
}

async function read<S extends z.ZodType>(response: Response, answer: S): Promise<z.output<S>> {
  const body: unknown = await response.json().catch(() => undefined);
  if (response.ok) return answer.parse(body);
  const problem = ProblemAnswer.safeParse(body);
  throw new UserError(
    problem.success ? problem.data.detail : `The process answered ${response.status}, which is not an answer of Fanfare.`,
  );
}
