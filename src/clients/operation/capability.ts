import { UnsupportedOperation, UnsupportedParameter, ValidationError, type UnsupportedReason } from '#src/errors.ts';
import type { TextLimit } from './text/limit.ts';

/** How a platform supports an operation or a parameter. */
export type Support =
  | {
      /** `native`: one endpoint does it. `composed`: several calls or local state do it. */
      readonly support: 'native' | 'composed';
      readonly detail?: string;
    }
  | {
      /** `gated`: only some plans or servers have it. */
      readonly support: 'gated' | 'unsupported';
      readonly reason: UnsupportedReason;
      readonly detail?: string;
      readonly alternatives?: readonly string[];
    };

/** How a platform supports one parameter. Values that are not listed are supported as the parameter is. */
type ParameterSupport = Support & {
  readonly values?: Readonly<Record<string, Support>>;
  /** The limit of its text, or of each of its texts. */
  readonly limit?: TextLimit;
  /** Whether only people who can read the record that it names can read what the write creates. */
  readonly keepsAudience?: true;
  /** Parameters that exclude this one. */
  readonly excludes?: readonly string[];
  /** The extensions of files that exclude other files. The adapter checks the content. */
  readonly alone?: readonly string[];
};

/**
 * How a platform supports one operation. Parameters that are not listed are supported as the operation is. Nested ones are named as
 * `poll.options`.
 */
export type Capability = Support & {
  readonly parameters?: Readonly<Record<string, ParameterSupport>>;
  /** The requests that it may send, for example `GET /streams`, relative to the API. */
  readonly endpoints?: readonly string[];
};

/** Whether only people who can read a post of the platform can read a reply to it. */
export function repliesKeepAudience(capabilities: Readonly<Record<string, Capability | undefined>>): boolean {
  return capabilities['createPost']?.parameters?.['replyTo']?.keepsAudience === true;
}

/** Throws, before any request, for an operation or a parameter that the platform does not support. */
export function assertSupported(
  capability: Capability,
  { platform, operation, params }: { readonly platform: string; readonly operation: string; readonly params: object },
): void {
  if (capability.support === 'unsupported') throw new UnsupportedOperation({ platform, operation, ...capability });
  for (const [parameter, support] of Object.entries(capability.parameters ?? {})) {
    const value = valueAt(params, parameter);
    if (!isSet(value)) continue;
    if (support.support === 'unsupported') throw new UnsupportedParameter({ platform, operation, parameter, ...support });
    const other = support.excludes?.find((one) => isSet(valueAt(params, one)));
    if (other !== undefined) {
      throw new UnsupportedParameter({
        platform,
        operation,
        parameter: other,
        reason: 'NO_FEATURE',
        detail: `Not together with ${parameter}.`,
        alternatives: [`${operation} without ${other}`],
      });
    }
    if (support.limit && !support.limit.varies) assertShort(value, support.limit, { platform, at: [operation, parameter] });
    if (typeof value !== 'string') continue;
    const ofValue = support.values?.[value];
    if (ofValue?.support === 'unsupported') throw new UnsupportedParameter({ platform, operation, parameter, value: value, ...ofValue });
  }
}

/** The value of a parameter, which may be nested, for example `poll.options`. */
export function valueAt(params: object, name: string): unknown {
  let at: unknown = params;
  for (const part of name.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return undefined;
    at = at[part as never]; // `Object.hasOwn` checked it
  }
  return at;
}

/** Whether a value asks for something: `false` and empty values do not. */
export function isSet(value: unknown): boolean {
  return value !== undefined && value !== false && value !== '' && !(Array.isArray(value) && value.length === 0);
}

function assertShort(
  value: unknown,
  { most, lengthOf }: TextLimit,
  { platform, at: [operation, parameter] }: { readonly platform: string; readonly at: readonly [operation: string, parameter: string] },
): void {
  for (const [index, text] of [value].flat().entries()) {
    if (typeof text !== 'string' || lengthOf(text) <= most) continue;
    const path = Array.isArray(value) ? `${parameter}.${index}` : parameter;
    throw new ValidationError(
      `${operation}: ${path}: ${platform} accepts at most ${most} characters, and this text has ${lengthOf(text)}`,
      { path },
    );
  }
}

/** The reason, the detail and the alternatives in one line; empty if there are none. */
export function remarkOf(support: Support): string {
  const { detail = '' } = support;
  if (!('reason' in support)) return detail;
  const instead = support.alternatives ? `Instead: ${support.alternatives.join(', ')}.` : '';
  return [`${support.reason}${detail || instead ? ':' : ''}`, detail, instead].filter((part) => part !== '').join(' ');
}
