import type { Command } from 'commander';
import { z } from 'zod';
import { scenarios as scenarioNames, scenarioTitle } from '#src/admin/language/scenarios.ts';
import { PreviewAnswer } from '#src/admin/queries/action-answers.ts';
import { toPreviewAnswer } from '#src/admin/queries/to-answers.ts';
import { DiagnosticAnswer } from '#src/admin/queries/diagnostic-answer.ts';
import { asksPeople, ignoredKeys } from '#src/engine/simulation/assumptions.ts';
import { lengthText, remarkText, sampleOf, targetText, messageLines } from '#src/engine/simulation/preview/message-lines.ts';
import type { MessagePreview, Previewer, PreviewView, ReadView, StepView } from '#src/engine/simulation/preview/preview-view.ts';
import { formatDiagnostic } from '#src/rules/diagnostic.ts';
import { answering, type Answer } from './answering.ts';
import { document } from './document.ts';
import { oneLine } from './format.ts';
import { parseWholeNumber } from './option-values.ts';
import type { Terminal } from './terminal.ts';
import { unknownOrBrokenRule } from './unknown-rule.ts';

export function declare(program: Command, out: Terminal): void {
  const command = document(program.command('preview'), {
    group: 'rules',
    summary: 'Show what a rule would announce if its items were new now',
    description: [
      'Poll the platforms once, and show the messages that a rule would send for the items found. Nothing is sent.',
      'The preview shows the text of each message, its length and whom it pings.',
    ],
    examples: [
      ['Preview a rule', 'fanfare preview live-card'],
      ['Preview ten items', 'fanfare preview valorant-top --items 10'],
    ],
    exits: ['The preview was printed', 'There is no such rule, or the platform cannot be read'],
  })
    .argument('<rule>', 'Id of a rule, or of one instance of it')
    .option('--items <count>', 'Number of items to show, from 1 to 100', '3');
  answering(command, {
    schema: PreviewsAnswer,
    out,
    async run(shown, rule: string, { items }: { readonly items: string }) {
      const { openPreviewer } = await import('#src/app/open-previewer.ts');
      const open = (): ReturnType<typeof openPreviewer> =>
        openPreviewer({ environment: process.env, write: (line) => out.printError(line.trimEnd()) });
      return await preview({ openPreviewer: open, rule, items, out: shown });
    },
  });
}

const PreviewsAnswer = z.object({
  previews: z.array(PreviewAnswer).describe('The instances of the rule.'),
  diagnostics: z.array(DiagnosticAnswer).readonly().describe('The errors and warnings of the rule files.'),
  startedSandbox: z.boolean().describe('Whether the preview used a new sandbox.'),
});

export interface PreviewOptions {
  readonly openPreviewer: () => Promise<Previewer>;
  /** The id of a rule or of an instance. */
  readonly rule: string;
  /** The number of items to show. */
  readonly items: string;
  readonly out: Terminal;
}

const NEW_SANDBOX =
  'No sandbox of a running Fanfare answered at HOST and PORT, so this preview uses a new one. Its streams differ from those of fanfare start.';

/** Prints what a rule would announce if its items were new now. The exit code is 1 if the poll fails. Throws a refusal if there is no such rule. */
export async function preview({ openPreviewer, rule: id, items, out }: PreviewOptions): Promise<Answer<z.input<typeof PreviewsAnswer>>> {
  const count = parseWholeNumber('--items', items, { least: 1, most: 100 });
  await using previewer = await openPreviewer();
  const { views, diagnostics, names } = await previewer.preview(id, count);
  for (const diagnostic of diagnostics) out.printError(`${formatDiagnostic(diagnostic, out)}\n`);
  if (views.length === 0) throw unknownOrBrokenRule(id, { names, diagnostics });
  if (previewer.startedSandbox)
    // Outside of the colour, the line break does not make the sentence a text of several lines.
    out.print(`${out.paint('yellow', NEW_SANDBOX)}\n`);
  for (const view of views) printPreview(view, out);
  out.print(out.paint('dim', 'Nothing was sent. Ids and links of messages are examples.'));
  return {
    data: { previews: views.map(toPreviewAnswer), diagnostics, startedSandbox: previewer.startedSandbox },
    exitCode: views.some(({ read }) => read?.failure !== undefined) ? 1 : 0,
  };
}

function printPreview(view: PreviewView, out: Terminal): void {
  const { rule, read, scenarios } = view;
  out.print(`${out.paint('bold', rule.id)}  ${rule.about ?? ''}`);
  const { watched } = rule;
  if (read) printRead(read, watched ? `${watched.verb} through ${watched.accounts.join(' and ')}` : 'The lists of the rule', out);
  const sample = sampleOf(view);
  if (sample)
    out.print(out.paint('yellow', `The preview uses an example ${sample.of}${sample.ignoresIf ? ', and ignores if of the rule' : ''}.`));
  if (scenarios.length > 0 && watched?.first === 'silent' && watched.per === 'item')
    out.print(
      out.paint('dim', 'Shown as if each event happened now. Items that are in the list when you save the rule are not announced.'),
    );
  const ignored = ignoredKeys(rule);
  if (scenarios.length > 0 && ignored.length > 0)
    out.print(out.paint('dim', `The preview ignores ${ignored.join(', ')}: a message can come later, or not at all.`));
  if (scenarios.length > 0 && asksPeople(rule)) out.print(out.paint('dim', 'The preview answers each question with its first choice.'));
  for (const { name, message } of read?.excluded ?? []) out.print(out.paint('dim', `  ${name} does not match: ${message}`));
  for (const scenario of scenarios) {
    const { suppression, steps } = scenario;
    const suppressed = suppression ? out.paint('yellow', suppressionText(suppression.message)) : '';
    out.print(`\n${out.paint('cyan', scenarioTitle(scenarioNames[scenario.kind], scenario.name))}${suppressed}`);
    for (const step of steps) printStep(step, out);
  }
  if (scenarios.length === 0 && read?.failure === undefined) out.print('\nNothing to announce.');
  out.print('');
}

/** Messages of decisions about items say themselves that nothing was announced. */
function suppressionText(message: string): string {
  return message.includes('not announced') ? `: ${message}` : `: not announced: ${message}`;
}

function printRead({ failure, partlyFailed, count, counted, unknownUsers = [] }: ReadView, what: string, out: Terminal): void {
  if (failure !== undefined) {
    out.print(out.paint('red', `${what} could not be read: ${failure}`));
    return;
  }
  out.print(`${what}: ${count} ${count === 1 ? 'item' : 'items'} read, ${counted} ${counted === 1 ? 'matches' : 'match'} this rule.`);
  if (partlyFailed) out.print(out.paint('yellow', oneLine(partlyFailed.message)));
  for (const { user, account } of unknownUsers)
    out.print(out.paint('red', `There is no user ${user} on ${account}. Correct the name in the rule.`));
}

function printStep({ name, do: verb, account, after, notRun, reads, remarks, messages }: StepView, out: Terminal): void {
  const [first] = messages;
  const target = first?.target ? ` → ${targetText(first.target)}` : '';
  const wait = after ? ` after ${after.text}` : '';
  out.print(`  ${out.paint('bold', name)}${wait}: ${verb} through ${account}${target}${reads ? out.paint('dim', ' (read now)') : ''}`);
  if (notRun) out.print(`    ${out.paint(notRun.kind === 'failed' ? 'red' : 'yellow', `${notRun.kind}: ${notRun.message}`)}`);
  for (const message of messages) printMessage(message, { isFirst: message === first, out });
  if (remarks.length > 0) out.print(`    ${out.paint('yellow', remarks.map(remarkText).join('; '))}`);
}

function printMessage(message: MessagePreview, { isFirst, out }: { readonly isFirst: boolean; readonly out: Terminal }): void {
  const { target, lengths, pings, onlyText = [] } = message;
  if (!isFirst) out.print(`    ${out.paint('dim', target ? `then → ${targetText(target)}` : 'then')}`);
  for (const line of messageLines(message)) out.print(`    ${out.paint('dim', '│')} ${line}`);
  const facts = [
    ...lengths.map((one) => (one.most !== undefined && one.length >= one.most ? out.paint('yellow', lengthText(one)) : lengthText(one))),
    ...(pings === undefined ? [] : [pings.length > 0 ? out.paint('yellow', `pings ${pings.join(', ')}`) : 'pings nobody']),
    ...(onlyText.length > 0 ? [`no ping, only text: ${onlyText.join(', ')}`] : []),
  ];
  if (facts.length > 0) out.print(`    ${out.paint('dim', facts.join(' · '))}`);
}
