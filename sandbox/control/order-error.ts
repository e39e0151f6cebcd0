import { closestName } from '#src/clients/operation/closest-name.ts';

/** An invalid order: a 400 of the control API. The message names the field, the value and the allowed values. */
export class OrderError extends Error {
  override readonly name = 'OrderError';
}

interface UnknownName {
  /** The field, such as `user`. */
  readonly field: string;
  /** What the field names, such as `streamer`. */
  readonly noun: string;
  readonly name: unknown;
  /** The part of the sandbox without this name, such as `of /live`. */
  readonly where?: string | undefined;
  readonly known: readonly string[];
  /** Replaces the list of the allowed names, if there are too many of them. */
  readonly hint?: string | undefined;
}

/** An error about a name that does not exist. */
export function unknownName(mistake: UnknownName): OrderError {
  return new OrderError(formatUnknownName(mistake));
}

export function formatUnknownName({ field, noun, name, where, known, hint }: UnknownName): string {
  const meant = typeof name === 'string' ? closestName(name, known) : undefined;
  return [
    `${field}: unknown ${noun} ${shown(name)}${where === undefined ? '' : ` ${where}`}.`,
    ...(meant === undefined ? [] : [`Did you mean ${shown(meant)}?`]),
    hint ?? `Allowed: ${known.join(', ') || 'none'}.`,
  ].join(' ');
}

const MOST_CHARACTERS = 60;

/** A value in a message. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  if (typeof value === 'string' && text.length > MOST_CHARACTERS) return `a text of ${value.length} characters`;
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
}
