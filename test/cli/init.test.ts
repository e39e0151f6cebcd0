import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { variableNames } from '#src/config/environment.ts';
import { createProjectIn } from '#src/app/create-project-in.ts';
import { printProject } from '#src/cli/init.ts';
import { runHere } from '../support/run-here.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { collectLines } from './collect-lines.ts';

/** Runs `init` in this process. */
async function init(folder: string): Promise<string> {
  const { out, text } = collectLines();
  printProject(await createProjectIn(folder), { folder: '.', out });
  return text();
}

describe('fanfare init', () => {
  test('creates a folder in which test, check and doctor work at once', async () => {
    using directory = temporaryFolder();

    const made = await runHere({ args: ['init', 'my-bot'], cwd: directory.path });

    expect(made.code).toBe(0);
    expect(made.output).toMatch(/written +rules\/first-rule\.yaml[^]*Next:\n +cd my-bot\n +npx fanfare test/u);
    const folder = join(directory.path, 'my-bot');
    expect(readdirSync(folder).toSorted()).toEqual(['.env.example', '.gitignore', '.vscode', 'fanfare.yaml', 'rules']);
    const tested = await runHere({ args: ['test'], cwd: folder });
    const checked = await runHere({ args: ['check'], cwd: folder });
    expect(tested.output).toContain('2 passed, 0 failed');
    expect(checked.output).toContain('1 file, 1 rule ready to run: no errors, 0 warnings');
    writeFileSync(
      join(folder, 'rules/later.yaml'),
      'id: later\nenabled: false\nwhen: { every: 1h }\nthen: [{ do: discord.send, with: { channel: live, content: hi } }]\n',
    );
    const checkedAgain = await runHere({ args: ['check'], cwd: folder });
    const examined = await runHere({ args: ['doctor'], cwd: folder });
    expect(checkedAgain.output).toContain('2 files, 1 rule ready to run, 1 off: no errors, 0 warnings');
    expect(examined.output).toContain('rules: 1 ready to run, off: later, rules/later.yaml:2 (enabled: false)');
  });

  test('works in an npm project and changes no file there', async () => {
    using directory = temporaryFolder();
    const before = { 'package.json': '{ "name": "announcements" }', '.gitignore': 'node_modules\n/data', 'fanfare.yaml': 'discord: {}\n' };
    for (const [file, text] of Object.entries(before)) writeFileSync(join(directory.path, file), text);

    const output = await init(directory.path);

    expect(output).toMatch(/unchanged fanfare\.yaml/u);
    expect(output).toMatch(/Add to \.gitignore[^\n]*\n {2}\.env\n {2}backups\/\n {2}\*\.sqlite\*\n\n/u);
    for (const [file, text] of Object.entries(before)) expect(readFileSync(join(directory.path, file), 'utf8')).toBe(text);
    expect(existsSync(join(directory.path, 'rules/first-rule.yaml'))).toBe(true);
  });

  test('changes nothing at a second run, even with an invalid fanfare.yaml', async () => {
    using directory = temporaryFolder();
    await init(directory.path);
    writeFileSync(join(directory.path, 'fanfare.yaml'), 'wrong: [');
    writeFileSync(join(directory.path, 'rules/first-rule.yaml'), 'mine');

    const output = await init(directory.path);

    expect(output).not.toContain('written');
    expect(readFileSync(join(directory.path, 'rules/first-rule.yaml'), 'utf8')).toBe('mine');
  });

  test('the editor gets the schemas, and .env.example has only known variables', async () => {
    using directory = temporaryFolder();
    await init(directory.path);
    const read = (file: string): string => readFileSync(join(directory.path, file), 'utf8');

    const settings: { 'yaml.schemas': Record<string, unknown> } = JSON.parse(read('.vscode/settings.json'));
    for (const schema of Object.keys(settings['yaml.schemas'])) expect(JSON.parse(read(schema))).toHaveProperty('$schema');
    const variables = [...read('.env.example').matchAll(/^# ([A-Z_]+)=/gmu)].map(([, name = '']) => name);
    expect(variables).toContain('DISCORD_TOKEN');
    expect(variables.filter((name) => !variableNames().includes(name))).toEqual([]);
  });
});
