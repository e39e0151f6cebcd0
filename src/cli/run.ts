import type { Command } from 'commander';
import { z } from 'zod';
import type { RunningProcess } from '#src/admin/actions/running-process.ts';
import { RequestedAnnouncementAnswer, RuleRunAnswer } from '#src/admin/queries/action-answers.ts';
import { DecisionAnswer } from '#src/admin/queries/answers.ts';
import type { Explainer } from '#src/admin/queries/offline.ts';
import { Refused } from '#src/errors.ts';
import { answering, type Answer } from './answering.ts';
import { document } from './document.ts';
import { oneLine, printHanging } from './format.ts';
import { operator } from './operator.ts';
import { OUTCOME_STYLES } from './print-explanation.ts';
import type { Terminal } from './terminal.ts';
import { unknownRule } from './unknown-rule.ts';

export function declare(program: Command, out: Terminal): void {
  const command = document(program.command('run'), {
    group: 'operate',
    summary: 'Run a rule now',
    description: [
      'Run a rule now in the running Fanfare, whatever its schedule, and show what it decided. It announces what it would announce at its next run.',
      'The command reaches the process at HOST and PORT.',
    ],
    examples: [
      ['Run a rule now', 'fanfare run live-card'],
      ['Announce a person who was live before the rule followed them', 'fanfare run team --announce team//ada'],
    ],
    exits: ['The rule ran', 'There is no such rule, it is off, or Fanfare does not run or answer'],
  })
    .argument('<rule>', 'Id of a rule, or of one instance of it')
    .option('--announce <item>', 'Announce the item with this key, if it is live and was not announced');
  answering(command, {
    schema: RunRuleAnswer,
    out,
    async run(shown, rule: string, { announce }: { readonly announce?: string }) {
      const [{ openExplainer }, { openRunning }] = await Promise.all([
        import('#src/app/open-explainer.ts'),
        import('#src/app/open-running.ts'),
      ]);
      const running = openRunning(process.env, operator());
      const explainer = openExplainer(process.env);
      return await (announce === undefined
        ? run({ running, explainer, rule, out: shown })
        : announceNow({ running, explainer, rule, item: announce, out: shown }));
    },
  });
}

const typedRule = z.string().describe('The rule, as typed.');

const RunRuleAnswer = z.union([
  RuleRunAnswer.extend({ rule: typedRule }),
  RequestedAnnouncementAnswer.extend({ rule: typedRule, item: z.string().describe('The key of the item, as typed.') }),
]);

/** What the API answers. */
const ApiAnswer = RuleRunAnswer.extend({ decisions: z.array(DecisionAnswer.extend({ at: z.coerce.date() })) });

export interface RunOptions {
  readonly running: RunningProcess;
  readonly explainer: Pick<Explainer, 'known'>;
  readonly rule: string;
  readonly out: Terminal;
}

/** Runs a rule and shows its decisions. */
export async function run({ running, explainer, rule, out }: RunOptions): Promise<Answer<z.input<typeof RunRuleAnswer>>> {
  const answer = await withKnownRules(rule, explainer, running.post(`/api/rules/${encodeURIComponent(rule)}/run`, {}, ApiAnswer));
  const { decisions, firings } = answer;
  out.print(`${out.paint('green', rule)} ran: ${firings === 1 ? '1 announcement' : `${firings} announcements`}.`);
  for (const { outcome, message } of decisions)
    printHanging(`  ${out.paint(OUTCOME_STYLES[outcome], outcome.padEnd(11))} ${oneLine(message)}`, 14, out);
  return { data: { rule, ...answer } };
}

const REQUESTED: Readonly<Record<z.output<typeof RequestedAnnouncementAnswer>['outcome'], string>> = {
  announced: 'is announced.',
  alreadyAnnounced: 'was announced before.',
  notLive: 'is not in the list of the rule: nothing is announced.',
  suppressed: 'is not announced.',
  deferred: 'is announced when the quiet hours end.',
  failed: 'is not announced: the poll failed.',
};

/** Announces an item and shows what was done. */
export async function announceNow({
  running,
  explainer,
  rule,
  item,
  out,
}: RunOptions & { readonly item: string }): Promise<Answer<z.input<typeof RunRuleAnswer>>> {
  const schema = RequestedAnnouncementAnswer.extend({ decision: DecisionAnswer.extend({ at: z.coerce.date() }).optional() });
  const posted = running.post(`/api/rules/${encodeURIComponent(rule)}/announce-item`, { item }, schema);
  const answer = await withKnownRules(rule, explainer, posted);
  out.print(`${out.paint('green', item)} ${REQUESTED[answer.outcome]}`);
  if (answer.decision && answer.outcome !== 'announced') out.print(`  ${oneLine(answer.decision.message)}`);
  return { data: { rule, item, ...answer } };
}

/** Adds the known rules to the refusal of an unknown rule. The process may not have loaded a rule of the files yet: its answer stays. */
async function withKnownRules<T>(rule: string, explainer: RunOptions['explainer'], answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== 'ruleNotFound') throw error;
    const known = await explainer.known().catch(() => undefined);
    if (!known || known.names.includes(rule)) throw error;
    throw await unknownRule(rule, { known: () => Promise.resolve(known) });
  }
}
