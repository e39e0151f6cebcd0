import type { Path, Spot } from '../document/report.ts';
import { shapeAt, shapeOf, textOf } from '../shape/shape.ts';
import type { Checked } from './check-expression.ts';
import { clientOf } from './choose-accounts.ts';
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
        else if (source && kind === undefined && !isProse(path, step)) warnOfFirst(id, { step, source, spot }, desk);
      }
    }
    done.add(step);
  }
}

/** Whether a step that stands above is among those whose results the other sees. */
function isSeen(source: ReadingStep, { section }: ReadingStep, done: ReadonlySet<ReadingStep>): boolean {
  return done.has(source) && (source.section === section || (source.section === 'then' && section !== 'quiet'));
}

interface ForeignRead {
  readonly step: ReadingStep;
  readonly source: ReadingStep;
  readonly spot: Spot;
}

function reportForeign(id: string, { step, source, spot }: ForeignRead, { report }: Desk): void {
  const missing = step.accounts.filter((account) => !source.accounts.includes(account));
  if (missing.length === 0 || source.accounts.length === 0) return;
  const message = `steps.${id}.own is empty for ${missing.join(', ')}: the step ${id} is done by ${source.accounts.join(', ')}`;
  if (missing.length === step.accounts.length)
    report.error(spot, message, `write steps.${id} for its first account, or steps.${id}.on.<account>`);
  else report.warning(spot, message);
}

/** Warns of what names the post of one account to all of them: no platform knows the posts of another. */
function warnOfFirst(id: string, { step, source, spot }: ForeignRead, { report }: Desk): void {
  const [first] = source.accounts;
  const others = step.accounts.filter((account) => account !== first);
  const isSameClient = clientOf(step.draft.do ?? '') === clientOf(source.draft.do ?? '');
  if (first === undefined || source.accounts.length < 2 || others.length === 0 || !isSameClient) return;
  report.warning(
    spot,
    `steps.${id} is what ${first} made: ${others.join(', ')} would get it, too`,
    `write steps.${id}.own, as steps.${id}.own.id`,
  );
}

/** Whether a parameter is read by people, who can follow the address of another platform's post. */
function isProse(path: Path, { declared, path: stepPath }: ReadingStep): boolean {
  const [key, ...within] = path.slice(stepPath.length);
  const shape = key === 'with' && declared ? shapeAt(shapeOf(declared.params), within) : undefined;
  return key !== 'with' || (shape !== undefined && textOf(shape)?.markup !== undefined);
}
