import type { Catalogue } from '#src/operation/catalogue.ts';
import type { Path } from '../document/report.ts';
import { itemShape } from '../expression/item-shape.ts';
import type { ChangeDraft, WhenDraft } from '../grammar/rule-file.ts';
import type { WatchedChange } from '../rule.ts';
import { keysOf, shapeAt, type Shape } from '../shape/shape.ts';
import { closestName } from '../wording/closest-name.ts';
import type { Desk } from './desk.ts';

const PATH: Path = ['when', 'changes'];

type Crossing = NonNullable<Exclude<ChangeDraft, string>['rose']> & NonNullable<Exclude<ChangeDraft, string>['fell']>;

/** Which changes of the list fire. */
export function checkChanges({ changes, watch = '' }: WhenDraft, desk: Desk): readonly WatchedChange[] {
  const item = shapeOfItem(watch, desk.catalogue);
  const written = (changes ?? ['entered']).map((change, index) =>
    change === null ? [] : checkChange(change, { path: [...PATH, index], item }, desk),
  );
  // A copy has no room to grow, of which a list that was put together has much.
  const found = written.flat().slice();
  for (const [index, { kind }] of found.entries()) {
    const isPlain = kind === 'entered' || kind === 'left';
    if (isPlain && found.findIndex((one) => one.kind === kind) < index)
      desk.report.error(desk.document.spot(PATH), `${kind} stands here twice`);
  }
  return found;
}

interface ChangePlace {
  readonly path: Path;
  readonly item: Shape;
}

/** An item as changes see it: with its place. */
function shapeOfItem(verb: string, catalogue: Catalogue): Shape {
  const shape = itemShape(catalogue.get(verb));
  if (shape.kind !== 'record') return shape;
  return { kind: 'record', fields: new Map([...shape.fields, ['rank', { shape: { kind: 'whole' }, optional: false }]]) };
}

function checkChange(change: ChangeDraft, place: ChangePlace, desk: Desk): readonly WatchedChange[] {
  const { document, report } = desk;
  if (change === 'moved') return [{ kind: 'moved' }];
  if (typeof change === 'string') return [{ kind: change }];
  const { moved, changed, rose, fell } = change;
  const written = ['moved', 'changed', 'rose', 'fell'].filter((kind) => document.nodeAt([...place.path, kind]) !== undefined);
  if (written.length > 1 || (written.length === 0 && !report.hasErrors)) {
    report.error(document.spot(place.path), 'one change is wanted here: moved, changed, rose or fell', 'write each as a line of its own');
  }
  if (moved !== undefined) return [{ kind: 'moved', direction: moved }];
  if (changed !== undefined) {
    const fields = changed.filter((field) => field !== null);
    for (const [index, field] of fields.entries()) checkField(field, { ...place, path: [...place.path, 'changed', index] }, desk);
    return [{ kind: 'changed', fields: [...new Set(fields)] }];
  }
  if (rose !== undefined) return crossing('rose', rose, place, desk);
  return fell === undefined ? [] : crossing('fell', fell, place, desk);
}

function crossing(kind: 'rose' | 'fell', drawn: Partial<Crossing>, place: ChangePlace, desk: Desk): readonly WatchedChange[] {
  const { document, report } = desk;
  const path = [...place.path, kind];
  const { field, above, below, rearm } = drawn;
  const lines = numbersOf(kind === 'rose' ? above : below);
  if (field === undefined || lines.length === 0) return [];
  const shape = checkField(field, { ...place, path: [...path, 'field'] }, desk);
  if (shape && !['whole', 'number', 'anything'].includes(shape.kind)) {
    report.error(document.spot([...path, 'field']), `${field} is no number`, 'only a number rises and falls: use changed');
  }
  const arms = numbersOf(rearm);
  if (arms.length > 1 && arms.length !== lines.length) {
    report.error(
      document.spot([...path, 'rearm']),
      `there are ${lines.length} lines and ${arms.length} places to arm them again`,
      'write one number, or one for each line',
    );
  }
  return [
    {
      kind,
      field,
      lines: lines.map((at, index) => ({ at, rearm: checkArm(at, arms[arms.length > 1 ? index : 0], { kind, path }, desk) })),
    },
  ];
}

/** Where a line is armed again: on the side that the number comes from. */
function checkArm(
  at: number,
  rearm: number | undefined,
  { kind, path }: { readonly kind: 'rose' | 'fell'; readonly path: Path },
  { document, report }: Desk,
): number {
  if (rearm === undefined) return at;
  if (kind === 'rose' ? rearm > at : rearm < at) {
    const [past, cure] = kind === 'rose' ? ['above', 'at or below'] : ['below', 'at or above'];
    report.error(
      document.spot([...path, 'rearm']),
      `${rearm} is ${past} the line ${at}: it would never be armed again`,
      `write a number ${cure} ${at}`,
    );
  }
  return rearm;
}

function checkField(field: string, { path, item }: ChangePlace, { document, report }: Desk): Shape | undefined {
  const parts = field.split('.');
  const found = shapeAt(item, parts);
  if (found) return found;
  const above = parts.slice(0, -1);
  const known = keysOf(shapeAt(item, above)).map((name) => [...above, name].join('.'));
  const meant = closestName(field, known);
  report.error(
    document.spot(path),
    `an item has no ${field}`,
    meant === undefined ? `it has ${keysOf(item).join(', ')}` : `did you mean ${meant}?`,
  );
  return undefined;
}

function numbersOf(numbers: number | readonly (number | null)[] | undefined): readonly number[] {
  return [numbers ?? []].flat().filter((one) => one !== null);
}
