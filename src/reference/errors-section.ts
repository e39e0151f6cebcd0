import type { Fault, UnsupportedReason } from '#src/errors.ts';
import { code, paragraphs, table } from './markdown.ts';

const ERRORS = {
  ValidationError: 'An argument that the operation does not take; `path` says which. Before any request.',
  UnsupportedOperation: 'The platform has no such operation; `reason` says why, `alternatives` what to do instead. Before any request.',
  UnsupportedParameter: 'The platform has the operation, but not with this parameter or value. Before any request.',
  CursorError: 'A cursor that this call, on this account and with these arguments, did not give. Before any request.',
  PlatformError:
    'The platform did not do what it was asked; `fault` says what went wrong, `retryAt` when to come back, `cursor` where a walk resumes.',
};

const FAULTS: Readonly<Record<Fault, string>> = {
  unreachable: 'Never sent: a repeat is safe.',
  unanswered: 'Sent, and nobody knows what became of it.',
  unavailable: 'The platform is out of order for the moment.',
  rateLimited: 'Asked too often; `retryAt` says when to come back.',
  quotaExhausted: 'What the account may ask is used up.',
  unauthorized: 'The credentials open nothing, or nothing any more.',
  forbidden: 'The account is not allowed to do it.',
  missing: 'There is no such thing, or the account does not see it.',
  rejected: 'The platform does not take what was given.',
  duplicate: 'The platform says that it has this already.',
  malformed: 'The answer cannot be read.',
};

const REASONS: Readonly<Record<UnsupportedReason, string>> = {
  NO_ENDPOINT: 'The platform has it, its API does not.',
  NO_FEATURE: 'The platform has no such thing.',
  TIER_REQUIRED: 'Not on this plan.',
  SERVER_DISABLED: 'Switched off on this server.',
  PROVIDER_MISSING: 'Done by a provider that was not given.',
};

/** What calls fail with, and what can be done about it. */
export function errorsSection(): string {
  return paragraphs(
    '## Errors',
    rowsOf('error', ERRORS),
    'The `fault` of a `PlatformError`:',
    rowsOf('fault', FAULTS),
    'The `reason` of what is unsupported or gated:',
    rowsOf('reason', REASONS),
  );
}

function rowsOf(head: string, meanings: Readonly<Record<string, string>>): string {
  return table(
    [head, 'meaning'],
    Object.entries(meanings).map(([name, meaning]) => [code(name), meaning]),
  );
}
