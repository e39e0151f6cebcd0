import { expect, test } from 'vitest';
import { accountsOf } from '#src/app/accounts.ts';
import { catalogue } from '#src/clients/catalogue.ts';
import { createFuseLogger } from '#src/engine/scheduler/log-fuses.ts';
import { configOfEnvironment } from '#src/config/config.ts';
import { createLog } from '#src/log.ts';
import { checkRule } from '#src/rules/check/check-rule.ts';
import { advance } from '#src/rules/evaluate/advance.ts';
import { createScheduler } from '#src/engine/scheduler/scheduler.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { memoryStates } from '../../support/memory-states.ts';

const RULE = `id: loud
when: { every: 10s }
fuse: { firings: 2, per: 1h }
then: [{ do: discord.send, with: { channel: live, content: hello } }]
`;

test('a pause by a person is not logged as an automatic pause', async () => {
  const lines: string[] = [];
  const log = createLog({ level: 'info', secrets: [], write: (line) => lines.push(line), color: false });
  const states = memoryStates();
  await states.changePauses(['loud'], { pause: { by: 'ada' } });

  const fuses = await createFuseLogger({ states, onChange: () => undefined, log });
  const change = { memory: { firings: 0, firedMs: {} }, put: [], drop: [] };
  fuses.slotCommitted({ rule: 'loud', slotMs: 1, change, firings: [], withdrawals: [], decisions: [] });

  expect(lines).toEqual([]);
});

test('an automatic pause and its end are logged once each', async () => {
  const { rules } = checkRule({ file: 'loud.yaml', source: RULE, catalogue, accounts: accountsOf(configOfEnvironment({})) });
  const lines: string[] = [];
  const log = createLog({ level: 'info', secrets: [], write: (line) => lines.push(line), color: false });
  const [clock, states] = [new ManualClock(), memoryStates()];
  let changes = 0;
  const logged = (): readonly string[] => lines.map((line) => line.trim().replace(/^\S+Z +/u, ''));
  const start = async () => {
    const { slotCommitted: onCommit } = await createFuseLogger({ states, onChange: () => changes++, log });
    const scheduler = await createScheduler({ rules, states, read: () => Promise.resolve(), advance, onCommit, clock, log });
    return async (seconds: number): Promise<void> => {
      for (let second = 0; second < seconds; second++) {
        await scheduler.tick();
        await clock.advance(1000);
      }
    };
  };

  await (
    await start()
  )(60);
  const pass = await start();
  await pass(60);
  const blown = logged();
  await states.changePauses(['loud'], { resume: 'now' });
  await pass(10);

  expect(blown).toEqual([
    expect.stringMatching(/^WARN .*loud announced too often, .*fanfare resume loud.*more than 2 announcements in an hour/iu),
  ]);
  expect(logged().slice(1)).toEqual([expect.stringMatching(/^INFO .*loud was resumed rule=loud/iu)]);
  expect(changes).toBe(2);
});
