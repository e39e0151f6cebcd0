import { closestName } from '#src/clients/operation/closest-name.ts';
import { shapeAt, type Shape } from '#src/rules/shape/shape.ts';
import { callArguments, calledName, certain, fieldAccess, knownTypeOf, type Node } from './language/tree.ts';

/** The shapes of the names in scope. */
export type Shapes = (name: string) => Shape | undefined;

/** The values that a part can have. */
export interface Domain {
  /** Whether the part can have this value. */
  has(value: number | string | boolean): boolean;
  /** The hint for another value. */
  hintOf(value: number | string | boolean): string | undefined;
  /** Whether it is a text whose letters have one case. */
  readonly isCase?: boolean;
  /** Of numbers. `most` undefined: there is no greatest one. */
  readonly range?: { readonly least: number; readonly most: number | undefined; readonly text: string };
}

const CALENDAR: Readonly<Record<string, readonly [least: number, most: number, hint?: string]>> = {
  getMonth: [0, 11, 'the months are 0 to 11: December is 11'],
  getDate: [1, 31],
  getDayOfMonth: [0, 30, 'the first day is 0; getDate counts from 1'],
  getDayOfWeek: [0, 6, 'the days are 0 to 6: Sunday is 0'],
  getDayOfYear: [0, 365, 'the first day is 0'],
  getHours: [0, 23, 'midnight is 0'],
  getMinutes: [0, 59],
  getSeconds: [0, 59],
  getMilliseconds: [0, 999],
};

/** The values that a part can have; undefined: all values of its type. */
export function domainOf(part: Node, shapes: Shapes): Domain | undefined {
  const name = calledName(part);
  const [receiver] = callArguments(part);
  if (name === undefined || !receiver) return shapeDomain(shapeIn(part, shapes));
  if (name === 'lowerAscii') return caseDomain(/\p{CWL}/u, (text) => text.toLowerCase());
  if (name === 'upperAscii') return caseDomain(/\p{CWU}/u, (text) => text.toUpperCase());
  if (name === 'trim') return domainOf(receiver, shapes);
  if (name === 'size') return rangeDomain(0, undefined);
  const [least, most, hint] = (Object.hasOwn(CALENDAR, name) && CALENDAR[name]) || [];
  // A length has a total of hours and minutes.
  const isInstant = certain(knownTypeOf(receiver))?.name === 'google.protobuf.Timestamp';
  return least === undefined || !isInstant ? undefined : rangeDomain(least, most, hint);
}

/** The values that an element of a list can have; undefined: all values of its type. */
export function elementDomainOf(list: Node, shapes: Shapes): Domain | undefined {
  const element = calledName(list) === 'map' ? callArguments(list).at(-1) : undefined;
  if (element) return calledName(element)?.endsWith('Ascii') === true ? domainOf(element, () => undefined) : undefined;
  const shape = shapeIn(list, shapes);
  return shape?.kind === 'list' ? shapeDomain(shape.of) : undefined;
}

/** The shape of a name or a field. */
export function shapeIn(node: Node, shapes: Shapes): Shape | undefined {
  const access = fieldAccess(node);
  if (!access) return node.op === 'id' ? shapes(String(node.args)) : undefined;
  const of = shapeIn(access.of, shapes);
  return of && shapeAt(of, [access.field]);
}

function shapeDomain(shape: Shape | undefined): Domain | undefined {
  if (shape?.kind !== 'text') return undefined;
  if (shape.isLowerCase === true) return codeDomain();
  if (shape.isHandle === true) return handleDomain();
  const { choices } = shape;
  if (!choices) return undefined;
  return {
    has: (value) => typeof value !== 'string' || choices.includes(value),
    hintOf(value) {
      const meant = closestName(String(value), choices);
      return meant === undefined ? `available: ${choices.join(', ')}` : `did you mean ${meant}?`;
    },
  };
}

function caseDomain(other: RegExp, convert: (text: string) => string): Domain {
  return {
    isCase: true,
    has: (value) => typeof value !== 'string' || !other.test(value),
    hintOf: (value) => `write "${convert(String(value))}"`,
  };
}

/** The codes of languages by the names that people write in place of them. */
const LANGUAGE_CODES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    chinese: 'zh',
    czech: 'cs',
    deutsch: 'de',
    dutch: 'nl',
    english: 'en',
    español: 'es',
    français: 'fr',
    french: 'fr',
    german: 'de',
    italian: 'it',
    italiano: 'it',
    japanese: 'ja',
    korean: 'ko',
    polish: 'pl',
    portuguese: 'pt',
    português: 'pt',
    russian: 'ru',
    spanish: 'es',
    swedish: 'sv',
    turkish: 'tr',
  }),
);

/** The codes of languages and the names of platforms, which have no capitals. */
function codeDomain(): Domain {
  const lowerCase = caseDomain(/\p{Lu}/u, (text) => LANGUAGE_CODES.get(text.toLowerCase()) ?? text.toLowerCase());
  return { ...lowerCase, has: (value) => lowerCase.has(value) && !LANGUAGE_CODES.has(String(value)) };
}

/** An old channel of YouTube has its id in place of a handle. */
const CHANNEL_ID = /^UC[\w-]{22}$/u;

/** The names of channels, which have no capitals. */
function handleDomain(): Domain {
  const lowerCase = caseDomain(/\p{Lu}/u, (text) => text.toLowerCase());
  return { ...lowerCase, has: (value) => lowerCase.has(value) || CHANNEL_ID.test(String(value)) };
}

function rangeDomain(least: number, most: number | undefined, hint?: string): Domain {
  return {
    has: (value) => typeof value !== 'number' || (value >= least && value <= (most ?? value)),
    hintOf: () => hint,
    range: { least, most, text: most === undefined ? `at least ${least}` : `${least} to ${most}` },
  };
}
