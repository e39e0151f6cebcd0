import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { fileURLToPath } from 'node:url';
import { pino, type Logger } from 'pino';

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

/** Creates a function that replaces secrets in a text, also their URL, JSON and Base64 forms. */
export function withoutSecrets(secrets: readonly string[]): (text: string) => string {
  const forms = secrets
    .filter((secret) => secret.length >= 4)
    .flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), Buffer.from(secret).toString('base64')])
    .toSorted((a, b) => b.length - a.length);
  return (text) => forms.reduce((cleaned, form) => cleaned.replaceAll(form, '[secret]'), text);
}

/**
 * Control characters, line and paragraph separators, and direction marks. A terminal obeys them, so untrusted text could hide or forge the
 * text around it.
 */
const UNSEEN = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu;
const STYLE_OR_UNSEEN = /\p{Cc}\[\d{1,2}m|[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu;

/** The terminal styles that Fanfare prints. */
const STYLES: ReadonlySet<string> = new Set([0, 1, 2, 22, 31, 32, 33, 36, 39].map((code) => `\u001B[${code}m`));

/** Writes control characters as escapes, for example `\u009b`. */
function visible(text: string): string {
  return text.replace(UNSEEN, escaped);
}

/** Prepares lines for a terminal: control characters become escapes, except line breaks, tabs and, with `color`, Fanfare's styles. */
export function visibleLines(text: string, { color }: { readonly color: boolean }): string {
  return text.replace(STYLE_OR_UNSEEN, (found) => {
    if (color && STYLES.has(found)) return found;
    const first = found.charAt(0);
    return first === '\n' || first === '\t' ? found : escaped(first) + found.slice(1);
  });
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

const POSITION = /(file:\/\/[^\s()]+\.js):(\d+):(\d+)/gu;

/** The number of positions that are kept. Reading a source map takes much longer than anything else about an error. */
const KEPT = 1000;
const known = new Map<string, string>();

/** Replaces positions in a build by the positions in the sources. Without a build, the text stays the same. */
export function withSourcePositions(text: string): string {
  return text.replace(POSITION, (position: string, file: string, line: string, column: string) => {
    const found = known.get(position) ?? sourceOf(file, { line: Number(line), column: Number(column) }) ?? position;
    if (known.size < KEPT) known.set(position, found);
    return found;
  });
}

function sourceOf(file: string, position: { readonly line: number; readonly column: number }): string | undefined {
  try {
    // The build writes the file, or it is absent.
    const map = new SourceMap(JSON.parse(readFileSync(fileURLToPath(`${file}.map`), 'utf8')) as SourceMapPayload);
    const origin = map.findOrigin(position.line, position.column);
    return 'fileName' in origin ? `${new URL(origin.fileName, file).href}:${origin.lineNumber}:${origin.columnNumber}` : undefined;
  } catch {
    return undefined;
  }
}
