import { UnsupportedOperation, UnsupportedParameter, type UnsupportedReason } from '#src/errors.ts';

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
type ParameterSupport = Support & { readonly values?: Readonly<Record<string, Support>> };

/** What a platform makes of one operation. A parameter that is not named is as the operation is. */
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
    const given: unknown = parameter in params ? params[parameter as never] : undefined; // `in` has just said so
    // What is off or empty was not asked for.
    if (given === undefined || given === false || given === '') continue;
    if (support.support === 'unsupported') throw new UnsupportedParameter({ platform, operation, parameter, ...support });
    if (typeof given !== 'string') continue;
    const ofValue = support.values?.[given];
    if (ofValue?.support === 'unsupported') throw new UnsupportedParameter({ platform, operation, parameter, value: given, ...ofValue });
  }
}

/** Why, what to know, and what to do instead, in one line; empty where there is nothing to say. */
export function remarkOf(support: Support): string {
  const { detail = '' } = support;
  if (!('reason' in support)) return detail;
  const instead = support.alternatives ? `Instead: ${support.alternatives.join(', ')}.` : '';
  return [`${support.reason}${detail || instead ? ':' : ''}`, detail, instead].filter((part) => part !== '').join(' ');
}
