import type { Resolver } from '#src/controls/offline.ts';
import { UserError } from '#src/errors.ts';
import type { ShownDelivery } from '#src/queries/records.ts';
import { stepName } from '#src/rules/step-name.ts';
import { oneLine } from './format.ts';

/** The number of characters that a list shows of an id. */
const SHOWN_ID_LENGTH = 8;
const SHORTEST_ID = 4;
const LONGEST_TEXT = 200;

/** Finds the delivery whose id begins with the typed text. `list`: how to list the possible ones. */
export async function findDelivery(
  typed: string,
  { resolver, list }: { readonly resolver: Pick<Resolver, 'named'>; readonly list: string },
): Promise<ShownDelivery> {
  const name = withoutHyphen(typed);
  if (name.length < SHORTEST_ID) throw new UserError(`the id ${name} is too short: enter at least ${SHORTEST_ID} characters`);
  const found = await resolver.named(name);
  const [first] = found;
  if (!first) throw new UserError(`there is no delivery ${name}\n  ${list}`);
  if (found.length === 1) return first;
  throw new UserError(
    `several ids begin with ${name}: enter more characters\n  Ids: ${found.map(({ id }) => withoutHyphen(id)).join(', ')}`,
  );
}

/** The name of a delivery, for example `live-card, card, Ada → #live: discord.send through discord`. */
export function nameOf({ rule, position, postedBy, item, channel, do: verb, account }: ShownDelivery): string {
  const step = postedBy === undefined ? `${rule}, ${stepName(position)}` : `post by ${postedBy}`;
  const what = `${step}${item === undefined ? '' : `, ${item}`}${channel === undefined ? '' : ` → #${channel}`}`;
  return oneLine(`${what}: ${verb} through ${account}`);
}

/** The text of a delivery, which the operator looks for on the platform. */
export function textOf({ params = {} }: ShownDelivery): string | undefined {
  const { text, content, embed } = params;
  const title = typeof embed === 'object' && embed !== null && 'title' in embed ? embed['title'] : undefined;
  const found = [text, content, title].find((one) => typeof one === 'string' && one.trim() !== '');
  if (typeof found !== 'string') return undefined;
  const line = oneLine(found).trim();
  return line.length > LONGEST_TEXT ? `${line.slice(0, LONGEST_TEXT).toWellFormed()}…` : line;
}

/** The first characters of an id. */
export function shortId(id: string): string {
  return withoutHyphen(id).slice(0, SHOWN_ID_LENGTH);
}

/** Removes leading hyphens, because commander reads them as an option. */
function withoutHyphen(id: string): string {
  return id.replace(/^-+/u, '');
}
