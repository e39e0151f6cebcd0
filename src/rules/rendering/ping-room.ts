import { bareRole } from '#src/clients/operation/text/bare-role.ts';
import { isJsonList, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import type { TextShape } from '#src/rules/shape/shape.ts';
import type { FitText } from './fit-text.ts';

/** The longest ping of a role whose id is unknown. */
const LONGEST_PING = `<@&${'9'.repeat(20)}>`;

/** The room that the pings of a message take in front of its text, without those that `kept` has already. */
export function pingRoom(mention: Json | undefined, kept = ''): number {
  const names = isJsonList(mention) ? [...new Set(mention.map(String))] : [];
  return roomOf(names.filter((name) => !formsOf(name).some((form) => hasPing(kept, form))));
}

/** The rendered parameters of a message whose text leaves room for its pings, so that no ping cuts its end. */
export function besidePings(
  params: JsonObject,
  mention: Json | undefined,
  { shape, fitBeside }: { readonly shape: TextShape; readonly fitBeside: (pings: number) => FitText },
): JsonObject {
  const { content } = params;
  if (typeof content !== 'string') return params;
  // A ping at the end could be cut away, and would then be added in front.
  const kept = content.slice(0, Math.max(0, (shape.max ?? Infinity) - pingRoom(mention)));
  return { ...params, content: fitBeside(pingRoom(mention, kept))(content, shape) };
}

function roomOf(names: readonly string[]): number {
  return names.reduce((room, name) => room + Math.max(...formsOf(name).map((form) => `${form} `.length)), 0);
}

/** The pings that a written name can become. */
function formsOf(written: string): readonly string[] {
  const name = /^<@!?(\d+)>$/u.exec(written)?.[1] ?? bareRole(written);
  if (name === 'everyone' || name === 'here') return [`@${name}`];
  return /^\d{15,20}$/u.test(name) ? [`<@&${name}>`, `<@${name}>`] : [LONGEST_PING];
}

/** `@everyone1` pings no one. */
function hasPing(text: string, ping: string): boolean {
  return text.split(ping).some((after, index) => index > 0 && !/^\w/u.test(after));
}
