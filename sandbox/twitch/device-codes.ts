import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import type { Journal } from '../journal.ts';
import { StoredMap } from '../stored-map.ts';

const LIFETIME_MS = 30 * 60_000;
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';

const DeviceCode = z.object({
  value: z.string(),
  userCode: z.string(),
  scopes: z.array(z.string()),
  expiresAtMs: z.number(),
  /** The user who allowed the access. */
  userId: z.string().optional(),
});
/** A sign-in by device code. */
export interface DeviceCode extends z.output<typeof DeviceCode> {}

/** The device codes that are not exchanged for tokens yet. */
export class DeviceCodes {
  readonly #clock: Clock;
  readonly #stored: StoredMap<DeviceCode>;

  constructor({ journal, clock }: { readonly journal: Journal; readonly clock: Clock }) {
    this.#clock = clock;
    this.#stored = new StoredMap({ journal, collection: 'twitch.deviceCodes', schema: DeviceCode, keyOf: ({ value }) => value });
  }

  begin(scopes: readonly string[]): DeviceCode {
    const userCode = Array.from(randomBytes(8), (byte) => LETTERS[byte % LETTERS.length] ?? 'B').join('');
    const expiresAtMs = this.#clock.nowMs() + LIFETIME_MS;
    return this.#stored.put({ value: randomBytes(20).toString('base64url'), userCode, scopes: [...scopes], expiresAtMs });
  }

  secondsLeft({ expiresAtMs }: DeviceCode): number {
    return Math.floor((expiresAtMs - this.#clock.nowMs()) / 1000);
  }

  find(value: string): DeviceCode | undefined {
    const code = this.#stored.get(value);
    return code && this.#clock.nowMs() < code.expiresAtMs ? code : undefined;
  }

  /** Allows the access for a user, with all requested scopes or some of them. Returns false for an unknown code. */
  allow(userCode: string, userId: string, scopes?: readonly string[]): boolean {
    const code = this.#stored.all().find((one) => one.userCode === userCode);
    if (!code) return false;
    this.#stored.put({ ...code, userId, scopes: [...(scopes ?? code.scopes)] });
    return true;
  }

  /** Uses a code. It is valid once. */
  take({ value }: DeviceCode): void {
    this.#stored.delete(value);
  }
}
