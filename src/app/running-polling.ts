import { fetch } from 'undici';
import { z } from 'zod';
import { PollingAnswer, type Polling } from '#src/admin/queries/polling.ts';
import type { Config } from '#src/config/config.ts';
import { localUrl } from '#src/web/host-check.ts';
import { isReachable } from '#src/web/site.ts';

/** A running process answers within this time. Another program may use the port, and never answer. */
const ANSWER_MS = 3_000;

const { waiting } = PollingAnswer.shape;
const RunningRule = z.object({
  source: z.string(),
  polling: PollingAnswer.extend({ waiting: waiting.unwrap().extend({ since: z.coerce.date() }).optional() }),
});

/**
 * The polls of a rule in the running process, which alone knows its notifications; undefined if none answers, if it asks for a sign-in, or if the
 * answer is about another text of the rule.
 */
export async function runningPolling(
  config: Config,
  { id, source }: { readonly id: string; readonly source: string },
): Promise<Polling | undefined> {
  if (isReachable(config)) return undefined;
  try {
    const url = new URL(`/api/rules/${encodeURIComponent(id)}/explanation`, localUrl(config));
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(ANSWER_MS) });
    const found = RunningRule.safeParse(await response.json());
    return found.success && found.data.source === source ? found.data.polling : undefined;
  } catch {
    return undefined;
  }
}
