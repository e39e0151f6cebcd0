import { isJsonObject, type JsonObject } from '#src/clients/operation/json.ts';
import { fieldsShape } from '#src/rules/expression/scopes.ts';
import type { ReceivedWebhook, RuleWebhook } from '#src/rules/rule.ts';
import { convertValue } from '#src/rules/webhook/fit-payload.ts';
import { completeRecord } from './sample-record.ts';

/** A request to a webhook at an instant, with sample values for fields that are not given. Wrong fields are reported. */
export function sampleWebhook(
  { name, fields, key }: RuleWebhook,
  payload: JsonObject,
  { atMs, reportError }: { readonly atMs: number; readonly reportError: (message: string) => void },
): ReceivedWebhook {
  const now = new Date(atMs).toISOString();
  // Senders write some numbers as texts, and so do their examples.
  const part = Object.fromEntries(
    Object.entries(payload).map(([field, value]) => {
      const known = Object.hasOwn(fields, field) ? fields[field] : undefined;
      return [field, (known && value !== undefined ? convertValue(known.type, value) : undefined) ?? value];
    }),
  );
  const completed = completeRecord(fieldsShape(fields), { part, seed: name, began: now, now, reportError });
  const item = isJsonObject(completed) ? completed : {};
  return { webhook: name, key: key?.(item) ?? `webhook-${atMs}`, item };
}
