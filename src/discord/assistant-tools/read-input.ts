import { z } from 'zod';
import type { Declared } from '#src/clients/operation/declared.ts';
import { isJsonObject, type JsonObject } from '#src/clients/operation/json.ts';
import { toolSchema } from './tool-schema.ts';

/** The largest number of pages for one call. */
const MOST_PAGES = 3;

const Input = z.record(z.string(), z.unknown());

/** The input of a read, split into the account and the parameters of the operation. */
export interface ReadInput {
  readonly account: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** The JSON Schema of the input: the parameters of the operation, with few pages, and the account. */
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

/** Parses the input of the model and limits its pages; undefined for invalid input. */
export function readInput(input: unknown, accounts: readonly string[]): ReadInput | undefined {
  const { success, data } = Input.safeParse(input ?? {});
  if (!success) return undefined;
  const { account = accounts[0], pages, waitTime: _wait, cursor: _cursor, ...params } = data;
  if (typeof account !== 'string' || !accounts.includes(account)) return undefined;
  // Models write null for absent parameters.
  const present = Object.entries(params).filter(([, value]) => value !== null);
  const some = typeof pages === 'number' ? { pages: Math.max(1, Math.min(MOST_PAGES, Math.trunc(pages))) } : {};
  return { account, params: { ...Object.fromEntries(present), ...some } };
}
