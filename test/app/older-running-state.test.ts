import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { claimNow } from '#src/app/state-file.ts';
import { openState, withStoredState } from '#src/app/stored-state.ts';
import { openConfig } from '#src/config/open-config.ts';
import { newestVersion } from '#src/store/schema/versions.ts';
import { versionOf } from '#src/store/sqlite/migrate.ts';
import { SCHEMA } from '#src/store/sqlite/schema.ts';
import { runHere } from '../support/run-here.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const REFUSAL = 'Fanfare is running with an older format of the state';
const RULE = 'id: a\nwhen: { every: 1h }\nthen: [{ do: discord.send, with: { channel: live, content: hi } }]\n';
/** A list in no file can be a list of the state. */
const WITH_LIST =
  'id: b\nwhen: { every: 1h }\nthen: [{ do: discord.send, with: { channel: live, content: "${{ size(lists.streamers) }}" } }]\n';

/** An installation with the state of version 0.1.0. */
function olderInstallation() {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  const file = join(folder.path, 'fanfare.sqlite');
  using database = new DatabaseSync(file);
  database.exec(readFileSync(join(import.meta.dirname, '../store/recorded/0.1.0.sqlite.sql'), 'utf8'));
  mkdirSync(join(folder.path, 'rules'));
  const environment = { FANFARE_DATA: folder.path, FANFARE_RULES: join(folder.path, 'rules') };
  return {
    file,
    environment,
    config: openConfig(environment),
    write: (name: string, text: string) => writeFileSync(join(folder.path, 'rules', name), text),
    version: (): number => {
      using read = new DatabaseSync(file, { readOnly: true });
      return versionOf(read);
    },
  };
}

test('a command does not migrate the state of a running process, and a start does', async () => {
  const { file, config, version } = olderInstallation();
  const before = version();
  {
    using _sender = await claimNow(file);
    await expect(withStoredState(config, async () => undefined)).rejects.toMatchObject({
      name: 'ConfigError',
      message: REFUSAL,
      hint: expect.stringContaining('restart Fanfare') as unknown,
    });
    expect(version()).toBe(before);

    await (await openState(config, { replacesRunning: true }))[Symbol.asyncDispose]();
    expect(version()).toBe(newestVersion(SCHEMA));
  }
});

test('a command migrates the state if Fanfare does not run', async () => {
  const { config, version } = olderInstallation();

  await withStoredState(config, async () => undefined);

  expect(version()).toBe(newestVersion(SCHEMA));
});

test.for(['check', 'test'])('%s skips the state of a running process with an older format, and says so', async (command) => {
  const { file, environment, write, version } = olderInstallation();
  write('a.yaml', RULE);
  write('b.yaml', WITH_LIST);
  const before = version();
  using _sender = await claimNow(file);

  const { code, output } = await runHere({ args: [command], environment });

  expect(output).toContain(`warning: ${file}: ${REFUSAL}`);
  expect(code).toBe(0);
  expect(output).not.toContain('unknown list');
  expect(version()).toBe(before);
});
