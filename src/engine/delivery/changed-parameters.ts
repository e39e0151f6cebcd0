import { isJsonList, isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import { withoutParts, type Omission } from '#src/clients/operation/part.ts';
import type { Delivery } from './delivery.ts';

/** Parameters that the record of a write also has, in a form that is equal if they have the same meaning. */
const COMPARED: Readonly<Record<string, (value: string) => string>> = {
  visibility: (value) => value,
  language: (value) => value.toLowerCase().split('-')[0] ?? '',
};

/** The parameters that a platform changed: it shows the record with other values, and the message is sent without them. */
export function changedParameters(
  { account, params = {}, omitted }: Pick<Delivery, 'account' | 'params' | 'omitted'>,
  result: Json | undefined,
): readonly Omission[] {
  if (!isJsonObject(result)) return [];
  const changed = Object.entries(COMPARED).flatMap(([parameter, formOf]) => {
    const [asked, shown] = [params[parameter], result[parameter]];
    if (typeof asked !== 'string' || typeof shown !== 'string' || formOf(asked) === formOf(shown)) return [];
    return [{ parameter, message: `${account} shows it with the ${parameter} "${shown}"` }];
  });
  return [...changed, ...lostDescriptions(account, withoutParts(params, omitted), result)];
}

/** The descriptions of videos that the platform does not show. */
function lostDescriptions(account: string, { files }: JsonObject, { media }: JsonObject): readonly Omission[] {
  if (!isJsonList(files) || !isJsonList(media) || files.length !== media.length) return [];
  return files.flatMap((file, index) => {
    const shown = media[index];
    const isLost = isJsonObject(file) && file['altText'] && isJsonObject(shown) && shown['kind'] === 'video' && !shown['altText'];
    return isLost ? [{ parameter: 'altText', index, message: `${account} shows the video without its alternative text` }] : [];
  });
}
