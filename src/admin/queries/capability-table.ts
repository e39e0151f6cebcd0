import type { Capability } from '#src/clients/operation/capability.ts';
import type { Declared } from '#src/clients/operation/declared.ts';

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
