import type { Command } from 'commander';
import { z } from 'zod';
import type { Actions } from '#src/admin/actions/actions.ts';
import { noSuchValue } from '#src/admin/actions/stored-values.ts';
import type { Actor } from '#src/admin/actions/actor.ts';
import { jsonObject } from '#src/admin/queries/answers.ts';
import type { Explanation } from '#src/admin/queries/explanation.ts';
import type { Explainer } from '#src/admin/queries/offline.ts';
import type { KeptType } from '#src/rules/step.ts';
import { answering, type Answer } from './answering.ts';
import { document } from './document.ts';
import { operator } from './operator.ts';
import { Refusal } from './refusal.ts';
import type { Terminal } from './terminal.ts';
import { unknownRule } from './unknown-rule.ts';
import { UsageError } from './usage-error.ts';

export function declare(program: Command, out: Terminal): void {
  const command = document(program.command('keep'), {
    group: 'operate',
    summary: 'Show or set the stored values of a rule',
    description: [
      'Show the values that a rule stores with `keep`, or set one of them. The next firing of the rule continues from the new value.',
      'The log of actions keeps who set which value, with the value before.',
    ],
    examples: [
      ['Show the stored values of a rule', 'fanfare keep live-card'],
      ['Set a stored value', 'fanfare keep live-card streams 12'],
    ],
    exits: ['The values were shown, or the value is set', 'There is no such rule or value, or the value has the wrong type'],
  })
    .argument('<rule>', 'Id of a rule, or of one instance of it')
    .argument('[name]', 'Name of a stored value')
    .argument('[value]', 'New value; a list of texts as JSON');
  answering(command, {
    schema: KeepAnswer,
    out,
    async run(shown, rule: string, name: string | undefined, value: string | undefined) {
      const { openExplainer } = await import('#src/app/open-explainer.ts');
      const { openOfflineActions } = await import('#src/app/open-offline-actions.ts');
      const actions = openOfflineActions(process.env);
      return await keep({ explainer: openExplainer(process.env), actions, rule, name, value, by: operator(), out: shown });
    },
  });
}

const KeepAnswer = z.object({
  rules: z
    .array(
      z.object({
        id: z.string().describe('The id of the rule, or of the instance.'),
        values: jsonObject.describe('Its stored values by name.'),
      }),
    )
    .readonly()
    .describe('The instances of the rule.'),
});

interface KeepOptions {
  readonly explainer: Pick<Explainer, 'explain' | 'known'>;
  readonly actions: Pick<Actions, 'setValue'>;
  readonly rule: string;
  readonly name: string | undefined;
  readonly value: string | undefined;
  readonly by: Actor;
  readonly out: Terminal;
}

/** Shows the stored values of a rule, or sets one of them. Throws a refusal if there is no such rule or value. */
export async function keep({ explainer, actions, rule, name, value, by, out }: KeepOptions): Promise<Answer<z.input<typeof KeepAnswer>>> {
  const found = await explainer.explain(rule);
  const [first] = found;
  if (!first) throw await unknownRule(rule, explainer);
  const type = name === undefined ? undefined : first.rule.keep?.find((one) => one.name === name)?.type;
  if (name !== undefined && type === undefined) throw new Refusal(noSuchValue(first.rule, name), { code: 'valueNotFound' });
  if (name === undefined || type === undefined || value === undefined) return { data: { rules: found.map((one) => show(one, name, out)) } };
  const set = await actions.setValue({ rule, name, value: parsed(value, type) }, by);
  if (!set) throw await unknownRule(rule, explainer);
  out.print(`${out.paint('green', set.rule)}: ${name} is now ${JSON.stringify(set.value)}. It was ${JSON.stringify(set.before)}.`);
  return { data: { rules: [{ id: set.rule, values: { [name]: set.value } }] } };
}

function show({ rule: { id }, values = {} }: Explanation, name: string | undefined, out: Terminal) {
  const shown = Object.entries(values).filter(([one]) => name === undefined || one === name);
  if (shown.length === 0) out.print(`${out.paint('bold', id)} stores no values.`);
  for (const [one, value] of shown) out.print(`${out.paint('bold', id)}: ${one} is ${JSON.stringify(value)}.`);
  return { id, values: Object.fromEntries(shown) };
}

/** A value as typed. The action refuses a value of another type. */
function parsed(typed: string, type: KeptType): number | boolean | string | string[] {
  if (type === 'text') return typed;
  try {
    return z.union([z.number(), z.boolean(), z.array(z.string())]).parse(JSON.parse(typed));
  } catch {
    const hint = type === 'texts' ? `Write a list as '["Ada", "Grace"]'.` : type === 'flag' ? 'Write true or false.' : 'Write a number.';
    throw new UsageError(`${typed} is not a value of this type`, { hint });
  }
}
