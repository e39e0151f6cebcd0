import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hasChromium, useChromium } from '../../support/chromium.ts';
import { firstRunToken, launch, untilReady } from '../../support/fanfare-process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const NAME = 'fanfare.example';
const PASSWORD = ' correct horse battery ';

describe.runIf(hasChromium)('an installation under a name that does not belong to the loopback', () => {
  const browser = useChromium({ localNames: [NAME] });

  test('a session that ends during an edit takes nothing that was typed, and the page goes on after a new sign-in', async () => {
    using folder = temporaryFolder();
    mkdirSync(join(folder.path, 'rules'));
    await using fanfare = await launch({
      cwd: folder.path,
      environment: { HOST: '0.0.0.0', FANFARE_ALLOWED_HOSTS: NAME, FANFARE_DATA: folder.path },
    });
    await untilReady(fanfare);
    const { port } = new URL(fanfare.url);
    const token = await firstRunToken(fanfare);
    const context = await browser().newContext({ baseURL: `http://${NAME}:${port}` });
    const page = await context.newPage();

    await page.goto('/settings');
    await page.goto('/sign-in/first-run');
    await page.getByLabel('Token').fill(token);
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('Password').fill(' '.repeat(12));
    await page.getByRole('button').click();
    await page.getByRole('alert').getByText('one repeated character').waitFor();
    expect(await page.getByLabel('Token').inputValue()).toBe(token);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button').click();
    await page.waitForURL('/settings');

    await context.clearCookies({ name: 'fanfare' });
    const person = page.locator('form[data-operation=addPerson]');
    await page.locator('details', { has: person }).locator('summary').click();
    await person.getByLabel('Name').fill('Grace');
    await person.getByLabel('Password').fill(PASSWORD);
    await person.getByRole('button').click();
    const [other] = await Promise.all([
      context.waitForEvent('page'),
      page.locator('#outcome').getByRole('link', { name: 'Sign in' }).click(),
    ]);
    await other.getByLabel('Name').fill('Ada');
    await other.getByLabel('Password').fill(PASSWORD);
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.waitForURL((url) => !url.pathname.startsWith('/sign-in'));
    expect(await person.getByLabel('Name').inputValue()).toBe('Grace');
    await person.getByRole('button').click();
    await page.locator('#outcome [data-tone=good]').waitFor();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.waitForURL(/\/sign-(?:in|out)$/u);
    expect(new URL(page.url()).pathname).toBe('/sign-in');
    await context.close();
  });

  test('a person creates the first admin, signs out, signs in and signs out everywhere', async () => {
    using folder = temporaryFolder();
    mkdirSync(join(folder.path, 'rules'));
    await using fanfare = await launch({
      cwd: folder.path,
      environment: { HOST: '0.0.0.0', FANFARE_ALLOWED_HOSTS: NAME, FANFARE_DATA: folder.path },
    });
    await untilReady(fanfare);
    const { port } = new URL(fanfare.url);
    const token = await firstRunToken(fanfare);
    const page = await browser().newPage({ baseURL: `http://${NAME}:${port}` });
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(`${request.url()} ${request.headers()['referer'] ?? ''}`));
    async function signOutWith(name: string): Promise<void> {
      await page.waitForURL((url) => !url.pathname.startsWith('/sign-in'), { waitUntil: 'commit' });
      await page.goto('/overview');
      await page.getByRole('button', { name, exact: true }).click();
      await page.waitForURL('/sign-in');
    }

    await page.goto('/sign-in/first-run');
    await page.getByLabel('Token').fill(token);
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button').click();
    await signOutWith('Sign out');
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await signOutWith('Sign out everywhere');

    expect(token).not.toBe('');
    const all = addresses.join(' ');
    for (const secret of [token, PASSWORD.trim(), encodeURIComponent(PASSWORD)]) expect(all).not.toContain(secret);
    expect(all).toContain(NAME);
  });
});
