import { fetch } from 'undici';
import { z } from 'zod';
import { Problem } from '#src/web/problem.ts';

/** The longest wait for the sandbox, which answers in milliseconds. */
const TIMEOUT_MS = 5000;

const Refusal = z.object({ error: z.string() });

/** A request to the control API of the sandbox. The path is a constant of this server. */
interface ControlRequest<Answer> {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly path: `/${string}`;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: object;
  readonly answer: z.ZodType<Answer>;
  readonly timeoutMs?: number;
}

/** Sends requests to the control API of the sandbox at `origin`. Only the described fields of its answers are returned. */
export type SandboxControl = <Answer>(request: ControlRequest<Answer>) => Promise<Answer>;

/** The control API of the sandbox at `origin`. */
export function sandboxControl(origin: string): SandboxControl {
  return async ({ method = 'GET', path, query = {}, body, answer, timeoutMs = TIMEOUT_MS }) => {
    const response = await fetch(`${origin}/control${path}${queryText(query)}`, {
      method,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    }).catch(() => undefined);
    const json: unknown = await response?.json().catch(() => undefined);
    const parsed = response?.ok ? answer.safeParse(json) : undefined;
    if (parsed?.success) return parsed.data;
    const refused = response?.status === 400 ? Refusal.safeParse(json).data : undefined;
    if (refused) throw new Problem({ status: 409, code: 'sandboxRefused', detail: refused.error });
    throw new Problem({ status: 503, code: 'sandboxUnavailable', detail: 'The sandbox does not answer.' });
  };
}

function queryText(query: Readonly<Record<string, string | number | undefined>>): string {
  const values = Object.entries(query).flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, String(value)]]));
  return values.length === 0 ? '' : `?${new URLSearchParams(values).toString()}`;
}
