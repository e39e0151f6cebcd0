/** What went wrong with a platform, by who can act and whether a repeat is safe. */
export type Fault =
  /** Never sent: a repeat is safe. */
  | 'unreachable'
  /** Sent, and nobody knows what became of it. */
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

/** One element of a list among the parameters of a write. */
export interface ParameterPart {
  /** As `files`. */
  readonly parameter: string;
  readonly index: number;
}

export interface PlatformErrorOptions {
  readonly platform: string;
  readonly fault: Fault;
  readonly status?: number | undefined;
  readonly retryAt?: Date | undefined;
  readonly cursor?: string | undefined;
  /** The record that the platform made although it is not what was asked for. */
  readonly record?: unknown;
  readonly part?: ParameterPart | undefined;
  readonly cause?: unknown;
}

/** A platform did not do what it was asked. The message never holds a body or a secret. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError';
  readonly platform: string;
  readonly fault: Fault;
  readonly status: number | undefined;
  /** The platform's own word on when to come back. */
  readonly retryAt: Date | undefined;
  /** Where a walk resumes: at the page that failed. */
  readonly cursor: string | undefined;
  /** The record that the platform made although it is not what was asked for; a repeat would make another one. */
  readonly record: unknown;
  /** The part of a write that cannot be had, and that the write can do without; nothing was written. */
  readonly part: ParameterPart | undefined;

  constructor(message: string, { platform, fault, status, retryAt, cursor, record, part, cause }: PlatformErrorOptions) {
    super(message, { cause });
    this.platform = platform;
    this.fault = fault;
    this.status = status;
    this.retryAt = retryAt;
    this.cursor = cursor;
    this.record = record;
    this.part = part;
  }

  /** The same error, with the place where the walk resumes. */
  at(cursor: string): PlatformError {
    return new PlatformError(this.message, { ...this.#options(), cursor });
  }

  /** The same error, with another form of its record. */
  withRecord(record: unknown): PlatformError {
    return new PlatformError(this.message, { ...this.#options(), record });
  }

  #options(): PlatformErrorOptions {
    const { platform, fault, status, retryAt, cursor, record, part, cause } = this;
    return { platform, fault, status, retryAt, cursor, record, part, cause };
  }
}

/** A write that its platform takes later: nothing was written, and nothing is wrong. */
export class Postponed extends Error {
  override readonly name = 'Postponed';
  /** When it is worth another try. */
  readonly until: Date;

  constructor(message: string, { until, cause }: { readonly until: Date; readonly cause?: unknown }) {
    super(message, { cause });
    this.until = until;
  }
}

/** Why a platform cannot do something. */
export type UnsupportedReason = 'NO_ENDPOINT' | 'NO_FEATURE' | 'TIER_REQUIRED' | 'SERVER_DISABLED' | 'PROVIDER_MISSING';

export interface UnsupportedOptions {
  readonly platform: string;
  readonly operation: string;
  readonly reason: UnsupportedReason;
  readonly detail?: string | undefined;
  readonly alternatives?: readonly string[] | undefined;
}

/** The platform has no such operation. Raised before any request. */
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
  /** Where it is this value alone that the platform does not take. */
  readonly value?: string | undefined;
}

/** The platform has the operation, but not with this parameter, or not with this value of it. Raised before any request. */
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

/** A cursor that this call did not make. Raised before any request. */
export class CursorError extends Error {
  override readonly name = 'CursorError';
}

/** An argument that the operation does not take. Raised before any request. */
export class ValidationError extends Error {
  override readonly name = 'ValidationError';
  /** The argument's place, as `embed.title`. */
  readonly path: string;
  /** As of a `PlatformError`. */
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
  /** What else is wrong. */
  readonly others?: readonly ConfigError[] | undefined;
}

/** Something the operator wrote cannot be used; says where, and what would cure it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly file: string;
  readonly line: number | undefined;
  readonly column: number | undefined;
  readonly hint: string | undefined;
  /** What else is wrong, each at its own place. */
  readonly others: readonly ConfigError[];

  constructor(message: string, { file, line, column, hint, others = [] }: ConfigErrorOptions) {
    super(message);
    this.file = file;
    this.line = line;
    this.column = column;
    this.hint = hint;
    this.others = others;
  }
}

/** Something that the person who asked in Discord can put right; its message is for them. */
export class UserError extends Error {
  override readonly name = 'UserError';
}
