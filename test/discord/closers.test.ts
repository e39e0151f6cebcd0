import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

/** Closes a question and ends a command in a process in which discord.js cannot be loaded, as after an upgrade in place. */
const CODE = `
  import { registerHooks } from 'node:module';
  import { connectDiscord } from '#src/discord/connect-discord.ts';
  import { createLog } from '#src/log.ts';
  registerHooks({
    resolve(name, context, next) {
      if (name === 'discord.js') throw Object.assign(new Error('gone'), { code: 'ERR_MODULE_NOT_FOUND' });
      return next(name, context);
    },
  });
  const unused = async () => { throw new Error('unused'); };
  const { questionClosed, delivered } = connectDiscord({
    config: { accounts: [{ platform: 'discord', account: 'discord', token: 't', servers: [] }], discord: { gateway: false }, servers: [] },
    clients: {},
    store: { commandUses: { find: unused }, deliveries: { ofFirings: unused } },
    // This process does not connect.
    cluster: { http: false },
    log: createLog({ level: 'info', secrets: [], write: (line) => console.log(line), color: false }),
  });
  questionClosed({ params: undefined, result: { id: '1/2' } });
  delivered({ do: 'discord.answer', state: 'failed' });
`;

test('a question and a command that cannot be closed, because files are missing, do not end the process', () => {
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', CODE], { cwd: resolve('.'), encoding: 'utf8' });

  expect(status).toBe(0);
  expect(stdout.match(/could not be closed/gu)).toHaveLength(2);
  expect(stdout).toContain('Restart Fanfare');
});
