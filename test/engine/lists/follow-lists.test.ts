import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createEventBus } from '#src/engine/event-bus.ts';
import { followLists } from '#src/engine/lists/follow-lists.ts';
import { openRuleRegistry } from '#src/engine/rule-sets/rule-registry.ts';
import { silentLog } from '#src/log.ts';
import type { ListShapes } from '#src/rules/expression/list-shapes.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { accounts } from '../../support/rule-language.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const RULE = `id: team
when: { every: 1m, watch: streaming.getStreams, with: { users: "\${{ lists.team.map(p, p.id) }}" } }
then: [{ do: discord.send, with: { channel: live, content: "\${{ lists.team[?item.owner.handle].line.orValue('') }}" } }]
`;
const PEOPLE = `id: people
when: { every: 1m, people: team }
then: [{ do: discord.send, with: { channel: live, content: hi } }]
`;
const OTHER = `id: other
when: { every: 1m, watch: streaming.getStreams, with: { users: [ada] } }
then: [{ do: discord.send, with: { channel: live, content: hi } }]
`;

test('rules that read lists are checked again if a list is new, or has other fields', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'rules');
  mkdirSync(path);
  writeFileSync(join(path, 'team.yaml'), RULE);
  writeFileSync(join(path, 'other.yaml'), OTHER);
  writeFileSync(join(path, 'people.yaml'), PEOPLE);
  let shapes: ListShapes = {};
  const options = { folder: path, accounts, isOn: () => true, stored: new Map(), nowMs: Date.now };
  const registry = await openRuleRegistry({ ...options, lists: () => Promise.resolve(shapes) });
  const now = () => ({
    running: registry.running.map(({ id }) => id),
    errors: registry.now.diagnostics.filter(({ severity }) => severity === 'error').map(({ message }) => message),
  });
  const clock = new ManualClock();
  const listSource = { shapes: () => Promise.resolve(shapes), names: () => Promise.resolve(Object.keys(shapes)) };
  const stop = new AbortController();
  let reloaded = Promise.withResolvers<void>();
  const reload = async (): Promise<void> => {
    registry.activate(await registry.read());
    reloaded.resolve();
    reloaded = Promise.withResolvers();
  };
  const eventBus = createEventBus();
  const change = async (next: ListShapes, { afterMs }: { readonly afterMs: number }): Promise<void> => {
    shapes = next;
    const { promise } = reloaded;
    await clock.advance(afterMs);
    await promise;
  };
  const following = followLists({
    listSource,
    eventBus,
    reload,
    clock,
    log: silentLog,
    signal: stop.signal,
  });

  expect(now()).toEqual({ running: ['other'], errors: ['unknown list team', 'unknown list team', 'unknown list team'] });
  const other = registry.running[0];
  await clock.advance(5_000);
  // Another process changed the list.
  await change({ team: { line: 'text' } }, { afterMs: 5_000 });
  expect(now()).toEqual({ running: ['other', 'people', 'team'], errors: [] });
  expect(registry.running[0]).toBe(other);

  // The rule goes on with its last usable text.
  eventBus.publish({ kind: 'lists' });
  await change({ team: { kick: 'text' } }, { afterMs: 1_000 });
  expect(now()).toEqual({ running: ['other', 'people', 'team'], errors: ['lists.team[?item.owner.handle] has no line'] });
  stop.abort();
  await following;
});
