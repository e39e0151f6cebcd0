import { isJsonList, isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import { fieldsShape } from '#src/rules/expression/scopes.ts';
import type { ReceivedWebhook, RuleWebhook } from '#src/rules/rule.ts';
import type { WebhookFields, WebhookType } from '#src/rules/step.ts';
import { convertValue, expectedValue } from '#src/rules/webhook/fit-payload.ts';
import { completeRecord } from './sample-record.ts';

/** A request to a webhook at an instant, with sample values for fields that are not given. Wrong fields are reported. */
export function sampleWebhook(
  { name, fields, key }: RuleWebhook,
  payload: JsonObject,
  { atMs, reportError }: { readonly atMs: number; readonly reportError: (message: string) => void },
): ReceivedWebhook {
  const now = new Date(atMs).toISOString();
  const part = convertFields(fields, payload, { path: '', reportError });
  const completed = completeRecord(fieldsShape(fields), { part, seed: name, began: now, now, reportError });
  const item = isJsonObject(completed) ? completed : {};
  return { webhook: name, key: key?.(item) ?? `webhook-${atMs}`, item };
}

interface ConvertOptions {
  /** The path of the value in the payload. */
  readonly path: string;
  readonly reportError: (message: string) => void;
}

/** Converts and refuses values as the endpoint does: senders write some numbers as texts. Missing fields get sample values. */
function convertFields(fields: WebhookFields, payload: JsonObject, { path, reportError }: ConvertOptions): JsonObject {
  return Object.fromEntries(
    Object.entries(payload).map(([field, value]) => {
      const known = Object.hasOwn(fields, field) ? fields[field] : undefined;
      const at = path === '' ? field : `${path}.${field}`;
      return [field, known && value !== undefined && value !== null ? convert(known.type, value, { path: at, reportError }) : value];
    }),
  );
}

function convert(type: WebhookType, value: Json, options: ConvertOptions): Json | undefined {
  if (typeof type === 'string') {
    const converted = convertValue(type, value);
    if (converted === undefined) options.reportError(`${options.path}: the value is not ${expectedValue(type)}`);
    return converted;
  }
  // The sample record reports values of another kind.
  if ('fields' in type) return isJsonObject(value) ? convertFields(type.fields, value, options) : value;
  if (!isJsonList(value)) return value;
  return value.flatMap((one, index) => convert(type.list, one ?? null, { ...options, path: `${options.path}[${index}]` }) ?? []);
}
