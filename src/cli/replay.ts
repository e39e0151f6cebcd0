import type { Command } from 'commander';
import type { Replayer } from '#src/queries/replay-view.ts';
import { ConfigError } from '#src/errors.ts';
import { parseDuration } from '#src/operation/duration.ts';
import type { Diagnostic } from '#src/rules/diagnostic.ts';
import { instantText } from './instant-text.ts';
import type { ReplayEvent, ReplayView } from '#src/queries/replay-view.ts';
import type { Style, Terminal } from './terminal.ts';

/** Declares the command `replay`. */
export function declare(program: Command, out: Terminal): void {
  program
    .command('replay')
    .description('show what a rule, as its file is now, would have done with what was really seen')
    .argument('<rule>', "the rule's id")
    .option('--since <time>', 'how far back, as 7d or 12h', '7d')
    .action(async (rule: string, { since }: { readonly since: string }) => {
      const [{ openReplayer }, { formatDiagnostic }] = await Promise.all([
        import('#src/app/open-replayer.ts'),
        import('#src/rules/diagnostic.ts'),
      ]);
      process.exitCode = await replay({ replayer: openReplayer(process.env), formatDiagnostic, rule, since, nowMs: Date.now(), out });
    });
}

/** Of a longer text only the beginning is shown. */
const MOST_LINES = 6;

export interface ReplayOptions {
  readonly replayer: Replayer;
  readonly formatDiagnostic: (diagnostic: Diagnostic, options: { readonly color: boolean }) => string;
  /** The rule's id, or that of an instance. */
  readonly rule: string;
  /** How far back, as `7d`. */
  readonly since: string;
  readonly nowMs: number;
  readonly out: Terminal;
}

/** Prints what a rule would have done with what was really seen; the exit code is 1 where there is no such rule. */
export async function replay({ replayer, formatDiagnostic, rule: id, since, nowMs, out }: ReplayOptions): Promise<number> {
  const backMs = parseDuration(since);
  if (backMs === undefined)
    throw new ConfigError(`${since} is no length of time`, { file: '--since', hint: 'write it as 7d, 12h or 1h30m' });
  const { views, diagnostics, names } = await replayer.replay(id, { sinceMs: nowMs - backMs, nowMs });
  for (const diagnostic of diagnostics) out.printError(`${formatDiagnostic(diagnostic, out)}\n`);
  if (views.length === 0) {
    out.printError(`There is no rule ${id} that can run. There are: ${names.join(', ') || 'none'}.`);
    return 1;
  }
  for (const [index, view] of views.entries()) {
    if (index > 0) out.print('');
    printReplay(view, out);
  }
  return 0;
}

function printReplay(view: ReplayView, out: Terminal): void {
  const { rule, timezone, since, slots, missingNames, blown, knownSince, events } = view;
  out.print(`${out.paint('bold', rule.id)}  ${rule.about ?? ''}`);
  if (!slots) {
    out.print(`Nothing is recorded since ${instantText(since, timezone)} (${timezone}) of what it watches.`);
    return;
  }
  const seen = rule.watched ? `what was seen at ${slots.count} looks` : `${slots.count} slots`;
  out.print(
    `As its file is now, over ${seen} from ${instantText(slots.first, timezone)} to ${instantText(slots.last, timezone)} (${timezone}).`,
  );
  if (rule.watched?.first === 'silent' && !slots.isWarm)
    out.print(out.paint('dim', 'The first look says nothing: what was there already is no news.'));
  if (missingNames.length > 0)
    out.print(out.paint('yellow', `Nobody looked at ${missingNames.join(', ')} then: of them nothing is known.`));
  if (knownSince)
    out.print(
      `Nothing is kept of it before ${instantText(knownSince, timezone)}: what is marked · may be missing only because it did not run yet.`,
    );
  if (blown) {
    const at = instantText(blown.at, timezone);
    out.print(out.paint('red', `Its fuse would have blown at ${at} (it allows ${blown.most}): from then on it says nothing here.`));
  }
  for (const event of events) printEvent(event, timezone, out);
  printSums(view, out);
}

const SYMBOLS: Readonly<Record<ReplayEvent['kind'], readonly [string, Style]>> = {
  same: ['=', 'dim'],
  other: ['~', 'yellow'],
  more: ['+', 'green'],
  fewer: ['-', 'red'],
  early: ['·', 'dim'],
};

function printEvent(
  { kind, at, about, step, do: verb, account, expected, actual, failure }: ReplayEvent,
  timezone: string,
  out: Terminal,
): void {
  const [symbol, style] = SYMBOLS[kind];
  const who = about === '' ? '' : `${about}  `;
  out.print(`\n${out.paint(style, symbol)} ${instantText(at, timezone)}  ${who}${step}: ${verb} through ${account}`);
  if (failure !== undefined) out.print(out.paint('red', `    cannot be said: ${failure}`));
  if (kind === 'other') printText('was', actual, out);
  printText(kind === 'other' ? 'now' : '', kind === 'fewer' ? actual : expected, out);
}

function printText(label: string, lines: readonly string[] = [], out: Terminal): void {
  if (label !== '') out.print(out.paint('dim', `    ${label}`));
  for (const line of lines.slice(0, MOST_LINES)) out.print(`    ${out.paint('dim', '│')} ${line}`);
  if (lines.length > MOST_LINES) out.print(out.paint('dim', `    │ … ${lines.length - MOST_LINES} more lines`));
}

function printSums({ events, edits }: ReplayView, out: Terminal): void {
  const count = (...kinds: readonly ReplayEvent['kind'][]): number => events.filter(({ kind }) => kinds.includes(kind)).length;
  const [same, other, more, fewer, early] = [count('same'), count('other'), count('more'), count('fewer'), count('early')];
  out.print(`\nWould have been sent: ${same + other + more + early}. Was sent: ${same + other + fewer}.`);
  const before = early > 0 ? `   · ${early} before that` : '';
  out.print(`= ${same} the same   ~ ${other} in other words   + ${more} only now   - ${fewer} only then${before}`);
  if (edits.expected + edits.actual > 0) out.print(`Edits while something lasts, not shown: ${edits.expected} now, ${edits.actual} then.`);
}
