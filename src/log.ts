import { pino, type Logger } from 'pino';
import { withoutSecrets } from '#src/redact.ts';
import { withSourcePositions } from '#src/source-positions.ts';
import { visible } from '#src/visible.ts';

/** A structured log: a fixed message and its fields. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  child(fields: object): Log;
  /** Removes `values` from every later line of this log, its parents and its children. Of each `owner`, the newest values count. */
  conceal(owner: string, values: readonly string[]): void;
}

type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';

export interface LogOptions {
  readonly level: LogLevel;
  /** Values that no line may contain. */
  readonly secrets: readonly string[];
  /** Receives each line with its line break. */
  readonly write: (line: string) => void;
  readonly color: boolean;
}

/** The number of concealed values per owner. Older tokens no longer work. */
const CONCEALED = 16;

/** Creates a log with readable lines: time, level, message, fields. */
export function createLog({ level, secrets, write, color }: LogOptions): Log {
  let clean = withoutSecrets(secrets);
  const concealed = new Map<string, readonly string[]>();

  function conceal(owner: string, values: readonly string[]): void {
    const known = concealed.get(owner) ?? [];
    const added = values.filter((value) => !known.includes(value));
    if (added.length === 0) return;
    concealed.set(owner, [...known, ...added].slice(-CONCEALED));
    clean = withoutSecrets([...secrets, ...[...concealed.values()].flat()]);
  }

  const serializers = { error: describeError };
  return toLog(pino({ level, base: null, serializers }, { write: (json) => write(toLine(json, { clean, color })) }), conceal);
}

function toLog(logger: Logger, conceal: Log['conceal']): Log {
  return {
    debug: (fields, message) => logger.debug(fields, message),
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    error: (fields, message) => logger.error(fields, message),
    child: (fields) => toLog(logger.child(fields), conceal),
    conceal,
  };
}

/** Writes nothing. */
export const silentLog: Log = toLog(pino({ level: 'silent' }), () => undefined);

const PAINT: Readonly<Record<string, string>> = { debug: '\u001B[2m', info: '\u001B[36m', warn: '\u001B[33m', error: '\u001B[31m' };
const DIM = '\u001B[2m';
const PLAIN = '\u001B[0m';

function toLine(json: string, { clean, color }: { readonly clean: (text: string) => string; readonly color: boolean }): string {
  // Each text is cleaned alone, because quoting in the line could hide a secret with a quote.
  const cleaned: unknown = JSON.parse(json, (_key, value: unknown) => (typeof value === 'string' ? clean(value) : value));
  const { level, time, msg, ...fields } = cleaned as { level: number; time: number; msg: string }; // pino's own line
  const name = pino.levels.labels[level] ?? 'info';
  const at = new Date(time).toISOString();
  const about = Object.entries(fields)
    .map(([key, value]) => `${key}=${typeof value === 'string' && isPlain(value) ? value : visible(JSON.stringify(value))}`)
    .join(' ');
  const line = color
    ? `${DIM}${at.slice(11, 19)}${PLAIN} ${PAINT[name] ?? ''}${name.padEnd(5)}${PLAIN} ${visible(msg)} ${DIM}${about}${PLAIN}`
    : `${at.slice(0, 19)}Z ${name.padEnd(5)} ${visible(msg)} ${about}`;
  return `${line.trimEnd()}\n`;
}

/** Whether a value needs no quotes. */
function isPlain(value: string): boolean {
  return !/[\s"=]/u.test(value) && visible(value) === value;
}

/** An error for the log, without the answers of platforms. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const known = ['PlatformError', 'ConfigError', 'UserError', 'DatabaseUnavailable'].includes(error.name);
  return known ? error.message : withSourcePositions(error.stack ?? error.message);
}
