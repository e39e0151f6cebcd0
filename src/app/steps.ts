import type { Json } from '#src/operation/json.ts';
import { perform, recoverWrite } from '#src/operation/perform.ts';
import type { Attempt, LostAttempt } from '#src/outbox/attempt.ts';
import type { DueStep } from '#src/outbox/rendering.ts';
import type { Recovery } from '#src/operation/platform.ts';
import { toItem } from '#src/planner/answers.ts';
import { renderStep, type Rendered } from '#src/rules/render.ts';
import type { StepResults } from '#src/rules/results.ts';
import { catalogue } from './catalogue.ts';
import type { Clients } from './clients.ts';
import { hasNoQuotes, quoteAsLink, textLimitOf } from './quote-as-link.ts';

/** Does a step through the client of its account; what comes back is written down as it is. */
export async function performStep(clients: Clients, { do: verb, account, params, key, since, signal }: Attempt): Promise<Json> {
  const { client, declared } = clients.operationOf(verb, account);
  const options = { key, since, signal };
  try {
    return toItem(await perform(client, declared, params, options));
  } catch (error) {
    const social = clients.social.get(account);
    if (!hasNoQuotes(error) || !social) throw error;
    return toItem(await perform(client, declared, await quoteAsLink(social, params, signal), options));
  }
}

/** Asks the platform of a step what became of it. */
export async function recoverStep(clients: Clients, { do: verb, account, params, ...options }: LostAttempt): Promise<Recovery<Json>> {
  const { client, declared } = clients.operationOf(verb, account);
  // What was only asked may be asked again.
  if (declared.kind !== 'write') return 'absent';
  const social = params['quote'] === undefined ? undefined : clients.social.get(account);
  const found = await recoverWrite(client, declared, params, options);
  const isElsewise = typeof found === 'string' && social !== undefined;
  // It may have been sent with the address of what it was to show.
  const other = isElsewise ? await recoverWrite(client, declared, await quoteAsLink(social, params, options.signal), options) : found;
  const recovery = found === 'cannotTell' && other === 'absent' ? found : other;
  return typeof recovery === 'object' ? { found: toItem(recovery.found) } : recovery;
}

/** Renders a step that is due. */
export function renderDueStep(clients: Clients, { delivery: { section, account }, ...due }: DueStep, results: StepResults): Rendered {
  const textLimit = textLimitOf(clients.social.get(account), due.step);
  return renderStep({ ...due, section, account, results, textLimit, catalogue });
}

/** Whether what a verb asks is answered by a person, later. */
export function isQuestion(verb: string): boolean {
  const declared = catalogue.get(verb);
  return declared?.kind === 'write' && declared.answered === 'later';
}
