import { isJsonObject, type Json } from '#src/clients/operation/json.ts';
import type { Omission } from '#src/clients/operation/part.ts';
import type { Delivery } from './delivery.ts';

/** Parameters that the record of a write also has, in a form that is equal if they have the same meaning. */
const COMPARED: Readonly<Record<string, (value: string) => string>> = {
  visibility: (value) => value,
  language: (value) => value.toLowerCase().split('-')[0] ?? '',
};

/** The parameters that a platform changed: it shows the record with other values, and the message is sent without them. */
export function changedParameters(
  { account, params = {} }: Pick<Delivery, 'account' | 'params'>,
  result: Json | undefined,
): readonly Omission[] {
  if (!isJsonObject(result)) return [];
  return Object.entries(COMPARED).flatMap(([parameter, formOf]) => {
    const [asked, shown] = [params[parameter], result[parameter]];
    if (typeof asked !== 'string' || typeof shown !== 'string' || formOf(asked) === formOf(shown)) return [];
    return [{ parameter, message: `${account} shows it with the ${parameter} "${shown}"` }];
  });
}
