import { parseDuration } from '#src/clients/operation/duration.ts';
import { formatDuration } from '#src/rules/messages/format.ts';
import type { CheckContext } from './check-context.ts';
import type { PlacedStep } from './place-steps.ts';

/** Reports `every` at steps outside of `while`, and warns of an `every` that is shorter than the time between two polls. */
export function checkRepeats(
  placed: readonly PlacedStep[],
  { pollMs }: { readonly pollMs: number | undefined },
  { document, report }: CheckContext,
): void {
  for (const { section, draft, path } of placed) {
    const { every } = draft;
    if (every === undefined) continue;
    const location = document.keyLocation(path, 'every');
    if (section !== 'while') {
      const message = `every is only for steps of while, and this step is in ${section}`;
      report.error(location, 'every-outside-while', message, 'move the step to while, or remove every');
      continue;
    }
    const everyMs = parseDuration(every);
    if (pollMs === undefined || everyMs === undefined || everyMs >= pollMs) continue;
    report.warning(
      location,
      'every-below-poll',
      `the rule polls every ${formatDuration(pollMs)}, so this step runs at each poll`,
      `write every: ${formatDuration(pollMs).replaceAll(' ', '')} or more`,
    );
  }
}
