import { isJsonObject } from '#src/operation/json.ts';
import { itemShape } from '#src/rules/shape/operation-shapes.ts';
import type { Item } from '#src/rules/poll.ts';
import type { Watched } from '#src/rules/rule.ts';
import { shapeOf } from '#src/rules/shape/shape.ts';
import { completeRecord } from '#src/rules/testing/world/sample-record.ts';
import { catalogue } from '#src/catalogue.ts';

/** A sample item for an empty list; undefined: the operation does not declare its items. */
export function sampleItem({ verb, accounts }: Pick<Watched, 'verb' | 'accounts'>, slotMs: number): Item | undefined {
  const declared = catalogue.get(verb);
  const now = new Date(slotMs).toISOString();
  const shape = declared?.kind === 'list' ? shapeOf(declared.item) : itemShape(declared);
  const made = completeRecord(shape, { seed: 'somebody', began: now, now, reportError: () => undefined });
  const [account] = accounts;
  if (!isJsonObject(made)) return undefined;
  return accounts.length > 1 && account !== undefined ? { ...made, account } : made;
}
