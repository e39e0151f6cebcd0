import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDiscordSetup } from '#src/app/open-discord-setup.ts';
import { openSignIn } from '#src/app/open-sign-in.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const NAMING = `
defaults:
  social: [bluesky, mastodon]
  discord: discord
posts:
  mastodon: { language: de }
budgets:
  x: { month: 5 USD }
`;

/** A folder with this `fanfare.yaml`, and its environment. */
function projectWith(fanfareYaml: string): Disposable & { readonly environment: Readonly<Record<string, string>> } {
  const folder = temporaryFolder();
  writeFileSync(join(folder.path, 'fanfare.yaml'), fanfareYaml);
  const environment = { FANFARE_DATA: join(folder.path, 'data'), FANFARE_RULES: join(folder.path, 'rules') };
  return { environment, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

test('fanfare auth connects accounts that fanfare.yaml names before they exist', async () => {
  using project = projectWith(NAMING);

  await using signIn = await openSignIn({ environment: project.environment, write: () => undefined });
  const needs = await openDiscordSetup(project.environment).needs('token').catch(String);

  expect(signIn.setupOf('bluesky')).toBeDefined();
  expect(needs).not.toContain('unknown account');
});

test('fanfare auth prints the other mistakes of fanfare.yaml', async () => {
  using project = projectWith('defaults: { socal: bluesky }');

  await expect(openSignIn({ environment: project.environment, write: () => undefined })).rejects.toThrow(
    'defaults.socal: unknown key: socal',
  );
});
