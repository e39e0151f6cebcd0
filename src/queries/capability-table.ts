import type { Capability } from '#src/operation/capability.ts';
import type { Declared } from '#src/operation/declared.ts';

/** The support of one adapter for every operation of its client. */
export interface CapabilityTable {
  /** For example `twitch`. */
  readonly adapter: string;
  /** The client, for example `streaming`. */
  readonly client: string;
  readonly rows: readonly CapabilityRow[];
}

export interface CapabilityRow {
  readonly operation: Declared;
  readonly capability: Capability;
}
