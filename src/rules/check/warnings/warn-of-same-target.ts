import { canonical } from '#src/operation/json.ts';
import type { Spot } from '../../document/report.ts';
import { shapeOf } from '../../shape/shape.ts';
import type { Desk } from '../desk.ts';
import { fixedText } from '../fixed-text.ts';
import type { PlacedStep } from '../place-steps.ts';
import { plainValue } from '../../document/plain-value.ts';
import { valueAt } from '../json-path.ts';

/** A message that a step writes over whatever it fires for. */
export interface Standing {
  /** The same for the same message. */
  readonly target: string;
  readonly spot: Spot;
}

/** What names the message that a step writes over: its id, or of a standing one its name. */
const NAMES = ['message', 'name'];

/** Warns of two steps of one list that write over one message: what the first says is never seen. */
export function warnOfSameTarget(placed: readonly PlacedStep[], desk: Desk): void {
  const seen = new Set<string>();
  for (const step of placed) {
    const written = writtenTarget(step, desk);
    if (!written || step.draft.forEach !== undefined) continue;
    const key = canonical([step.section, written.key, written.name, step.draft.if ?? '', step.afterMs ?? 0]);
    if (seen.has(key)) desk.report.warning(written.spot, 'a step above edits this message, too: only the last is seen');
    seen.add(key);
  }
}

/** The messages that a rule writes over which are the same for all its firings. */
export function standingOf(placed: readonly PlacedStep[], desk: Desk): readonly Standing[] {
  return placed.flatMap((step) => {
    const written = writtenTarget(step, desk);
    const name = written && fixedText(written.name, desk);
    if (!written || name === undefined) return [];
    return step.accounts.map((account) => ({ target: canonical([account, written.key, name]), spot: written.spot }));
  });
}

interface WrittenTarget {
  readonly key: string;
  /** As it is written. */
  readonly name: string;
  readonly spot: Spot;
}

/** The message that a step writes over; undefined where it makes its own. */
function writtenTarget({ declared, path }: PlacedStep, desk: Desk): WrittenTarget | undefined {
  if (declared?.kind !== 'write' || declared.effect !== 'sets') return undefined;
  const shape = shapeOf(declared.params);
  if (shape.kind !== 'record' || !shape.fields.has('content')) return undefined;
  const key = NAMES.find((one) => shape.fields.has(one));
  if (key === undefined) return undefined;
  const name = valueAt(plainValue(desk.document, [...path, 'with'], shape), [key]);
  return typeof name === 'string' ? { key, name, spot: desk.document.spot([...path, 'with', key]) } : undefined;
}
