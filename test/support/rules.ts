import type { Rule, Watched } from '#src/rules/rule.ts';

/** A rule that watches streams every ten seconds and has no steps. `over` replaces parts of it. */
export function makeRule(over: Partial<Rule> = {}): Rule {
  const { id = 'live' } = over;
  return {
    id,
    name: id,
    version: '1',
    textVersion: 'text-1',
    file: 'rules/live.yaml',
    enabled: true,
    schedule: { everyMs: 10_000 },
    missed: 'once',
    maxAgeMs: 3_600_000,
    watched: makeWatched(),
    fuse: { firings: 1_000, perMs: 3_600_000 },
    mode: 'queued',
    max: 10,
    then: [],
    while: [],
    finally: [],
    names: { watch: 'streaming.getStreams', steps: {} },
    readsList: false,
    ...over,
  };
}

/** The watched list of `makeRule`. */
export function makeWatched(over: Partial<Watched> = {}): Watched {
  return {
    verb: 'streaming.getStreams',
    kind: 'live',
    with: { users: ['ada'] },
    accounts: ['twitch'],
    key: (item) => (typeof item['id'] === 'string' ? item['id'] : undefined),
    changes: [{ kind: 'entered' }],
    per: 'item',
    confirm: { new: 1, gone: 2 },
    settleMs: 0,
    graceMs: 0,
    first: 'silent',
    fingerprint: 'as written',
    definition: { query: 'as written', accounts: ['twitch'], where: '' },
    ...over,
  };
}
