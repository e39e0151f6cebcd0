import type { DeliveryLookup } from '#src/admin/queries/offline.ts';
import type { ShownDelivery } from '#src/admin/queries/records.ts';
import { firstUnits } from '#src/clients/operation/text/characters.ts';
import { isRead } from '#src/engine/delivery/is-read.ts';
import { stepName } from '#src/rules/step-name.ts';
import { oneLine } from './format.ts';
import { Refusal } from './refusal.ts';

/** The number of characters that a list shows of an id. */
const SHOWN_ID_LENGTH = 8;
const SHORTEST_ID = 4;
const LONGEST_TEXT = 200;

/** Finds the delivery whose id begins with the typed text. `list`: how to list the possible ones. */
export async function findDelivery(
  typed: string,
  { lookup, list }: { readonly lookup: Pick<DeliveryLookup, 'named'>; readonly list: string },
): Promise<ShownDelivery> {
  const name = withoutHyphen(typed);
  if (name.length < SHORTEST_ID)
    throw new Refusal(`the id ${name} is too short: enter at least ${SHORTEST_ID} characters`, { code: 'idTooShort' });
  const found = await lookup.named(name);
  const [first] = found;
  if (!first) throw new Refusal(`there is no delivery ${name}`, { code: 'deliveryNotFound', hint: list });
  if (found.length === 1) return first;
  throw new Refusal(`several ids begin with ${name}: enter more characters`, {
    code: 'ambiguousId',
    hint: `Ids: ${found.map(({ id }) => withoutHyphen(id)).join(', ')}`,
  });
}

/** The name of a delivery, for example `live-card, card, Ada → #live: discord.send through discord`. */
export function nameOf({ rule, position, postedBy, item, channel, do: verb, account }: ShownDelivery): string {
  const step = postedBy === undefined ? `${rule}, ${stepName(position)}` : `post by ${postedBy}`;
  const what = `${step}${item === undefined ? '' : `, ${item.name}`}${channel === undefined ? '' : ` → #${channel}`}`;
  return oneLine(`${what}: ${verb} through ${account}`);
}

/** The state of a delivery. A step that only reads is not sent. */
export function stateWord({ do: verb, state }: Pick<ShownDelivery, 'do' | 'state'>): string {
  return state === 'sent' && isRead(verb) ? 'read' : state;
}

/** The text of a delivery, which the operator looks for on the platform. */
export function textOf({ params = {} }: ShownDelivery): string | undefined {
  const { text, content, embed } = params;
  const title = typeof embed === 'object' && embed !== null && 'title' in embed ? embed['title'] : undefined;
  const found = [text, content, title].find((one) => typeof one === 'string' && one.trim() !== '');
  if (typeof found !== 'string') return undefined;
  const line = oneLine(found).trim();
  return line.length > LONGEST_TEXT ? `${firstUnits(line, LONGEST_TEXT)}…` : line;
}

/** The first characters of an id. */
export function shortId(id: string): string {
  return withoutHyphen(id).slice(0, SHOWN_ID_LENGTH);
}

/** Removes leading hyphens, because commander reads them as an option. */
function withoutHyphen(id: string): string {
  return id.replace(/^-+/u, '');
}
