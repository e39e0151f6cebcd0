/** How long an answer is kept for repeats of its request. */
export const REPEATED_WITHIN_MS = 24 * 60 * 60_000;
/** How often the process of a running request renews its claim. */
export const RENEWED_EVERY_MS = 5000;
/** After this time without a renewal, the process of a request is taken to have ended. */
export const CLAIM_EXPIRES_MS = 30_000;

/** Names a request that its sender may repeat. */
export interface RequestKey {
  /** The person or the token that sent it. */
  readonly actor: string;
  /** The key that the sender chose. */
  readonly key: string;
}

export interface KeptAnswer {
  readonly status: number;
  readonly body: string;
}

/** A request with a key. */
export interface KnownRequest {
  /** A hash of what was requested. */
  readonly fingerprint: string;
  /** Absent while the request runs. */
  readonly answer?: KeptAnswer | undefined;
}

/** The requests of the last 24 hours that may be repeated, with their answers. All processes share them. */
export interface RepeatedRequests {
  /** Claims a key for a new request; the request that has the key, if there is one. */
  claim(request: RequestKey & Pick<KnownRequest, 'fingerprint'>): Promise<KnownRequest | undefined>;
  /** Shows that a claimed request still runs. */
  renew(request: RequestKey): Promise<void>;
  /** Keeps the answer to a claimed request. */
  answer(request: RequestKey, answer: KeptAnswer): Promise<void>;
  /** Which of these keys have an answer. */
  answered(actor: string, keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** Forgets a claimed request without an answer, so that a repeat runs. */
  release(request: RequestKey): Promise<void>;
  /** Forgets a request with its answer. */
  forget(request: RequestKey): Promise<void>;
}
