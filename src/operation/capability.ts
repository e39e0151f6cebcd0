import { UnsupportedOperation, UnsupportedParameter, type UnsupportedReason } from '#src/errors.ts';

/** What a platform makes of one operation or parameter. */
type Support =
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

/** What a platform makes of one operation. A parameter that is not named is as the operation is. */
export type Capability = Support & { readonly parameters?: Readonly<Record<string, Support>> };

/** Refuses, before any request, what the table says the platform cannot do. */
export function assertSupported(
  capability: Capability,
  { platform, operation, params }: { readonly platform: string; readonly operation: string; readonly params: object },
): void {
  if (capability.support === 'unsupported') throw new UnsupportedOperation({ platform, operation, ...capability });
  for (const [parameter, support] of Object.entries(capability.parameters ?? {})) {
    const given = parameter in params && params[parameter as never] !== undefined; // `in` has just said so
    if (given && support.support === 'unsupported') throw new UnsupportedParameter({ platform, operation, parameter, ...support });
  }
}
