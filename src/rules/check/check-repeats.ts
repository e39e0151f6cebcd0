import { isBilledByCall } from '#src/clients/operation/declared.ts';
import { parseDuration } from '#src/clients/operation/duration.ts';
import { formatDuration } from '#src/rules/messages/format.ts';
import type { CheckContext } from './check-context.ts';
import type { PlacedStep } from './place-steps.ts';

/** A value in an expression that differs at almost each poll. */
const CHANGING = /\$\{\{[^}]*(?<![\w.'"])(?:now\b|(?:item|previous)\.[^}]*?\b(?:viewerCount|viewCount|lengthMs|counts)\b)/u;

/** A stream of hours would have a message for each of these times. */
const OFTEN_MS = 10 * 60_000;
const ANNOUNCES = /^(?:discord|social)\./u;

/** Reports `every` at steps outside of `while`, and warns of one that sends many messages, or is shorter than the time between two polls. */
export function checkRepeats(
  placed: readonly PlacedStep[],
  { pollMs }: { readonly pollMs: number | undefined },
  context: CheckContext,
): void {
  const { document, report } = context;
  for (const step of placed) {
    const { section, draft, path } = step;
    const { every } = draft;
    if (every === undefined) {
      if (section === 'while') warnOfBilledRepeats(step, pollMs, context);
      continue;
    }
    const location = document.keyLocation(path, 'every');
    if (section !== 'while') {
      const message = `every is only for steps of while, and this step is in ${section}`;
      report.error(location, 'every-outside-while', message, 'move the step to while, or remove every');
      continue;
    }
    const everyMs = parseDuration(every);
    if (pollMs === undefined || everyMs === undefined) continue;
    const runsEveryMs = Math.max(everyMs, pollMs);
    if (runsEveryMs < OFTEN_MS && isMessage(step)) {
      // The fuse does not count steps of `while`.
      const message = `${draft.do} creates something new every ${formatDuration(runsEveryMs)} while the item stays`;
      report.warning(
        location,
        'frequent-messages',
        message,
        'write every: 1h or more, or change what exists, for example with discord.edit',
      );
    } else if (everyMs < pollMs) {
      report.warning(
        location,
        'every-below-poll',
        `the rule polls every ${formatDuration(pollMs)}, so this step runs at each poll`,
        `write every: ${formatDuration(pollMs).replaceAll(' ', '')} or more`,
      );
    }
  }
}

/** Whether a step sends a message each time. A condition can make it rare. */
function isMessage({ draft, declared }: PlacedStep): boolean {
  return declared?.kind === 'write' && declared.effect === 'creates' && draft.if === undefined && ANNOUNCES.test(draft.do ?? '');
}

/** Warns of a step whose parameters change at almost each poll, and whose calls cost money. The fuse does not count steps of `while`. */
function warnOfBilledRepeats({ draft, path, declared }: PlacedStep, pollMs: number | undefined, { document, report }: CheckContext): void {
  if (!isBilledByCall(declared) || !CHANGING.test(JSON.stringify(draft.with ?? {}))) return;
  const often = pollMs === undefined ? 'at almost each poll' : `about every ${formatDuration(pollMs)}`;
  report.warning(
    document.keyLocation(path, 'with'),
    'billed-at-each-poll',
    `the question contains a value that changes all the time, so the assistant is asked again ${often}, and each answer costs money`,
    'leave out this value, for example the number of viewers, or write every: 30m at this step and at the steps that read its answer',
  );
}
