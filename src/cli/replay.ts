import type { Command } from 'commander';
import type { z } from 'zod';
import { isShifted } from '#src/admin/queries/is-shifted.ts';
import { ReplayAnswer, toReplayAnswer } from '#src/admin/queries/replay-answer.ts';
import { parseDuration } from '#src/clients/operation/duration.ts';
import { canRest } from '#src/engine/scheduler/rest.ts';
import type { Replayer, ReplayEvent, ReplayView } from '#src/engine/simulation/replay/replay-view.ts';
import { formatDiagnostic } from '#src/rules/diagnostic.ts';
import { formatCount } from '#src/rules/messages/format.ts';
import { stepName } from '#src/rules/step-name.ts';
import { answering, type Answer } from './answering.ts';
import { document } from './document.ts';
import { instantText } from './format.ts';
import type { Style, Terminal } from './terminal.ts';
import { unknownOrBrokenRule } from './unknown-rule.ts';
import { UsageError } from './usage-error.ts';

export function declare(program: Command, out: Terminal): void {
  const command = document(program.command('replay'), {
    group: 'rules',
    summary: 'Show what a changed rule would have announced',
    description: [
      'Run the current file of a rule on the recorded polls, and compare the result with the messages that were sent. Nothing is sent, and no platform is read.',
      'Fanfare records the polls of each rule, and keeps them for eight days.',
    ],
    examples: [
      ['Replay the last seven days', 'fanfare replay live-card'],
      ['Replay the last twelve hours', 'fanfare replay live-card --since 12h'],
    ],
    exits: ['The replay was printed', 'There is no such rule, or the rules cannot be read'],
  })
    .argument('<rule>', 'Id of a rule, or of one instance of it')
    .option('--since <time>', 'How far to go back, such as 90m, 12h or 7d', '7d');
  answering(command, {
    schema: ReplayAnswer,
    out,
    needsRun: true,
    async run(shown, rule: string, { since }: { readonly since: string }) {
      const { openReplayer } = await import('#src/app/open-replayer.ts');
      return await replay({ replayer: openReplayer(process.env), rule, since, nowMs: Date.now(), out: shown });
    },
  });
}

/** The number of lines shown of a text. */
const MOST_LINES = 6;

export interface ReplayOptions {
  readonly replayer: Replayer;
  /** The id of a rule or of an instance. */
  readonly rule: string;
  /** The length of the period, for example `7d`. */
  readonly since: string;
  readonly nowMs: number;
  readonly out: Terminal;
}

/** Prints what a rule would have announced for the recorded polls. Throws a refusal if there is no such rule. */
export async function replay({ replayer, rule: id, since, nowMs, out }: ReplayOptions): Promise<Answer<z.input<typeof ReplayAnswer>>> {
  const backMs = parseDuration(since);
  if (backMs === undefined)
    throw new UsageError(`${since} is not a duration`, { argument: '--since', hint: 'write it as 7d, 12h or 1h30m' });
  const { views, diagnostics, names } = await replayer.replay(id, { sinceMs: nowMs - backMs, nowMs });
  for (const diagnostic of diagnostics) out.printError(`${formatDiagnostic(diagnostic, out)}\n`);
  if (views.length === 0) throw unknownOrBrokenRule(id, { names, diagnostics });
  for (const [index, view] of views.entries()) {
    if (index > 0) out.print('');
    printReplay(view, out);
  }
  return { data: toReplayAnswer({ views, diagnostics }) };
}

function printReplay(view: ReplayView, out: Terminal): void {
  const {
    rule,
    timezone,
    since,
    slots: polls,
    missingNames,
    changedLists,
    startsEmpty,
    answersFirst,
    blown,
    knownSince,
    paused,
    pausedIsMinimum,
    failed,
    events,
  } = view;
  out.print(`${out.paint('bold', rule.id)}  ${rule.about ?? ''}`);
  if (!polls) {
    out.print(`No polls of this rule were recorded since ${instantText(since, timezone)} (${timezone}).`);
    return;
  }
  const replayed = formatCount(polls.count, rule.watched ? 'recorded poll' : rule.webhook ? 'recorded request' : 'slot');
  const period = `from ${instantText(polls.first, timezone)} to ${instantText(polls.last, timezone)} (${timezone})`;
  out.print(`The current file was run on ${replayed} ${period}.`);
  if (rule.watched?.first === 'silent' && !polls.isWarm) out.print(out.paint('dim', 'The first poll announces nothing.'));
  if (missingNames.length > 0) out.print(out.paint('yellow', `Nothing is recorded about ${missingNames.join(', ')}.`));
  if (changedLists.length > 0)
    out.print(
      out.paint(
        'yellow',
        `In this period, ${changedLists.map((list) => `the list ${list}`).join(' and ')} changed. The replay uses the present entries for the whole period.`,
      ),
    );
  if (knownSince)
    out.print(
      `The rule has no history before ${instantText(knownSince, timezone)}. Earlier announcements are marked ·: they may not have been sent, because the rule did not run yet.`,
    );
  if (startsEmpty.length > 0)
    out.print(
      `The replay begins without the values that ${startsEmpty.map((key) => `\`${key}\``).join(' and ')} had at that time. Messages that depend on them can differ.`,
    );
  if (answersFirst) out.print(out.paint('dim', 'A question that was not asked then gets its first choice as the answer.'));
  if (paused > 0) {
    const prevented = `${pausedIsMinimum ? 'at least ' : ''}${formatCount(paused, 'announcement')} of this period`;
    out.print(
      out.paint(
        'yellow',
        `A pause or a mute prevented or delayed ${prevented}. The replay ignores both: it announces them at their time, and prevented ones are marked +.`,
      ),
    );
  }
  if (failed > 0)
    out.print(
      out.paint(
        'yellow',
        `${formatCount(failed, 'delivery', 'deliveries')} failed in this period. With the same content, a delivery fails in the replay too, and is not shown.`,
      ),
    );
  if (blown) {
    const at = instantText(blown.at, timezone);
    out.print(
      out.paint(
        'red',
        `The rule would have been paused automatically at ${at}, with a limit of ${blown.most}. The replay announces nothing after that.`,
      ),
    );
  }
  for (const event of events) printEvent(event, timezone, out);
  printSums(view, out);
  if (canRest(rule) && events.some(({ kind }) => kind === 'fewer'))
    out.print(
      out.paint(
        'dim',
        'Polls that follow notifications are not recorded. A stream that began and ended between two recorded polls is missing in the replay.',
      ),
    );
}

const SYMBOLS: Readonly<Record<ReplayEvent['kind'], readonly [string, Style]>> = {
  same: ['=', 'dim'],
  other: ['~', 'yellow'],
  more: ['+', 'green'],
  fewer: ['-', 'red'],
  early: ['·', 'dim'],
};

function printEvent(
  { kind, at, actualAt = at, about, position, do: verb, account, expected, actual, failure }: ReplayEvent,
  timezone: string,
  out: Terminal,
): void {
  const [symbol, style] = SYMBOLS[kind];
  const who = about === '' ? '' : `${about}  `;
  const then = isShifted(at, actualAt) ? ` (then ${instantText(actualAt, timezone)})` : '';
  out.print(`\n${out.paint(style, symbol)} ${instantText(at, timezone)}${then}  ${who}${stepName(position)}: ${verb} through ${account}`);
  if (failure !== undefined) out.print(out.paint('red', `    cannot be sent: ${failure}`));
  if (kind === 'other') printText('was', actual, out);
  printText(kind === 'other' ? 'now' : '', kind === 'fewer' ? actual : expected, out);
}

function printText(label: string, lines: readonly string[] = [], out: Terminal): void {
  if (label !== '') out.print(out.paint('dim', `    ${label}`));
  for (const line of lines.slice(0, MOST_LINES)) out.print(`    ${out.paint('dim', '│')} ${line}`);
  if (lines.length > MOST_LINES) out.print(out.paint('dim', `    │ … ${formatCount(lines.length - MOST_LINES, 'more line')}`));
}

function printSums({ events, edits }: ReplayView, out: Terminal): void {
  const count = (...kinds: readonly ReplayEvent['kind'][]): number => events.filter(({ kind }) => kinds.includes(kind)).length;
  const [same, other, more, fewer, early] = [count('same'), count('other'), count('more'), count('fewer'), count('early')];
  out.print(`\nMessages now: ${same + other + more + early}. Messages sent then: ${same + other + fewer}.`);
  const before = early > 0 ? `   · ${early} before the history` : '';
  out.print(`= ${same} same   ~ ${other} changed   + ${more} only now   - ${fewer} only then${before}`);
  if (edits.expected + edits.actual > 0)
    out.print(`Edits of open cards, not shown: ${edits.expected} now. Of the edits then, ${edits.actual} are still stored.`);
}
