import { closestName } from '#src/clients/operation/closest-name.ts';

/** The words for true and false in older versions of YAML, and in German. */
export const YAML_1_1: ReadonlyMap<string, string> = new Map([
  ['yes', 'true'],
  ['on', 'true'],
  ['no', 'false'],
  ['off', 'false'],
  ['ja', 'true'],
  ['an', 'true'],
  ['nein', 'false'],
  ['aus', 'false'],
]);

/** The known name that a written one stands for: it is mistyped, or has the same meaning. Undefined: none. */
export function meantName(written: string, known: readonly string[]): string | undefined {
  return closestName(written, known) ?? OTHER_NAMES.get(written.toLowerCase())?.find((one) => known.includes(one));
}

/** Values of other tools and of earlier versions, and those with the same meaning. */
export const OTHER_NAMES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    private: ['followers'],
    twitter: ['x'],
    bsky: ['bluesky'],
    atproto: ['bluesky'],
    fediverse: ['mastodon'],
    yt: ['youtube'],
    ttv: ['twitch'],
    queue: ['hold', 'queued'],
    delay: ['hold'],
    defer: ['hold'],
    later: ['hold'],
    wait: ['hold'],
    started: ['entered'],
    online: ['entered'],
    live: ['entered'],
    joined: ['entered'],
    added: ['entered'],
    new: ['entered'],
    ended: ['left'],
    offline: ['left'],
    gone: ['left'],
    removed: ['left'],
    list: ['slot'],
    true: ['fire'],
    false: ['silent'],
    stream: ['item'],
    streamer: ['item'],
    user: ['item'],
    channel: ['item'],
    post: ['item'],
    move: ['next'],
    postpone: ['next'],
    split: ['thread'],
    shorten: ['truncate'],
    cut: ['truncate'],
    fail: ['error', 'stop'],
    abort: ['stop'],
    skip: ['drop'],
    ignore: ['drop', 'continue'],
    discard: ['drop'],
    text: ['string'],
    string: ['text'],
    number: ['integer'],
    float: ['number'],
    double: ['number'],
    int: ['integer'],
    bool: ['boolean'],
    date: ['time'],
    datetime: ['time'],
    member: ['user'],
    select: ['choice'],
  }),
);
