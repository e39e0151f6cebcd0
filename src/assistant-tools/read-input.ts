import { z } from 'zod';
import type { Declared } from '#src/operation/declared.ts';
import { isJsonObject, type JsonObject } from '#src/operation/json.ts';
import { toolSchema } from './tool-schema.ts';

/** So many pages are read for one question. */
const MOST_PAGES = 3;

const Input = z.record(z.string(), z.unknown());

/** What the model gives a read, apart from the account through which it goes. */
export interface ReadInput {
  readonly account: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** The JSON Schema of what the model may give a read: what the operation takes, few pages at a time, and through which account. */
export function inputSchema(declared: Declared, accounts: readonly string[]): JsonObject {
  const { properties, ...rest } = toolSchema(declared.params);
  const { pages, waitTime: _wait, cursor: _cursor, ...kept } = isJsonObject(properties) ? properties : {};
  return {
    ...rest,
    properties: {
      ...kept,
      ...(pages !== undefined && { pages: { type: 'integer', minimum: 1, maximum: MOST_PAGES, default: 1 } }),
      ...(accounts.length > 1 && { account: { type: 'string', enum: accounts, description: `Absent: ${accounts[0]}.` } }),
    },
  };
}

/** What the model gave, within the bounds; undefined where it is no such thing. */
export function readInput(input: unknown, accounts: readonly string[]): ReadInput | undefined {
  const { success, data } = Input.safeParse(input ?? {});
  if (!success) return undefined;
  const { account = accounts[0], pages, waitTime: _wait, cursor: _cursor, ...params } = data;
  if (typeof account !== 'string' || !accounts.includes(account)) return undefined;
  // Models write null where they have nothing to say.
  const present = Object.entries(params).filter(([, value]) => value !== null);
  const some = typeof pages === 'number' ? { pages: Math.max(1, Math.min(MOST_PAGES, Math.trunc(pages))) } : {};
  return { account, params: { ...Object.fromEntries(present), ...some } };
}
