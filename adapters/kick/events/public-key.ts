import { createPublicKey, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import type { HttpClient } from '#src/http/client.ts';
import { coalesce } from '#src/http/coalesce.ts';

const KEPT_MS = 24 * 3_600_000;
/** Anyone can send a wrong signature, so a wrong one asks for the key only this often. */
const ASK_AGAIN_MS = 10 * 60_000;

/** The pause after a failure, so that wrong requests cause few others. */
const FAILED_MS = 30_000;

const Answer = z.object({ data: z.object({ public_key: z.string().min(1).max(10_000) }) });

/** The key with which Kick signs events. */
export interface PublicKey {
  current(): Promise<KeyObject>;
  /** The key after a change; undefined: Kick was asked a short time ago, or has the same one. */
  changed(): Promise<KeyObject | undefined>;
}

/** Reads the key when it is needed. Throws a `PlatformError` if Kick does not answer. */
export function publicKey({ api, clock }: { readonly api: HttpClient; readonly clock: Pick<Clock, 'nowMs'> }): PublicKey {
  let known: { readonly key: KeyObject; readonly atMs: number } | undefined;
  let failed: { readonly error: unknown; readonly atMs: number } | undefined;
  const isWithin = (atMs: number | undefined, ageMs: number): boolean => atMs !== undefined && Math.abs(clock.nowMs() - atMs) < ageMs;

  const read = coalesce(async (signal: AbortSignal): Promise<KeyObject> => {
    if (failed && isWithin(failed.atMs, known ? ASK_AGAIN_MS : FAILED_MS)) throw failed.error;
    try {
      const response = await api.request({ path: '/public/v1/public-key', signal });
      const key = toKey(response.json(Answer).data.public_key);
      known = { key, atMs: clock.nowMs() };
      failed = undefined;
      return key;
    } catch (error) {
      failed = { error, atMs: clock.nowMs() };
      throw error;
    }
  });

  return {
    async current() {
      if (!known || isWithin(known.atMs, KEPT_MS)) return known?.key ?? read();
      const { key } = known;
      // An older key is better than none: Kick seldom changes it.
      return read().catch(() => key);
    },
    async changed() {
      if (isWithin(known?.atMs, ASK_AGAIN_MS)) return undefined;
      const before = known?.key;
      const key = await read().catch(() => undefined);
      return key && before?.equals(key) ? undefined : key;
    },
  };
}

function toKey(text: string): KeyObject {
  try {
    return createPublicKey(text);
  } catch (cause) {
    throw new PlatformError('kick states a key that cannot be read', { platform: 'kick', fault: 'malformed', cause });
  }
}
