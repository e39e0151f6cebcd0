import type { JsonObject } from '#src/clients/operation/json.ts';
import type { ListEntry } from '#src/rules/lists.ts';
import { indexPeople, keyOfPerson } from '#src/rules/people/index-people.ts';
import { personOf } from '#src/rules/expression/list-shapes.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { PreviewAccounts } from './preview-accounts.ts';
import { PreviewSimulation } from './preview-simulation.ts';
import { sampleItem } from './samples.ts';
import { eager, pollOf } from './scenarios.ts';

/** The operation whose message is shown. */
const SEND = 'discord.send';

interface PersonMessageOptions {
  readonly entry: ListEntry;
  /** The known fields of the sample stream on a platform. */
  readonly streamOn: (platform: string) => JsonObject;
  readonly accounts: PreviewAccounts;
  readonly nowMs: number;
}

/**
 * The parameters of the first message that a rule with `people` sends when the person of an entry goes live, with a sample stream; `failure`:
 * why it sends none. Reads are real, and nothing is written.
 */
export async function personMessage(
  rule: Rule,
  { entry, streamOn, accounts, nowMs }: PersonMessageOptions,
): Promise<{ readonly params: JsonObject } | { readonly failure: string }> {
  const { watched } = rule;
  if (!watched?.people) return { failure: `${rule.id} watches no people` };
  const index = indexPeople([entry], watched.people);
  const people = { ...watched.people, index };
  const names = index.namesOf(keyOfPerson({ person: personOf(entry) }, people) ?? '') ?? {};
  const items = Object.keys(names).flatMap((account) => {
    const made = sampleItem({ ...watched, people }, nowMs, streamOn(people.platforms[account] ?? account));
    return made ? [{ ...made, account }] : [];
  });
  const alone: Rule = {
    ...rule,
    while: [],
    finally: [],
    watched: { ...watched, people, where: undefined, changes: [{ kind: 'entered' }] },
  };
  const { steps } = await new PreviewSimulation(eager(alone), accounts).slot({ slotMs: nowMs, poll: pollOf(items) });
  const sends = steps.filter(({ planned }) => planned.step.do === SEND);
  for (const { outcome } of sends) if (outcome.kind === 'done' && outcome.params[0]) return { params: outcome.params[0] };
  const [reason] = sends.flatMap(({ outcome }) => (outcome.kind === 'done' ? [] : [outcome.message]));
  return { failure: reason ?? `${rule.id} has no step ${SEND} that sends a message` };
}
