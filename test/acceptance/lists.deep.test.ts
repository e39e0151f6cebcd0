import { describe, expect, test } from 'vitest';
import type { FaultOrder } from '#sandbox/faults.ts';
import { install, type Installation } from './installation.ts';

const GAME = 'VALORANT';
const POLLS = 6;
const EVERY_MS = 60_000;

const RULE = `
id: list
when:
  every: 1m
  watch: streaming.getGameStreams
  with: { game: ${GAME}, pages: 3 }
  changes: [entered, left]
fuse: { firings: 10000, per: 1h }
then: [{ do: social.createPost, with: { text: "\${{ change.kind }} \${{ item.owner.handle }} \${{ now }}" } }]
`;

/** An announcement: the kind of change, the person and the poll. */
async function announcedChanges(
  fanfare: Installation,
): Promise<readonly { readonly kind: string; readonly handle: string; readonly atMs: number }[]> {
  return (await fanfare.posts()).map(({ text }) => {
    const [kind = '', handle = '', now = ''] = text.split(' ');
    return { kind, handle, atMs: Date.parse(now) };
  });
}

/** Whether a person was in the list of the world at a poll and the poll before. At most one of two polls in a row fails. */
function isListed({ sandbox: { world } }: Installation, { handle, atMs }: { readonly handle: string; readonly atMs: number }): boolean {
  const isThen = (ms: number): boolean => world.liveAt(ms).some(({ person, game }) => person.handle === handle && game.name === GAME);
  return isThen(atMs) && isThen(atMs - EVERY_MS);
}

const PAGE = { platform: 'twitch', route: '/streams' } as const satisfies Partial<FaultOrder>;
const FAILURES: readonly (readonly [string, (fanfare: Installation, poll: number) => void])[] = [
  ['every second page is short', ({ sandbox }, poll) => poll % 2 === 0 && sandbox.faults.add({ ...PAGE, kind: 'shortList', times: 1 })],
  ['every second list is empty', ({ sandbox }, poll) => poll % 2 === 0 && sandbox.faults.add({ ...PAGE, kind: 'emptyList', times: 1 })],
  ['pages begin with the last item of the page before', ({ sandbox }) => sandbox.faults.add({ ...PAGE, kind: 'repeatedItem' })],
  ['the same page repeats without end', ({ sandbox }) => sandbox.faults.add({ ...PAGE, kind: 'endlessCursor' })],
  ['every page is answered with 500', ({ sandbox }) => sandbox.faults.add({ ...PAGE, kind: 'status', status: 500 })],
  ['every page is answered with 404', ({ sandbox }) => sandbox.faults.add({ ...PAGE, kind: 'status', status: 404 })],
  ['every connection drops', ({ sandbox }) => sandbox.faults.add({ ...PAGE, kind: 'resetBefore' })],
  ['every answer is lost', ({ sandbox }) => sandbox.faults.add({ ...PAGE, kind: 'resetAfter' })],
];

describe('9. list page short / duplicated / errored → no "left the list"', () => {
  test.for(FAILURES)('9. list page short / duplicated / errored → no "left the list": %s', async ([, fail]) => {
    await using fanfare = await install({ rules: [RULE], at: '2026-11-20T18:00:00Z' });
    await fanfare.pass(120, 10);

    for (let poll = 0; poll < POLLS; poll++) {
      fanfare.sandbox.faults.clear();
      fail(fanfare, poll);
      await fanfare.pass(60, 10);
    }
    fanfare.sandbox.faults.clear();
    const [best] = fanfare.sandbox.world.liveAt(fanfare.clock.nowMs()).filter(({ game }) => game.name === GAME);
    fanfare.order({ do: 'end', user: best?.person.handle ?? '' });
    await fanfare.pass(240, 10);

    const all = await announcedChanges(fanfare);
    const gone = all.filter(({ kind }) => kind === 'left');
    expect(gone.filter((one) => isListed(fanfare, one))).toEqual([]);
    expect(gone.map(({ handle }) => handle)).toContain(best?.person.handle);
    // A person enters again only after leaving.
    const inside = new Set<string>();
    const twice: string[] = [];
    for (const { kind, handle } of all) {
      if (kind === 'left') inside.delete(handle);
      else if (inside.has(handle)) twice.push(handle);
      else inside.add(handle);
    }
    expect(twice).toEqual([]);
    expect(inside.size).toBeGreaterThan(0);
  });
});
