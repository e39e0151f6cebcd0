/** The instants in the run of a slot, in milliseconds since 1970. */
export interface SlotTimes {
  /** The tick that found the slot due. */
  readonly beganMs: number;
  /** The poll is complete. */
  readonly polledMs: number;
  /** The effects are known. */
  readonly evaluatedMs: number;
  readonly committedMs: number;
  /** The hints that brought the slot forward. Absent: it is a slot of the schedule. */
  readonly hint?: SlotHint | undefined;
}

/** The hints that brought a slot forward. */
export interface SlotHint {
  /** The accounts whose platforms notified. */
  readonly accounts: readonly string[];
}
