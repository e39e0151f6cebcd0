import { followTopics, type FollowTopicsOptions } from './follow-topics.ts';

export interface KeepTopicsOptions extends Omit<FollowTopicsOptions, 'secret'> {
  readonly secret: () => Promise<string>;
  /** The watched names of each topic. The first one is its key. */
  readonly wanted: () => Promise<ReadonlyMap<string, readonly string[]>>;
  /** What rules watch. Some names may have no topic. */
  readonly names: {
    current(): Promise<{ readonly size: number }>;
    /** Resolves when the watched names may have changed, and after some minutes at the latest. */
    changed(signal: AbortSignal): Promise<void>;
  };
  readonly onStatus: (status: {
    readonly state: 'connected';
    readonly subscriptions: number;
    readonly onlyPolled: number;
    readonly problem?: string | undefined;
  }) => void;
  readonly signal: AbortSignal;
}

/** Keeps subscriptions to what rules watch, while rules watch anything. */
export async function keepTopics({ secret, wanted, names, onStatus, signal, ...options }: KeepTopicsOptions): Promise<void> {
  const follow = followTopics({ ...options, secret: await secret() });
  for (;;) {
    const topics = await wanted();
    const { active, failed, problem } = await follow(topics, signal);
    onStatus({ state: 'connected', subscriptions: active, onlyPolled: failed, ...(failed > 0 && { problem }) });
    if (topics.size === 0 && (await names.current()).size === 0) return;
    await names.changed(signal);
  }
}
