import type { DeclaredWrite } from '#src/clients/operation/declared.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import { isNamed, type StepResults } from '#src/rules/results.ts';
import { isSameOrigin, originsIn, type Origin } from './origin.ts';

/** The replies of an account. */
export interface ReplyFacts {
  /** Absent: unknown, for example for the records of a test. */
  readonly platform?: string | undefined;
  /** Whether only people who can read a post can read a reply to it. */
  readonly keepAudience: boolean;
}

interface WideningOptions {
  /** The restricted records that the write is made from. */
  readonly origins: readonly Origin[];
  readonly params: JsonObject;
  readonly results: StepResults;
  /** Absent: unknown, because the account is not connected. */
  readonly replies?: ReplyFacts | undefined;
}

/**
 * The first restricted record of a write that more people could read than before.
 *
 * A copy stays in its audience only beside its record: as a reply to it or a change of it, or as a message to the people who know it.
 * Followers of another account are other people.
 */
export function wideningOf({ name, publishes }: DeclaredWrite, options: WideningOptions): Origin | undefined {
  const { origins, params } = options;
  switch (publishes) {
    case undefined:
      return undefined;
    case 'everyone':
      return origins[0];
    case 'list':
      return params['isPrivate'] === true ? undefined : origins[0];
    case 'message':
      return origins.find((origin) => !isAddressed(origin, options));
    case 'post': {
      const kept = keptWith(name, options);
      return origins.find((origin) => !kept.some((one) => isSameOrigin(one, origin)));
    }
  }
}

function isAddressed({ platform, people = [], group }: Origin, { params, replies }: WideningOptions): boolean {
  const { user, inGroup } = params;
  if (!isOn(platform, replies) || typeof user !== 'string') return false;
  return inGroup === true ? user === group : people.includes(user.replace(/^@/u, ''));
}

/** The restricted records whose audience the reply or the edited post keeps. */
function keptWith(operation: string, { origins, params, results, replies }: WideningOptions): readonly Origin[] {
  const isEdit = operation === 'editPost';
  if (!isEdit && replies?.keepAudience === false) return [];
  const anchor = isEdit ? params['post'] : params['replyTo'];
  if (typeof anchor !== 'string') return [];
  const direct = origins.filter(({ id, url, platform }) => isOn(platform, replies) && (id === anchor || url === anchor));
  const earlier = Object.values(results).flatMap((its) =>
    its.filter(({ result, keepsAudience }) => keepsAudience === true && isNamed(result, anchor)),
  );
  return [...direct, ...earlier.flatMap(({ result, origins: before = [] }) => [...originsIn(result), ...before])];
}

function isOn(platform: string | undefined, replies: ReplyFacts | undefined): boolean {
  return replies?.platform === undefined || platform === replies.platform;
}

/** The parameters with addresses that Fanfare requests itself: of feeds and files. Whoever serves an address reads it. */
const REQUESTED = ['url', 'file', 'files'] as const;

interface ComposedOptions {
  /** The parameters as the rule has them. */
  readonly written: JsonObject;
  /** The values that expressions read. */
  readonly inputs: Readonly<Record<string, Json | undefined>>;
}

/** Whether Fanfare would request an address that neither the rule nor a record has in this form. It can contain text of a record. */
export function composesAddress(params: JsonObject, { written, inputs }: ComposedOptions): boolean {
  return REQUESTED.flatMap((name) => addressesIn(params[name])).some((address) => !has(written, address) && !has({ ...inputs }, address));
}

function addressesIn(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return /^https?:/iu.test(value) ? [value] : [];
  if (isJsonList(value)) return value.flatMap(addressesIn);
  return isJsonObject(value) ? Object.values(value).flatMap(addressesIn) : [];
}

function has(value: Json | Readonly<Record<string, Json | undefined>> | undefined, text: string): boolean {
  if (typeof value !== 'object' || value === null) return value === text;
  return Object.values(value).some((part) => has(part, text));
}
