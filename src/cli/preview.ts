import type { Previewer } from '#src/app/trial/previewer.ts';
import { ConfigError } from '#src/errors.ts';
import type { Problem } from '#src/rules/problem.ts';
import type { PreviewView, ReadView, SayingView, StepView } from './preview-view.ts';
import type { Terminal } from './terminal.ts';

export interface PreviewOptions {
  readonly openPreviewer: () => Promise<Previewer>;
  readonly printProblem: (problem: Problem, options: { readonly color: boolean }) => string;
  /** The rule's id, or that of an instance. */
  readonly rule: string;
  /** How many items are shown. */
  readonly items: string;
  readonly out: Terminal;
}

/** Prints what a rule would say right now, and sends nothing; the exit code is 1 where there is no such rule, or nothing could be read. */
export async function preview({ openPreviewer, printProblem, rule: id, items, out }: PreviewOptions): Promise<number> {
  const count = Number(items);
  if (!Number.isSafeInteger(count) || count < 1 || count > 100)
    throw new ConfigError(`${items} is no number from 1 to 100`, { file: '--items' });
  await using previewer = await openPreviewer();
  const { views, problems, names } = await previewer.preview(id, count);
  for (const problem of problems) out.printError(`${printProblem(problem, out)}\n`);
  if (views.length === 0) {
    out.printError(`There is no rule ${id} that can run. There are: ${names.join(', ') || 'none'}.`);
    return 1;
  }
  if (previewer.isOnItsOwn)
    out.print(
      out.paint('yellow', 'No sandbox plays here: this is read from a sandbox of its own, and not from the one of fanfare start.\n'),
    );
  for (const view of views) printPreview(view, out);
  out.print(out.paint('dim', 'Nothing was sent. Ids and addresses that come into being when something is sent are made up.'));
  return views.some(({ read }) => read?.failure !== undefined) ? 1 : 0;
}

function printPreview({ rule, read, scenes }: PreviewView, out: Terminal): void {
  out.print(`${out.paint('bold', rule.id)}  ${rule.about ?? ''}`);
  if (read && rule.watched) printRead(read, `${rule.watched.verb} through ${rule.watched.accounts.join(' and ')}`, out);
  for (const { title, silence, steps } of scenes) {
    out.print(`\n${out.paint('cyan', title)}${silence === undefined ? '' : out.paint('yellow', `: nothing is said: ${silence}`)}`);
    for (const step of steps) printStep(step, out);
  }
  if (scenes.length === 0 && read?.failure === undefined) out.print('\nThere is nothing that it would say something about.');
  out.print('');
}

function printRead({ failure, count, counted, madeUp, refused }: ReadView, what: string, out: Terminal): void {
  if (failure !== undefined) {
    out.print(out.paint('red', `${what} could not be read: ${failure}`));
    return;
  }
  out.print(`${what}: ${count} read, ${counted} of them count for this rule.`);
  if (madeUp) out.print(out.paint('yellow', 'What follows is shown with somebody made up.'));
  for (const { name, because } of refused) out.print(out.paint('dim', `  ${name} does not: ${because}`));
}

function printStep({ name, do: verb, account, after, undone, reads, remark, sayings }: StepView, out: Terminal): void {
  const [first] = sayings;
  const place = first?.place === undefined ? '' : ` → ${first.place}`;
  const wait = after === undefined ? '' : ` after ${after}`;
  out.print(`  ${out.paint('bold', name)}${wait}: ${verb} through ${account}${place}${reads ? out.paint('dim', ' (really asked)') : ''}`);
  if (undone) out.print(`    ${out.paint(undone.kind === 'failed' ? 'red' : 'yellow', `${undone.kind}: ${undone.reason}`)}`);
  for (const saying of sayings) printSaying(saying, { isFirst: saying === first, out });
  if (remark !== undefined) out.print(`    ${out.paint('yellow', remark)}`);
}

function printSaying(
  { place, lines, lengths, pings }: SayingView,
  { isFirst, out }: { readonly isFirst: boolean; readonly out: Terminal },
): void {
  if (!isFirst) out.print(`    ${out.paint('dim', place === undefined ? 'and then' : `and then → ${place}`)}`);
  for (const line of lines) out.print(`    ${out.paint('dim', '│')} ${line}`);
  const facts = [
    ...lengths.map(({ text, full }) => (full ? out.paint('yellow', text) : text)),
    ...(pings === undefined ? [] : [pings.length > 0 ? out.paint('yellow', `pings ${pings.join(', ')}`) : 'pings nobody']),
  ];
  if (facts.length > 0) out.print(`    ${out.paint('dim', facts.join(' · '))}`);
}
