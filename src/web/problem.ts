import type { GoneRule } from '#src/admin/queries/gone-rules.ts';
import type { RuleView } from '#src/admin/queries/records.ts';
import { brokenFileOf } from '#src/admin/queries/rule-view.ts';
import type { DeliveryState } from '#src/engine/delivery/delivery.ts';
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { RoleMissing } from '#src/admin/actions/audited.ts';
import { RulesHaveErrors } from '#src/admin/actions/version-actions.ts';
import { codeOf, CursorError, isDatabaseUnavailable, PlatformError, Refused, UserError } from '#src/errors.ts';

/** The titles of problems are those of their status. */
const TITLES = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const;

type ProblemStatus = keyof typeof TITLES;

/** Why a request failed, in the words of RFC 9457. `code` is for programs, `detail` for people. */
export interface ProblemDetails {
  readonly status: ProblemStatus;
  readonly code: string;
  readonly detail: string;
  /** The wrong query parameter. */
  readonly parameter?: string | undefined;
  /** The wrong fields of the body, as JSON Pointers. */
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[] | undefined;
  /** The state of a delivery, which excludes the action. */
  readonly state?: DeliveryState | undefined;
  /** The person who excluded the action. */
  readonly by?: string | undefined;
  /** When the rule was deleted or renamed, if that is known. */
  readonly goneAt?: Date | undefined;
  /** When the rule that is gone ran last. */
  readonly lastRunAt?: Date | undefined;
}

/** A request of the API that fails. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly details: ProblemDetails;
  readonly headers: Readonly<Record<string, string>>;

  constructor(details: ProblemDetails, headers: Readonly<Record<string, string>> = {}) {
    super(details.detail);
    this.details = details;
    this.headers = headers;
  }
}

/** Throws the problem that there is no rule with an id. `gone`: the deleted rule with this id. */
export function noRule(rule: string, { broken }: { readonly broken: () => readonly RuleView[] }, gone?: GoneRule): never {
  const { goneAt, lastRunAt } = gone ?? {};
  const file = brokenFileOf(rule, broken());
  if (file) {
    const errors = shownErrors(file.diagnostics.filter(({ severity }) => severity === 'error'));
    const detail = `The file of the rule ${rule} has errors, so the rule does not run.`;
    throw new Problem({ status: 404, code: 'ruleFileHasErrors', detail, errors, goneAt, lastRunAt });
  }
  const details = { status: 404, code: 'ruleNotFound', goneAt, lastRunAt } as const;
  if (!lastRunAt) throw new Problem({ ...details, detail: `There is no rule ${rule}.` });
  const since = goneAt ? `was deleted or renamed at ${goneAt.toISOString()}` : 'is no longer loaded';
  const history = `/api/decisions?rule=${encodeURIComponent(rule)}`;
  throw new Problem({
    ...details,
    detail: `The rule ${rule} ${since}. It last ran at ${lastRunAt.toISOString()}. Its decisions are at ${history}.`,
  });
}

/** Throws the problem that there is no delivery with an id. */
export function noDelivery(delivery: string): never {
  throw new Problem({ status: 404, code: 'deliveryNotFound', detail: `There is no delivery ${delivery}.` });
}

/** Whether programs use a path, so that its problems are JSON and not a page. */
export function isForPrograms({ req }: Context): boolean {
  return /^\/(?:api\/|discord\/|hooks\/|metrics$)/u.test(req.path);
}

/** The body of an answer with a problem. */
export function bodyOf({ status, ...rest }: ProblemDetails): string {
  return JSON.stringify({ type: 'about:blank', title: TITLES[status], status, ...rest });
}

export function answerProblem(c: Context, { details, headers }: Problem): Response {
  return c.body(bodyOf(details), details.status, { 'Content-Type': 'application/problem+json', ...headers });
}

/** The problem of an error that the caller may see; undefined: only the log may have its message. */
export function problemOf(error: Error): Problem | undefined {
  if (error instanceof Problem) return error;
  if (error instanceof CursorError)
    return new Problem({ status: 400, code: 'invalidParameter', detail: error.message, parameter: 'cursor' });
  if (error instanceof HTTPException) return problemOfException(error);
  if (error instanceof RoleMissing) return new Problem({ status: 403, code: 'roleMissing', detail: error.message });
  if (error instanceof RulesHaveErrors) return problemOfRules(error);
  if (error instanceof Refused) return new Problem({ status: statusOf(error), code: error.code, detail: error.message });
  if (error instanceof UserError) return new Problem({ status: 409, code: 'refused', detail: error.message });
  if (error instanceof PlatformError && REFUSALS.has(error.fault))
    return new Problem({ status: 409, code: 'platformRefused', detail: error.message });
  if (error instanceof PlatformError) return new Problem({ status: 503, code: 'platformUnavailable', detail: error.message });
  if (error.name === 'AbortError') return new Problem({ status: 503, code: 'shuttingDown', detail: 'Fanfare is shutting down.' });
  if (isUnfinished(error)) return new Problem({ status: 408, code: 'timeout', detail: 'The request ended early, or took too long.' });
  return isDatabaseUnavailable(error) ? databaseLost() : undefined;
}

/** The problem while the database does not answer, or accepts no writes. */
export function databaseLost(): Problem {
  return new Problem({
    status: 503,
    code: 'databaseUnavailable',
    detail: 'The database does not answer, or accepts no writes. See /readyz.',
  });
}

/** The problem that the API answered with. */
export function problemOfAnswer({
  status,
  code,
  detail,
  parameter,
}: {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly parameter?: string | undefined;
}): Problem {
  return new Problem({ status: isKnownStatus(status) ? status : 500, code, detail, parameter });
}

function isKnownStatus(status: number): status is ProblemStatus {
  return status in TITLES;
}

function statusOf({ code }: Refused): 404 | 409 | 412 {
  if (code === 'changed') return 412;
  return code.endsWith('NotFound') ? 404 : 409;
}

/** The platform answered, and a repeat of the request would be refused again. */
const REFUSALS: ReadonlySet<PlatformError['fault']> = new Set(['unauthorized', 'forbidden', 'rejected']);

/** The errors of rule files. */
function problemOfRules({ code, message, errors }: RulesHaveErrors): Problem {
  return new Problem({ status: 409, code, detail: message, errors: shownErrors(errors) });
}

function shownErrors(errors: RulesHaveErrors['errors']): NonNullable<ProblemDetails['errors']> {
  return errors.map(({ file, line, column, path, message: detail }) => ({
    pointer: '/files',
    detail: `${file}:${line}:${column} ${path === '' ? '' : `${path}: `}${detail}`,
  }));
}

const CODES: ReadonlyMap<number, Pick<ProblemDetails, 'status' | 'code'>> = new Map([
  [401, { status: 401, code: 'unauthenticated' }],
  [403, { status: 403, code: 'forbidden' }],
  [413, { status: 413, code: 'tooLarge' }],
  [415, { status: 415, code: 'unsupportedMediaType' }],
]);

/** The problem of a refusal by the sign-in, or by the parser of bodies. */
function problemOfException({ status, message, res }: HTTPException): Problem | undefined {
  if (status === 400) return new Problem({ status, code: 'invalidBody', detail: 'The body is not JSON.' });
  const known = CODES.get(status);
  return known && new Problem({ ...known, detail: message }, Object.fromEntries(res?.headers ?? []));
}

/** Whether the connection was closed before the whole request came. */
function isUnfinished(error: Error): boolean {
  return error.message === 'aborted' && codeOf(error) === 'ECONNRESET';
}
