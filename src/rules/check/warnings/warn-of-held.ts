import type { Section } from '../../firing.ts';
import type { Checked } from '../check-expression.ts';
import type { Desk } from '../desk.ts';

/** Warns of steps that read what was held where no list is watched: slots that were held are no changes. */
export function warnOfHeld(
  steps: readonly { readonly section: Section; readonly expressions: readonly Checked[] }[],
  { document, report }: Desk,
): void {
  for (const { section, expressions } of steps) {
    for (const { expression, path, at } of expressions) {
      if (section !== 'quiet' || !expression.names.has('held')) continue;
      report.warning(
        document.textSpot(path, at),
        'held stays empty: nothing is watched',
        'write then: hold or then: drop, or leave held out',
      );
    }
  }
}
