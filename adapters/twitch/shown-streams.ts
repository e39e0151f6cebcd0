import type { Stream } from '#src/clients/streaming/records.ts';

/** The streams of channels as a response shows them. */
export interface ReadChannels {
  /** Ids or logins of the channels, in lower case. */
  readonly asked: ReadonlySet<string>;
  readonly streams: readonly Stream[];
}

/** Informs those who wait until Helix shows a change. */
export interface ShownStreams {
  /** Called for each complete response. Without a listener, it costs nothing. */
  show(asked: readonly string[], streams: readonly Stream[]): void;
  /** Returns a function that ends the calls. */
  listen(listener: (read: ReadChannels) => void): () => void;
}

/** Creates streams that no one waits for. */
export function createShownStreams(): ShownStreams {
  const listeners = new Set<(read: ReadChannels) => void>();
  return {
    show(asked, streams) {
      if (listeners.size === 0) return;
      const read = { asked: new Set(asked), streams };
      for (const listener of listeners) listener(read);
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
