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
  const fitTo = (pings: number): string => fitBeside(pings)(content, shape);
  const whole = fitTo(pingRoom(mention, content));
  return { ...params, content: whole === content ? whole : cutBesidePings(fitTo, mention) };
}

/** A cut can remove a ping of the text, which Discord's message then has in front. */
function cutBesidePings(fitTo: (pings: number) => string, mention: Json | undefined): string {
  const short = fitTo(pingRoom(mention));
  const room = pingRoom(mention, short);
  const long = fitTo(room);
  return pingRoom(mention, long) <= room ? long : short;
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
