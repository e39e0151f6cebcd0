/** What a server follows of a streamer. */
export interface ExpectedEntry {
  /** The id of the stored entry, which no request names: after a rename, a streamer who is followed again has another one. */
  readonly id?: string | undefined;
  /** The name of the channel on the platform when the entry was stored. */
  readonly handle: string;
  readonly channel?: string | undefined;
  readonly ping?: string | undefined;
  readonly message?: string | undefined;
  readonly paused?: true | undefined;
  readonly deleteAfter?: true | undefined;
  /** The id of the member who streams. */
  readonly member?: string | undefined;
}

/** What the members of a server chose. It shares no code with the product. */
export interface ExpectedServer {
  /** The channel of `/setup`. */
  readonly channel?: string | undefined;
  /** The role of members who are live. */
  readonly liveRole?: string | undefined;
  readonly isOff: boolean;
  /** The entries by the ids of their streamers. */
  readonly entries: ReadonlyMap<string, ExpectedEntry>;
}

/** What the answer to a member says. */
export type Answer =
  | 'noChannel'
  | 'added'
  | 'known'
  | 'removed'
  | 'notFollowed'
  | 'edited'
  | 'paused'
  | 'resumed'
  | 'off'
  | 'on'
  | 'setUp'
  | 'undone'
  | 'meanwhile'
  | 'unknown';

/** What a member asks for, with ids in place of numbers. */
export type Request =
  | {
      readonly kind: 'follow';
      readonly streamer: string;
      readonly handle: string;
      readonly channel: string | undefined;
      readonly ping: string | undefined;
      readonly member: string | undefined;
    }
  | { readonly kind: 'remove' | 'pause' | 'resume'; readonly streamer: string }
  | {
      readonly kind: 'edit';
      readonly streamer: string;
      readonly fields: Pick<ExpectedEntry, 'channel' | 'ping' | 'message' | 'deleteAfter'>;
    }
  | { readonly kind: 'name'; readonly streamer: string; readonly member: string | undefined }
  | { readonly kind: 'liveRole'; readonly role: string | undefined }
  | { readonly kind: 'off' | 'on' }
  | { readonly kind: 'setUp'; readonly channel: string }
  | { readonly kind: 'undo'; readonly change: ExpectedChange };

/** A change of an entry that an answer offers to undo. */
export interface ExpectedChange {
  /** The message with the button, the custom id of the button, and the member who sees it. */
  readonly message: string;
  readonly customId: string;
  readonly by: string;
  readonly streamer: string;
  readonly before: ExpectedEntry | undefined;
  readonly after: ExpectedEntry | undefined;
}

/** The server and the answer after a request. */
function afterRequest(server: ExpectedServer, request: Request): readonly [ExpectedServer, Answer] {
  const { entries } = server;
  switch (request.kind) {
    case 'off':
    case 'on':
      return [{ ...server, isOff: request.kind === 'off' }, request.kind];
    case 'setUp':
      return [{ ...server, channel: request.channel }, 'setUp'];
    case 'liveRole':
      return [{ ...server, liveRole: request.role }, 'setUp'];
    case 'follow': {
      const { streamer, handle, channel, ping, member } = request;
      if (channel === undefined && server.channel === undefined) return [server, 'noChannel'];
      const known = entries.get(streamer);
      // The new name of a renamed streamer is stored.
      if (known) return [put(server, streamer, { ...known, handle }), 'known'];
      return [put(server, streamer, { handle, channel, ping, member }), 'added'];
    }
    case 'undo': {
      const { change } = request;
      const now = entries.get(change.streamer);
      if (isSame(now, change.before)) return [server, 'undone'];
      return isSame(now, change.after) ? [put(server, change.streamer, change.before), 'undone'] : [server, 'meanwhile'];
    }
    default: {
      const { streamer } = request;
      const entry = entries.get(streamer);
      if (!entry) return [server, 'notFollowed'];
      if (request.kind === 'remove') return [put(server, streamer, undefined), 'removed'];
      if (request.kind === 'edit') return [put(server, streamer, { ...entry, ...request.fields }), 'edited'];
      if (request.kind === 'name') return [put(server, streamer, { ...entry, member: request.member }), 'edited'];
      const paused = request.kind === 'pause' ? true : undefined;
      return [put(server, streamer, { ...entry, paused }), request.kind === 'pause' ? 'paused' : 'resumed'];
    }
  }
}

/** Whether requests in this order, with these answers, make one server of another. Of several members at once, one may be refused. */
export function explains(
  before: ExpectedServer,
  requests: readonly { readonly request: Request; readonly answer: string }[],
  after: ExpectedServer,
): boolean {
  let now = before;
  for (const { request, answer } of requests) {
    if (answer === 'meanwhile' && requests.length > 1) continue;
    const [next, expected] = afterRequest(now, request);
    if (answer !== expected) return false;
    now = next;
  }
  return isSameServer(now, after);
}

function isSame(a: ExpectedEntry | undefined, b: ExpectedEntry | undefined): boolean {
  if (!a || !b) return a === b;
  const fields = ['handle', 'channel', 'ping', 'message', 'paused', 'deleteAfter', 'member'] as const;
  return fields.every((field) => a[field] === b[field]);
}

export function isSameServer(a: ExpectedServer, b: ExpectedServer): boolean {
  return (
    a.channel === b.channel &&
    a.liveRole === b.liveRole &&
    a.isOff === b.isOff &&
    a.entries.size === b.entries.size &&
    [...a.entries].every(([streamer, entry]) => isSame(entry, b.entries.get(streamer)))
  );
}

function put(server: ExpectedServer, streamer: string, entry: ExpectedEntry | undefined): ExpectedServer {
  const entries = new Map(server.entries);
  if (entry) entries.set(streamer, entry);
  else entries.delete(streamer);
  return { ...server, entries };
}
