import { UnsupportedOperation, UnsupportedParameter, ValidationError, type UnsupportedReason } from '#src/errors.ts';
import type { TextLimit } from './text/limit.ts';

/** What a platform makes of one operation or parameter. */
export type Support =
  | {
      /** `native`: one endpoint does it; `composed`: made from several calls or from local state. */
      readonly support: 'native' | 'composed';
      readonly detail?: string;
    }
  | {
      /** `gated`: there, but not on every plan or server. */
      readonly support: 'gated' | 'unsupported';
      readonly reason: UnsupportedReason;
      readonly detail?: string;
      readonly alternatives?: readonly string[];
    };

/** What a platform makes of one parameter. A value that is not named is as the parameter is. */
type ParameterSupport = Support & {
  readonly values?: Readonly<Record<string, Support>>;
  /** How long its text may be, or each of its texts. */
  readonly limit?: ParameterLimit;
  /** What cannot be given beside it. */
  readonly excludes?: readonly string[];
};

export interface ParameterLimit extends TextLimit {
  /** It is the usual one, and servers have their own: theirs holds. */
  readonly varies?: boolean;
}

/** What a platform makes of one operation. A parameter that is not named is as the operation is; what is inside one is named as `poll.options`. */
export type Capability = Support & {
  readonly parameters?: Readonly<Record<string, ParameterSupport>>;
  /** The requests that it may take, as `GET /streams`, below the address of the API. */
  readonly endpoints?: readonly string[];
};

/** Refuses, before any request, what the table says the platform cannot do. */
export function assertSupported(
  capability: Capability,
  { platform, operation, params }: { readonly platform: string; readonly operation: string; readonly params: object },
): void {
  if (capability.support === 'unsupported') throw new UnsupportedOperation({ platform, operation, ...capability });
  for (const [parameter, support] of Object.entries(capability.parameters ?? {})) {
    const given = givenAt(params, parameter);
    if (!isAsked(given)) continue;
    if (support.support === 'unsupported') throw new UnsupportedParameter({ platform, operation, parameter, ...support });
    const other = support.excludes?.find((one) => isAsked(givenAt(params, one)));
    if (other !== undefined) {
      throw new UnsupportedParameter({
        platform,
        operation,
        parameter: other,
        reason: 'NO_FEATURE',
        detail: `None beside a ${parameter}.`,
      });
    }
    if (support.limit && !support.limit.varies) assertShort(given, support.limit, { platform, at: [operation, parameter] });
    if (typeof given !== 'string') continue;
    const ofValue = support.values?.[given];
    if (ofValue?.support === 'unsupported') throw new UnsupportedParameter({ platform, operation, parameter, value: given, ...ofValue });
  }
}

/** What is given for a parameter, or inside of one, as for `poll.options`. */
export function givenAt(params: object, name: string): unknown {
  let at: unknown = params;
  for (const part of name.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return undefined;
    at = at[part as never]; // it has it of its own
  }
  return at;
}

/** Whether anything is wanted there: what is off or empty was not asked for. */
export function isAsked(given: unknown): boolean {
  return given !== undefined && given !== false && given !== '' && !(Array.isArray(given) && given.length === 0);
}

function assertShort(
  given: unknown,
  { most, lengthOf }: TextLimit,
  { platform, at: [operation, parameter] }: { readonly platform: string; readonly at: readonly [operation: string, parameter: string] },
): void {
  for (const [index, text] of [given].flat().entries()) {
    if (typeof text !== 'string' || lengthOf(text) <= most) continue;
    const path = Array.isArray(given) ? `${parameter}.${index}` : parameter;
    throw new ValidationError(`${operation}: ${path}: ${platform} takes at most ${most} characters, this has ${lengthOf(text)}`, { path });
  }
}

/** Why, what to know, and what to do instead, in one line; empty where there is nothing to say. */
export function remarkOf(support: Support): string {
  const { detail = '' } = support;
  if (!('reason' in support)) return detail;
  const instead = support.alternatives ? `Instead: ${support.alternatives.join(', ')}.` : '';
  return [`${support.reason}${detail || instead ? ':' : ''}`, detail, instead].filter((part) => part !== '').join(' ');
}
