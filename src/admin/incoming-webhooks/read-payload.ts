import { isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';

/** The fields of forms in which senders put their payload as JSON: Ko-fi and GitHub. */
const JSON_FIELDS = ['data', 'payload'] as const;

/** Reads the payload of a request: JSON, or a form with texts or with one field of JSON. Undefined: it is neither. */
export function readPayload(body: Uint8Array, contentType: string | undefined): JsonObject | undefined {
  const text = decode(body);
  if (text === undefined) return undefined;
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/iu.test(contentType ?? '')) return objectOf(text);
  const fields = [...new URLSearchParams(text)];
  const [first, ...rest] = fields;
  if (first && rest.length === 0 && JSON_FIELDS.some((name) => name === first[0])) {
    const payload = objectOf(first[1]);
    if (payload) return payload;
  }
  return Object.fromEntries(fields);
}

function decode(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    // The bytes are not UTF-8.
    return undefined;
  }
}

function objectOf(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as Json; // JSON.parse returns only JSON
    return isJsonObject(value) ? value : undefined;
  } catch {
    // The text is not JSON.
    return undefined;
  }
}
