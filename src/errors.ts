/** The fault of a platform, by who can act and whether a repeat is safe. */
export type Fault =
  /** Never sent, so a repeat is safe. */
  | 'unreachable'
  /** Sent, with an unknown outcome. */
  | 'unanswered'
  | 'unavailable'
  | 'rateLimited'
  | 'quotaExhausted'
  | 'unauthorized'
  | 'forbidden'
  | 'missing'
  | 'rejected'
  | 'duplicate'
  | 'malformed';

/** An element of a list parameter of a write. */
export interface ParameterPart {
  /** The parameter, for example `files`. */
  readonly parameter: string;
  readonly index: number;
}

export interface PlatformErrorOptions {
  readonly platform: string;
  readonly fault: Fault;
  readonly status?: number | undefined;
  readonly retryAt?: Date | undefined;
  readonly cursor?: string | undefined;
  /** The record that the platform created, although it differs from the request. */
  readonly record?: unknown;
  /** See `PlatformError.refusesAccount`. Default: as the cause. */
  readonly refusesAccount?: boolean | undefined;
  /** See `PlatformError.sentNothing`. Default: as the cause. */
  readonly sentNothing?: boolean | undefined;
  readonly part?: ParameterPart | undefined;
  /** The explanation of the platform, on one line. Default: as the cause. */
  readonly explanation?: string | undefined;
  readonly cause?: unknown;
}

/** A failed request to a platform. The message contains no secret, and of the response only the explanation of the platform. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError';
  readonly platform: string;
  readonly fault: Fault;
  readonly status: number | undefined;
  /** The time of the next attempt that the platform states. */
  readonly retryAt: Date | undefined;
  /** The start of the failed page, where a walk resumes. */
  readonly cursor: string | undefined;
  /** The record that the platform created, although it differs from the request. A repeat would create another one. */
  readonly record: unknown;
  /** The optional part that is not available. Nothing was written. */
  readonly part: ParameterPart | undefined;
  /** Whether the refusal concerns every request of the account, for example because the account is suspended. */
  readonly refusesAccount: boolean;
  /** Whether Fanfare refused the request, because it knows that a limit is reached. The platform accepts it at `retryAt`. */
  readonly sentNothing: boolean;
  /** The explanation of the platform, on one line. It is foreign text. */
  readonly explanation: string | undefined;

  constructor(message: string, options: PlatformErrorOptions) {
    const { platform, fault, status, retryAt, cursor, record, part, explanation, cause, refusesAccount, sentNothing } = options;
    super(message, { cause });
    this.platform = platform;
    this.fault = fault;
    this.status = status;
    this.retryAt = retryAt;
    this.cursor = cursor;
    this.record = record;
    this.part = part;
    this.refusesAccount = refusesAccount ?? (cause instanceof PlatformError && cause.refusesAccount);
    this.sentNothing = sentNothing ?? (cause instanceof PlatformError && cause.sentNothing);
    this.explanation = explanation ?? (cause instanceof PlatformError ? cause.explanation : undefined);
  }

  /** The same error with the cursor of the failed page. */
  at(cursor: string): PlatformError {
    return this.#with({ cursor });
  }

  /** The same error with another form of its record. */
  withRecord(record: unknown): PlatformError {
    return this.#with({ record });
  }

  /** The same error for one target of the account, whose other targets accept requests. */
  ofTarget(): PlatformError {
    return this.#with({ refusesAccount: false });
  }

  #with(changed: Partial<PlatformErrorOptions>): PlatformError {
    return new PlatformError(this.message, Object.assign({ cause: this.cause }, this, changed));
  }
}

/** A write that the platform accepts later. Nothing was written. */
export class Postponed extends Error {
  override readonly name = 'Postponed';
  /** The time of the next attempt. */
  readonly until: Date;

  constructor(message: string, { until, cause }: { readonly until: Date; readonly cause?: unknown }) {
    super(message, { cause });
    this.until = until;
  }
}

/** Why a platform does not support an operation or a parameter. */
export type UnsupportedReason = 'NO_ENDPOINT' | 'NO_FEATURE' | 'TIER_REQUIRED' | 'SERVER_DISABLED' | 'PROVIDER_MISSING';

export interface UnsupportedOptions {
  readonly platform: string;
  readonly operation: string;
  readonly reason: UnsupportedReason;
  readonly detail?: string | undefined;
  readonly alternatives?: readonly string[] | undefined;
}

/** The platform does not support the operation. Thrown before any request. */
export class UnsupportedOperation extends Error {
  override readonly name = 'UnsupportedOperation';
  readonly platform: string;
  readonly operation: string;
  readonly reason: UnsupportedReason;
  readonly alternatives: readonly string[];

  constructor({ platform, operation, reason, detail, alternatives = [] }: UnsupportedOptions) {
    const instead = alternatives.length > 0 ? ` Instead: ${alternatives.join(', ')}.` : '';
    super(`${platform} has no ${operation} (${reason})${detail ? `: ${detail}` : '.'}${instead}`);
    this.platform = platform;
    this.operation = operation;
    this.reason = reason;
    this.alternatives = alternatives;
  }
}

export interface UnsupportedParameterOptions extends UnsupportedOptions {
  readonly parameter: string;
  /** The unsupported value; absent if no value is supported. */
  readonly value?: string | undefined;
}

/** The platform does not support the parameter or its value. Thrown before any request. */
export class UnsupportedParameter extends Error {
  override readonly name = 'UnsupportedParameter';
  readonly platform: string;
  readonly operation: string;
  readonly parameter: string;
  readonly value: string | undefined;
  readonly reason: UnsupportedReason;
  readonly alternatives: readonly string[];

  constructor({ platform, operation, parameter, value, reason, detail, alternatives = [] }: UnsupportedParameterOptions) {
    const what = value === undefined ? parameter : `${parameter} ${value}`;
    const instead = alternatives.length > 0 ? ` Instead: ${alternatives.join(', ')}.` : '';
    super(`${platform} takes no ${what} in ${operation} (${reason})${detail ? `: ${detail}` : '.'}${instead}`);
    this.platform = platform;
    this.operation = operation;
    this.parameter = parameter;
    this.value = value;
    this.reason = reason;
    this.alternatives = alternatives;
  }
}

/** The cursor belongs to another call. Thrown before any request. */
export class CursorError extends Error {
  override readonly name = 'CursorError';
}

/** An argument is invalid. Thrown before any request. */
export class ValidationError extends Error {
  override readonly name = 'ValidationError';
  /** The path of the argument, for example `embed.title`. */
  readonly path: string;
  /** The optional part that is not available. */
  readonly part: ParameterPart | undefined;

  constructor(
    message: string,
    { path, part, cause }: { readonly path: string; readonly part?: ParameterPart | undefined; readonly cause?: unknown },
  ) {
    super(message, { cause });
    this.path = path;
    this.part = part;
  }
}

export interface ConfigErrorOptions {
  readonly file: string;
  /** From 1. */
  readonly line?: number | undefined;
  /** From 1. */
  readonly column?: number | undefined;
  readonly hint?: string | undefined;
  /** The line of the file. */
  readonly excerpt?: string | undefined;
  /** Further mistakes. */
  readonly others?: readonly ConfigError[] | undefined;
  readonly cause?: unknown;
}

/** A mistake of the operator in a file, with its location and remedy. */
export class ConfigError extends Error {
  override readonly name: string = 'ConfigError';
  readonly file: string;
  readonly line: number | undefined;
  readonly column: number | undefined;
  readonly hint: string | undefined;
  /** The line of the file, without secrets. */
  readonly excerpt: string | undefined;
  /** Further mistakes, each with its location. */
  readonly others: readonly ConfigError[];

  constructor(message: string, { file, line, column, hint, excerpt, others = [], cause }: ConfigErrorOptions) {
    super(message, cause === undefined ? undefined : { cause });
    this.file = file;
    this.line = line;
    this.column = column;
    this.hint = hint;
    this.excerpt = excerpt;
    this.others = others;
  }

  /** The same error about another file or setting. */
  about(file: string): ConfigError {
    const { line, column, hint, excerpt, others, cause } = this;
    return new ConfigError(this.message, { file, line, column, hint, excerpt, others, cause });
  }
}

/** Whether the database does not answer, or refuses writes. The class of the error belongs to the store. */
export function isDatabaseUnavailable(error: unknown): error is Error {
  return error instanceof Error && error.name === 'DatabaseUnavailable';
}

/** Whether the state cannot be used for now: its disk is full or damaged, or its database does not answer. */
export function isOutage(error: unknown): error is Error {
  return error instanceof ConfigError || isDatabaseUnavailable(error);
}

/** A mistake that the user in Discord can fix. The message is for them. */
export class UserError extends Error {
  override readonly name = 'UserError';
}

/** The reason why an action is refused. `code` is for programs; it ends with `NotFound` if the target does not exist. */
export class Refused extends UserError {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** A part of Fanfare cannot be loaded, for example because an upgrade replaced its files. A retry after a restart succeeds. */
class ModuleUnavailable extends PlatformError {
  constructor(module: string, cause: unknown) {
    const message = `${module} cannot be loaded: its files are missing or were replaced. Restart Fanfare.`;
    super(message, { platform: 'fanfare', fault: 'unreachable', cause });
  }
}

type Load<T> = () => Promise<T>;

const wanted = new Set<Load<unknown>>();

/** A module that is loaded with its first use, because it is large. A failure is an outage and not a defect of the input. */
export function lateModule<T>(name: string, load: Load<T>): Load<T> {
  let loading: Promise<T> | undefined;
  return () =>
    (loading ??= load().catch((cause: unknown) => {
      loading = undefined;
      throw new ModuleUnavailable(name, cause);
    }));
}

/** Makes `loadLateModules` load a module. */
export function wantsLate(load: Load<unknown>): void {
  wanted.add(load);
}

/** Loads the late modules that a running process can need, before an upgrade in place removes their files. Never rejects. */
export async function loadLateModules(): Promise<void> {
  for (const load of wanted) await load().catch(() => undefined);
}

/** The code of an error, for example `ENOENT`; undefined if it has none. */
export function codeOf(thrown: unknown): string | undefined {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined;
}

/** The message of what was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
