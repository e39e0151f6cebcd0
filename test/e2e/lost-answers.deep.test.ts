import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { startSandbox } from '#sandbox/index.ts';
import { eventually, getJson, launch } from '../support/fanfare-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const Messages = z.object({ items: z.array(z.object({ content: z.string() })) });
const Deliveries = z.object({ items: z.array(z.object({ state: z.string(), attempts: z.number() })) });

const RULE = `id: hourly
when: { every: 5s }
then: [{ do: discord.send, with: { channel: live, content: "it is \${{ now }}" } }]
`;

test('every message is sent once despite lost answers, late visibility and an ignored nonce', async () => {
  await using sandbox = await startSandbox({});
  using directory = temporaryFolder({ inMemory: true });
  await mkdir(join(directory.path, 'rules'));
  await writeFile(join(directory.path, 'rules', 'hourly.yaml'), RULE);
  const route = '/messages';
  sandbox.faults.add({ platform: 'discord', method: 'POST', route, kind: 'delayedVisibility', ms: 5000 });
  sandbox.faults.add({ platform: 'discord', method: 'POST', route, kind: 'ignoreKey' });
  sandbox.faults.add({ platform: 'discord', method: 'POST', route, kind: 'resetAfter', times: 2 });
  await using fanfare = await launch({
    environment: { ...sandbox.environment, FANFARE_DATA: join(directory.path, 'data'), FANFARE_RULES: join(directory.path, 'rules') },
  });

  await eventually('three messages, two of them after a lost answer', async () => {
    const { items } = Deliveries.parse(await getJson(`${fanfare.url}/api/deliveries`));
    return items.filter(({ state }) => state === 'sent').length >= 3;
  });
  const { items } = Messages.parse(await getJson(`${sandbox.url}/control/messages`));

  const texts = items.map(({ content }) => content);
  expect(texts.length).toBeGreaterThanOrEqual(3);
  expect(new Set(texts).size).toBe(texts.length);
});
