import { expect } from 'vitest';
import type { DeliveryLog } from '#src/engine/delivery/delivery-log.ts';

/**
 * Waits until `read` returns `expected`, then for `quiet`, and expects the same result again. A poll alone passes before something more arrives, such
 * as a second message.
 */
export async function expectSettled<T>(
  read: () => T | Promise<T>,
  expected: unknown,
  quiet: () => Promise<unknown>,
  { timeout }: { readonly timeout?: number } = {},
): Promise<void> {
  await expect.poll(read, timeout === undefined ? {} : { timeout }).toEqual(expected);
  await quiet();
  expect(await read()).toEqual(expected);
}

/** Resolves when no delivery whose time has come is open, so that nothing more is sent. */
export async function untilNothingIsDue({ deliveryLog }: { readonly deliveryLog: DeliveryLog }, nowMs: number): Promise<void> {
  await expect.poll(() => deliveryLog.dueByAccount(nowMs)).toEqual([]);
}
