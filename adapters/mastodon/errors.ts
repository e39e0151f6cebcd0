import { z } from 'zod';
import { type Fault, PlatformError } from '#src/errors.ts';
import { type ErrorMeaning, reworded } from '#src/http/errors.ts';
import type { RawResponse } from '#src/http/exchange.ts';
import { PLATFORM } from './wire/parts.ts';

/** The message for an account that is suspended, not confirmed or not approved. */
const ACCOUNT_REFUSED = /Your login is /u;

/** The fault of a status that has a special meaning on these servers. */
export function faultOf({ status, text }: RawResponse): Fault | ErrorMeaning | undefined {
  if (status === 403 && ACCOUNT_REFUSED.test(text)) return { fault: 'forbidden', refusesAccount: true };
  // 405: the server does not have the route. 410: the record was deleted.
  if (status === 405 || status === 410) return 'missing';
  return status === 501 ? 'rejected' : undefined;
}

/** A failed request of an account. */
interface FailedRequest {
  readonly account: string;
  readonly method?: string | undefined;
  readonly path: string;
  /** The scope that the token needs. */
  readonly scope?: string | undefined;
  readonly json?: unknown;
}

/** The records that paths name by their id. */
const NAMED = /^\/api\/v\d\/(statuses|accounts|lists|timelines\/list|conversations|media|polls|scheduled_statuses)\/([^/]+)/u;
const LABELS: ReadonlyMap<string, string> = new Map([
  ['statuses', 'post'],
  ['accounts', 'account'],
  ['lists', 'list'],
  ['timelines/list', 'list'],
  ['conversations', 'conversation'],
  ['media', 'upload'],
  ['polls', 'poll'],
  ['scheduled_statuses', 'scheduled post'],
]);
/** The paths below accounts that name no account. */
const NO_ACCOUNT = /\/accounts\/(?:lookup|search|relationships|verify_credentials|familiar_followers)$/u;
const Referring = z.object({ in_reply_to_id: z.string().optional(), quoted_status_id: z.string().optional() }).partial().catch({});

/** The records that a request needs, as errors name them. */
function recordsOf({ path, json }: FailedRequest): readonly string[] {
  const [, kind = '', id = ''] = NAMED.exec(path) ?? [];
  if (id !== '' && !NO_ACCOUNT.test(path)) return [`${LABELS.get(kind)} ${decodeURIComponent(id)}`];
  const { in_reply_to_id: replied, quoted_status_id: quoted } = Referring.parse(json ?? {});
  return [replied, quoted].flatMap((post) => (post === undefined ? [] : [`post ${post}`]));
}

/** Reads that every server offers. */
const EVERYWHERE = /^\/api\/v1\/(?:instance|accounts\/verify_credentials)$/u;

/** The error with advice for the user. */
export function explained(error: unknown, request: FailedRequest): unknown {
  if (!(error instanceof PlatformError)) return error;
  const { method = 'GET', path, scope, account } = request;
  const { fault, status, explanation } = error;

  if (fault === 'missing') {
    const notOffered = `the server does not offer ${method} ${path}`;
    if (status === 405) return reworded(error, `${PLATFORM}: ${notOffered}: its software or its version lacks this.`);
    if (EVERYWHERE.test(path)) {
      const advice = `the server of ${account} has no ${path}, which all servers with the API of Mastodon have: check its address.`;
      return reworded(error, `${PLATFORM}: ${advice}`, 'malformed');
    }
    const records = recordsOf(request);
    if (records.length === 0) return error;
    const orElse = explanation === undefined ? `, or ${notOffered}` : '';
    return reworded(error, `${PLATFORM} has no ${records.join(' or no ')}: it was deleted, or the account cannot see it${orElse}.`);
  }
  if (fault === 'unauthorized' && status !== undefined) {
    return reworded(
      error,
      `${PLATFORM}: the server rejects the token of ${account}: sign in again with \`npx fanfare auth ${account}\`, or set a new token.`,
    );
  }
  if (fault === 'forbidden') {
    const lacks =
      scope === undefined ? '' : ` If its token does not have the scope ${scope}, sign in again with \`npx fanfare auth ${account}\`.`;
    const suspended = ' If the server has suspended the account, log in there to see the reason.';
    return reworded(error, `${PLATFORM}: the server does not allow ${method} ${path} for ${account}.${lacks}${suspended}`);
  }
  return error;
}

/** The error for a record that does not exist. */
export function missing(what: string): PlatformError {
  return new PlatformError(`${PLATFORM} has no ${what}.`, { platform: PLATFORM, fault: 'missing' });
}

/** The error for a user whom the server does not show to this account. */
export function forbidden(message: string): PlatformError {
  return new PlatformError(`${PLATFORM}: ${message}`, { platform: PLATFORM, fault: 'forbidden' });
}

/** The error for a request that the server refuses, or would refuse. */
export function rejected(message: string, cause?: unknown): PlatformError {
  const text = `${PLATFORM}: ${message}`;
  if (cause instanceof PlatformError) return reworded(cause, text, 'rejected');
  return new PlatformError(text, { platform: PLATFORM, fault: 'rejected', cause });
}

/** A server that still shows the effect after this many requests does not undo it. */
const MOST = 10;

/** Calls `undo` until it resolves with false, because nothing is left to undo. */
export async function untilUndone(undo: () => Promise<boolean>, otherwise: string): Promise<true> {
  for (let count = 0; count < MOST; count++) if (!(await undo())) return true;
  throw rejected(`${otherwise}: look there, and undo it by hand.`);
}
