import type { Checked } from './check-expression.ts';
import type { Desk } from './desk.ts';
import type { PlacedStep } from './place-steps.ts';

/** A step with its expressions. */
interface ReadingStep extends PlacedStep {
  readonly reads: readonly Checked[];
}

/** Says where a step reads what is not there yet, or what none of its accounts made. */
export function checkReads(steps: readonly ReadingStep[], desk: Desk): void {
  const byId = new Map(steps.flatMap((step) => (step.draft.id === undefined ? [] : [[step.draft.id, step] as const])));
  const done = new Set<ReadingStep>();
  for (const step of steps) {
    for (const { expression, path, at } of step.reads) {
      for (const [read, offset] of expression.reads) {
        const [id = '', kind] = read.split('.');
        const source = byId.get(id);
        const spot = desk.document.textSpot(path, at + offset);
        if (source === step) desk.report.error(spot, 'a step cannot read its own result');
        else if (source && !isSeen(source, step, done)) {
          desk.report.error(
            spot,
            `the step ${id} is not done by then`,
            'a step reads those above it; while and finally read those of then, too',
          );
        } else if (source && kind === 'own') reportForeign(id, { step, source, spot }, desk);
      }
    }
    done.add(step);
  }
}

/** Whether a step that stands above is among those whose results the other sees. */
function isSeen(source: ReadingStep, { section }: ReadingStep, done: ReadonlySet<ReadingStep>): boolean {
  return done.has(source) && (source.section === section || (source.section === 'then' && section !== 'quiet'));
}

function reportForeign(
  id: string,
  {
    step,
    source,
    spot,
  }: { readonly step: ReadingStep; readonly source: ReadingStep; readonly spot: Parameters<Desk['report']['error']>[0] },
  { report }: Desk,
): void {
  const missing = step.accounts.filter((account) => !source.accounts.includes(account));
  if (missing.length === 0 || source.accounts.length === 0) return;
  const message = `steps.${id}.own is empty for ${missing.join(', ')}: the step ${id} is done by ${source.accounts.join(', ')}`;
  if (missing.length === step.accounts.length)
    report.error(spot, message, `write steps.${id} for its first account, or steps.${id}.on.<account>`);
  else report.warning(spot, message);
}
