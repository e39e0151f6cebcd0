import { isJsonList, isJsonObject, type Json } from '#src/operation/json.ts';
import type { Path } from '../document/report.ts';
import { isTemplate } from '../grammar/template.ts';
import type { Desk } from './desk.ts';

const MOST_LEVELS = 6;
/** Each map that differs becomes a type of its own. */
const MOST_MAPS = 2_000;

/** A constant, with nothing in place of what cannot be one. */
export function checkConstant(value: Json | undefined, path: Path, { document, report }: Desk): Json {
  let maps = 0;

  function refused(at: Path, message: string, hint?: string): null {
    report.error(document.spot(at), message, hint);
    return null;
  }

  function checked(one: Json | undefined, at: Path): Json {
    if (one === null || one === undefined) return refused(at, 'there is nothing here', 'write "" for empty text');
    if (typeof one === 'string' && isTemplate(one)) {
      return refused(at, `nothing is worked out in ${path[0]}: this is a constant`, 'write the expression where it is used');
    }
    if (typeof one !== 'object') return one;
    if (at.length - path.length > MOST_LEVELS) return refused(at, 'lists and maps stand inside each other too often');
    if (isJsonList(one)) return one.map((element, index) => checked(element, [...at, index]));
    if (!isJsonObject(one)) return null;
    if (++maps > MOST_MAPS) return maps === MOST_MAPS + 1 ? refused(path, `there are more than ${MOST_MAPS} maps in this`) : null;
    const fields = Object.entries(one).map(([name, field]) => {
      if (name !== 'constructor' && name !== '__proto__') return [name, checked(field, [...at, name])] as const;
      report.error(document.keySpot(at, name), `no expression could read ${name}`);
      return [name, null] as const;
    });
    return Object.fromEntries(fields.filter(([name]) => name !== 'constructor' && name !== '__proto__'));
  }

  return checked(value, path);
}
