import type { Command } from 'commander';
import { toItemAnswer } from '#src/admin/queries/item-answer.ts';
import type { Explainer } from '#src/admin/queries/offline.ts';
import type { z } from 'zod';
import { answering, type Answer } from './answering.ts';
import { document } from './document.ts';
import { oneLine } from './format.ts';
import { ExplainAnswer, toExplanationAnswer, toGoneAnswer } from './explain-answer.ts';
import { localZone } from './local-zone.ts';
import { printExplanation } from './print-explanation.ts';
import { printGoneRule } from './print-gone-rule.ts';
import { printItem } from './print-item.ts';
import { printInstances } from './print-instances.ts';
import type { Terminal } from './terminal.ts';
import { unknownRule } from './unknown-rule.ts';
import { UsageError } from './usage-error.ts';

export function declare(program: Command, out: Terminal): void {
  const command = document(program.command('explain'), {
    group: 'operate',
    summary: 'Show why something was or was not announced',
    description: [
      'Show when a rule runs next, how it learns of changes, how late, how many requests it needs, and why it did or did not announce something.',
      'Of a deleted or renamed rule, the old id shows what it decided and sent.',
      'With --item, show the decisions of all rules about one streamer, post or clip.',
      'The command reads the files and the stored state, and sends no requests to platforms. Fanfare may run or not.',
      'If it runs on this machine and needs no authentication, it answers how it polls now.',
    ],
    examples: [
      ['Show the schedule and the last decisions of a rule', 'fanfare explain live-card'],
      ['Show why a streamer was not announced', 'fanfare explain --item ada'],
    ],
    exits: ['The explanation was printed', 'There is no such rule, or the rules cannot be read'],
  })
    .argument('[rule]', 'Id of a rule, or of one instance of it, such as games/chess')
    .option('--item <name>', 'Streamer, post or clip: its handle, display name or id');
  answering(command, {
    schema: ExplainAnswer,
    out,
    needsRun: true,
    async run(shown, rule: string | undefined, { item }: { readonly item?: string }) {
      const { openExplainer } = await import('#src/app/open-explainer.ts');
      const explainer = openExplainer(process.env);
      if (item !== undefined && rule !== undefined)
        throw new UsageError('it shows the decisions of all rules', {
          argument: '--item',
          hint: `Leave out ${oneLine(rule)}, or leave out --item.`,
        });
      if (item?.trim() === '') throw new UsageError('the name is empty', { argument: '--item' });
      if (item !== undefined) return await explainItem(item, { explainer, out: shown });
      if (rule !== undefined) return await explain({ explainer, rule, out: shown });
      throw new UsageError('name a rule (fanfare explain <rule>) or a streamer (fanfare explain --item <name>)');
    },
  });
}

export interface ExplainOptions {
  readonly explainer: Explainer;
  /** The id of a rule or of an instance. */
  readonly rule: string;
  readonly out: Terminal;
}

type Explained = Answer<z.input<typeof ExplainAnswer>>;

/** Prints the schedule, the cost and the decisions of a rule. Throws a refusal if there is no such rule. */
export async function explain({ explainer, rule: id, out }: ExplainOptions): Promise<Explained> {
  const found = await explainer.explain(id);
  const [first] = found;
  if (!first) return explainGone(id, { explainer, out });
  if (found.length > 1) printInstances(found, out);
  else printExplanation(first, out);
  return { data: { rules: found.map(toExplanationAnswer), gone: [] } };
}

/** Prints the history of a rule that is gone. Throws a refusal if nothing is stored of it. */
async function explainGone(id: string, { explainer, out }: Pick<ExplainOptions, 'explainer' | 'out'>): Promise<Explained> {
  const gone = await explainer.explainGone(id);
  if (gone.length === 0) throw await unknownRule(id, explainer);
  const timezone = localZone();
  const { broken } = await explainer.known();
  for (const rule of gone) printGoneRule(rule, { broken, timezone, out });
  return { data: { rules: [], gone: gone.map(toGoneAnswer) } };
}

/** Prints why an item was or was not announced. */
export async function explainItem(name: string, { explainer, out }: Omit<ExplainOptions, 'rule'>): Promise<Explained> {
  const timezone = localZone();
  const found = await explainer.explainItem(name);
  printItem(found, { timezone, out });
  return { data: { item: toItemAnswer(found) } };
}
