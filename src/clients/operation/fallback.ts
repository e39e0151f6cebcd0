import type { Capability } from './capability.ts';
import type { Platform } from './platform.ts';

/** Operations that a client provides if its platform lacks them. */
export interface Fallback<T> {
  readonly operations: Platform<T>['operations'];
  readonly recover?: Platform<T>['recover'];
  /** The capability of each operation, even of one that a missing provider makes unsupported. */
  readonly capabilities: Platform<T>['capabilities'];
}

/** The platform with the operations of `fallback` that it does not support. Supported and gated operations stay the platform's. */
export function withFallback<T, P extends Fallback<T>>(platform: P, fallback: Fallback<T>): P {
  const capabilities: Readonly<Record<string, Capability | undefined>> = platform.capabilities;

  function unsupportedOnly(record: object = {}): object {
    const lacks = ([name]: readonly [string, unknown]): boolean => (capabilities[name]?.support ?? 'unsupported') === 'unsupported';
    return Object.fromEntries(Object.entries(record).filter(lacks));
  }

  return {
    ...platform,
    operations: { ...platform.operations, ...unsupportedOnly(fallback.operations) },
    recover: { ...platform.recover, ...unsupportedOnly(fallback.recover) },
    capabilities: { ...platform.capabilities, ...unsupportedOnly(fallback.capabilities) },
  };
}
