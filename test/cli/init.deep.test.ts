import { request } from 'undici';
import { expect, test } from 'vitest';
import { createProjectIn } from '#src/app/create-project-in.ts';
import { eventually, launch, untilReady } from '../support/fanfare-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('fanfare init creates a folder in which start works at once', async () => {
  using folder = temporaryFolder();
  await createProjectIn(folder.path);

  await using app = await launch({ cwd: folder.path });
  await untilReady(app);
  const { body } = await request(`${app.url}/api/rules`);

  expect(await body.text()).toContain('first-rule');
});

test('fanfare init creates a rule that names its line if it is off, once real accounts exist', async () => {
  using folder = temporaryFolder();
  await createProjectIn(folder.path);
  const unreachable = { TWITCH_API_URL: 'http://127.0.0.1:9', TWITCH_AUTH_URL: 'http://127.0.0.1:9' };
  const environment = { TWITCH_CLIENT_ID: 'i', TWITCH_CLIENT_SECRET: 's', ...unreachable };
  const off = 'off: first-rule, rules/first-rule.yaml:6 (enabled: sandbox)';

  const checks = await launch({ args: ['check'], cwd: folder.path, environment });
  await checks.exit;
  await using app = await launch({ cwd: folder.path, environment });
  await untilReady(app);

  expect(checks.output()).toContain(`0 rules ready to run, 1 off: no errors, 1 warning\n  ${off}\n`);
  // The start prints it after the page answers.
  await eventually('the rules of the start', async () => app.output().includes(`rules: none\n  ${off}\n`));
});
