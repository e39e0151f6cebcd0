import type { Fault, UnsupportedReason } from '#src/errors.ts';
import { code, page, table } from './markdown.ts';

const ERRORS = {
  ValidationError: 'An argument is invalid; `path` names it. Thrown before any request.',
  UnsupportedOperation: 'The platform does not support the operation; see `reason` and `alternatives`. Thrown before any request.',
  UnsupportedParameter: 'The platform does not support this parameter or value. Thrown before any request.',
  CursorError: 'The cursor belongs to another call, account or arguments. Thrown before any request.',
  PlatformError:
    'The request failed. `fault` is the reason, `explanation` the text of the platform about it, `retryAt` the time of the next attempt, and `cursor` the start of the failed page.',
};

const FAULTS: Readonly<Record<Fault, string>> = {
  unreachable: 'The request was not sent. A repeat is safe.',
  unanswered: 'The request was sent; its outcome is unknown.',
  unavailable: 'The platform is temporarily unavailable.',
  rateLimited: 'There were too many requests; see `retryAt`.',
  quotaExhausted: 'The quota of the account is used up.',
  unauthorized: 'The credentials are invalid or expired.',
  forbidden: 'The account has no permission.',
  missing: 'The record does not exist, or the account cannot see it.',
  rejected: 'The platform rejects the input.',
  duplicate: 'The record already exists.',
  malformed: 'The response is invalid.',
};

const REASONS: Readonly<Record<UnsupportedReason, string>> = {
  NO_ENDPOINT: 'The platform has the feature, but no API for it.',
  NO_FEATURE: 'The platform does not have the feature.',
  TIER_REQUIRED: 'The plan of the account does not include it.',
  SERVER_DISABLED: 'The server has turned it off.',
  PROVIDER_MISSING: 'It needs a provider that is not configured.',
};

/** The page of the errors of calls. */
export function errorsPage(): string {
  return page(
    { title: 'Errors', order: 92 },
    'Every error that a call of `Bot` or `SocialAsync` can throw, and what it means.',
    rowsOf('error', ERRORS),
    '## Faults',
    'The `fault` of a `PlatformError`:',
    rowsOf('fault', FAULTS),
    '## Unsupported operations',
    'The `reason` of unsupported and gated operations:',
    rowsOf('reason', REASONS),
  );
}

function rowsOf(head: string, meanings: Readonly<Record<string, string>>): string {
  return table(
    [head, 'meaning'],
    Object.entries(meanings).map(([name, meaning]) => [code(name), meaning]),
  );
}
