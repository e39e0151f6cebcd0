const SHIFT_MS = 60_000;

/** Whether a replayed message comes at least a minute earlier or later than the actual one, so that people see both times. */
export function isShifted(at: Date, actualAt: Date): boolean {
  return Math.abs(actualAt.getTime() - at.getTime()) >= SHIFT_MS;
}
