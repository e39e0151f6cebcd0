import type { CheckContext } from './check-context.ts';
import type { PlacedStep } from './place-steps.ts';

/**
 * Warns of a `wait` in `then` of a rule with `finally`: the end of the episode withdraws the steps below it that create something, unless
 * they state what they want. Also warns of `afterEnd` at steps that always run.
 */
export function checkWaits(placed: readonly PlacedStep[], { document, report }: CheckContext): void {
  for (const step of placed) {
    if (step.draft.afterEnd === undefined || mayEndWithEpisode(step)) continue;
    report.warning(
      document.keyLocation(step.path, 'afterEnd'),
      'unused-after-end',
      'afterEnd has no effect: only steps of then that create something behind a wait end with the episode',
      'remove it',
    );
  }
  if (!placed.some(({ section }) => section === 'finally')) return;
  const first = placed.find((step) => mayEndWithEpisode(step) && step.draft.afterEnd === undefined);
  if (!first) return;
  report.warning(
    document.locationOf(first.path),
    'ends-with-episode',
    'this step is not sent if the item is gone before the wait above ends',
    'to send it anyway, add afterEnd: true; to accept this, add afterEnd: false',
  );
}

function mayEndWithEpisode({ section, afterMs, declared }: PlacedStep): boolean {
  return section === 'then' && afterMs !== undefined && declared?.kind === 'write' && declared.effect === 'creates';
}
