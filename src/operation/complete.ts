import type { Capability } from './capability.ts';
import type { Platform } from './platform.ts';

/** What a client does itself where its platform cannot. */
export interface Completion<T> {
  readonly operations: Platform<T>['operations'];
  readonly recover?: Platform<T>['recover'];
  /** A word on each operation that it is about, also where it cannot be done for want of something. */
  readonly capabilities: Platform<T>['capabilities'];
}

/** The platform with what it lacks from `own`: what it says it can do, also what is gated, stays its own. */
export function complete<T, P extends Completion<T>>(platform: P, own: Completion<T>): P {
  const capabilities: Readonly<Record<string, Capability | undefined>> = platform.capabilities;

  function lacking(record: object = {}): object {
    const lacks = ([name]: readonly [string, unknown]): boolean => (capabilities[name]?.support ?? 'unsupported') === 'unsupported';
    return Object.fromEntries(Object.entries(record).filter(lacks));
  }

  return {
    ...platform,
    operations: { ...platform.operations, ...lacking(own.operations) },
    recover: { ...platform.recover, ...lacking(own.recover) },
    capabilities: { ...platform.capabilities, ...lacking(own.capabilities) },
  };
}
