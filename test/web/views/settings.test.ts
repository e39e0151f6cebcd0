import { describe, expect, test } from 'vitest';
import type { Operations } from '#src/web/api/operations.ts';
import { formsIn } from '../../support/page-forms.ts';
import { noOperations } from '../../support/operations.ts';
import { shownOf, textOf } from '../../support/page-text.ts';
import { minutesAgo } from '../../support/view-records.ts';
import { Browser } from '../auth/browser.ts';
import { openSite } from '../open-site.ts';

const ATTACK = '</script><script>document.title="taken"</script><!--"\'><img src=x onerror=alert(1)>';
const PASSWORD = 'correct horse battery';
const ADA = { id: 'password:ada', name: 'Ada', kind: 'password', role: 'admin' } as const;
const BOB = { id: 'password:bob', name: 'Bob', kind: 'password', role: 'viewer' } as const;
const EVE = { id: 'discord:7', name: 'Eve', kind: 'discord', role: 'editor' } as const;
const TOKEN = { id: 't1', name: 'ci', scope: 'write', by: 'Ada', createdAt: minutesAgo(9) } as const;

function operationsOf(over: Partial<Operations> = {}): Operations {
  return {
    ...noOperations,
    people: () => Promise.resolve([ADA, BOB, EVE]),
    tokens: () => Promise.resolve([{ ...TOKEN, id: 't0', name: 'old', revokedAt: minutesAgo(1) }, TOKEN]),
    ...over,
  };
}

async function pageOf(path: string, over?: Partial<Operations>, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const { routes } = await openSite({ operations: operationsOf(over) });
  return (await routes.request(path, { headers })).text();
}

describe('the settings', () => {
  test('show who reads, people, tokens and what is installed', async () => {
    const text = textOf(await pageOf('/settings'));

    expect(text).toContain('local , admin, on the machine of Fanfare, without authentication.');
    expect(text).toMatch(/Ada admin password .*Bob viewer password .*Eve editor Discord /u);
    expect(text).toContain('ci write created 20 Nov, 17:51 UTC by Ada never used Revoke ci old write revoked');
    expect(text).toMatch(/Version \d+\.\d+\.\d+ Node v\d+\.\S+ Database SQLite, schema 7 License MIT\./u);
  });

  test('are in German for German readers', async () => {
    const text = textOf(await pageOf('/settings', {}, { 'accept-language': 'de-AT,de;q=0.9' }));

    expect(text).toContain('Einstellungen Dieser Zugang local , Administrator, auf dem Rechner von Fanfare, ohne Anmeldung.');
    expect(text).toContain('Bob Betrachter Passwort');
  });

  test('have no button that is refused: the last admin stays, and the role of a member comes from Discord', async () => {
    const forms = formsIn(await pageOf('/settings')).filter(([, input]) => 'person' in input);

    expect(forms.map(([operation, input]) => [operation, Reflect.get(input, 'person')])).toEqual([
      ['signOutPerson', ADA.id],
      ['changePassword', ADA.id],
      ['changeRole', BOB.id],
      ['signOutPerson', BOB.id],
      ['removePerson', BOB.id],
      ['changePassword', BOB.id],
      ['signOutPerson', EVE.id],
      ['removePerson', EVE.id],
    ]);
    const two = formsIn(await pageOf('/settings', { people: () => Promise.resolve([ADA, { ...BOB, role: 'admin' }]) }));
    expect(two).toContainEqual(['removePerson', { person: ADA.id }]);
    expect(formsIn(await pageOf('/settings')).filter(([operation]) => operation === 'revokeToken')).toEqual([
      ['revokeToken', { token: 't1' }],
    ]);
  });

  test('say before a removal who can sign in again', async () => {
    const questions = [...(await pageOf('/settings')).matchAll(/data-question="(Remove[^"]*)"/gu)].map(([, question]) => question);

    expect(questions).toEqual([expect.not.stringContaining('with Discord'), expect.stringContaining('Eve can sign in again with Discord')]);
  });

  test('say after the change of an admin that the tokens stay valid', async () => {
    const page = await pageOf('/settings', { people: () => Promise.resolve([ADA, { ...ADA, id: 'password:al', name: 'Al' }, BOB]) });
    const done = [...page.matchAll(/data-operation="changeRole"[^>]*data-done="([^"]*)"/gu)].map(([, text]) => text);

    const tokens = expect.stringContaining('Tokens that');
    expect(done).toEqual([tokens, tokens, expect.not.stringContaining('Tokens that')]);
  });

  test('have pages of tokens, so that an old one can be revoked', async () => {
    const tokens = Array.from({ length: 120 }, (_, index) => ({ ...TOKEN, id: `t${index}` }));
    const revoked = (page: string) => formsIn(page).flatMap(([operation, input]) => (operation === 'revokeToken' ? [input] : []));

    const first = await pageOf('/settings?from=50', { tokens: () => Promise.resolve(tokens) });
    const last = await pageOf('/settings?tokens=100', { tokens: () => Promise.resolve(tokens) });

    expect(first).toContain('href="/settings?from=50&amp;tokens=50"');
    expect([revoked(first).length, revoked(last).length]).toEqual([50, 20]);
    expect(revoked(last).at(-1)).toEqual({ token: 't119' });
    expect(last).not.toContain('rel="next"');
  });

  test('show people in pages', async () => {
    const people = Array.from({ length: 120 }, (_, index) => ({ ...BOB, id: `password:p${index}`, name: `p${index}` }));
    const page = await pageOf('/settings?from=100', { people: () => Promise.resolve(people) });

    expect(formsIn(page).filter(([operation]) => operation === 'removePerson')).toHaveLength(20);
    expect(page).not.toContain('rel="next"');
  });

  test.for(['viewer', 'editor', 'admin'] as const)('a %s sees what the role allows', async (role) => {
    const { routes, access } = await openSite({ host: '0.0.0.0', allowedHosts: ['fanfare.example'], operations: operationsOf() });
    await access.addPerson({ name: 'reader', role, password: PASSWORD }, { name: 'root', via: 'cli', role: 'admin' });
    const browser = new Browser(routes, { address: '192.0.2.1' });
    await browser.signIn('reader', PASSWORD);

    const page = await (await browser.request('/settings')).text();

    expect(textOf(page)).toContain(`reader , ${role}, with a password.`);
    expect(formsIn(page).length > 0).toBe(role === 'admin');
    expect(page.includes('password:bob')).toBe(role === 'admin');
    expect(page.includes('"ci"')).toBe(role === 'admin');
  });

  test('names of people and tokens stay texts', async () => {
    const people = [{ ...BOB, name: ATTACK }];
    const tokens = [{ ...TOKEN, name: ATTACK, by: ATTACK }];
    const page = await pageOf('/settings', { people: () => Promise.resolve(people), tokens: () => Promise.resolve(tokens) });

    expect(page.match(/<script/gu)).toHaveLength(2);
    expect(page).not.toMatch(/<img src=x|<!--/u);
  });
});

describe('the language of the page', () => {
  test('is chosen with a form, stays, and is forgotten', async () => {
    const { routes } = await openSite({ operations: operationsOf() });
    const choose = (query: string) => routes.request(`/language${query}`);

    const chosen = await choose('?language=de');
    expect([chosen.status, chosen.headers.get('location')]).toEqual([303, '/settings']);
    expect(chosen.headers.get('set-cookie')).toBe('language=de; Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax');
    for (const query of ['?language=', '?language=xx', ''])
      expect((await choose(query)).headers.get('set-cookie')).toBe('language=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax');

    const page = await pageOf('/settings', {}, { cookie: 'language=de', 'accept-language': 'en' });
    expect(page).toContain('<html lang="de">');
    expect(page).toMatch(/<option (?=[^>]*value="de")[^>]*\bselected\b/u);
  });
});

describe('the log of actions', () => {
  const entry = (over: object = {}) => ({
    id: 'a1',
    at: minutesAgo(3),
    action: 'pauseRule' as const,
    by: { name: 'Ada', via: 'discord' as const, origin: 'Chess Club' },
    target: 'top',
    outcome: 'done' as const,
    before: { top: null },
    after: { top: { until: 'later' } },
    ...over,
  });

  async function auditOf(query: string, items: readonly ReturnType<typeof entry>[], cursor?: string) {
    const asked: object[] = [];
    const list: Operations['auditLog']['list'] = (filter) => {
      asked.push(filter ?? {});
      return Promise.resolve({ items, cursor });
    };
    const page = await pageOf(`/audit${query}`, { auditLog: { list } });
    return { page, asked };
  }

  test('shows who did what, with the values', async () => {
    const { page } = await auditOf('', [
      entry(),
      entry({ id: 'a2', action: 'newAction', outcome: 'refused', before: undefined, after: undefined }),
    ]);

    expect(textOf(page)).toContain(
      'pause a rule: top done Ada in Discord Chess Club 20 Nov, 17:57:00 UTC before: {&quot;top&quot;:null} after: {&quot;top&quot;:{&quot;until&quot;:&quot;later&quot;}} newAction: top refused',
    );
  });

  test('passes the filters and the page on, and ignores unknown values', async () => {
    const { page, asked } = await auditOf('?action=pauseRule&target=%20top%20&cursor=c1', [], 'c2');

    expect(asked).toEqual([{ action: 'pauseRule', target: 'top', cursor: 'c1', limit: 50 }]);
    expect(page).toContain('href="/audit?action=pauseRule&amp;target=top&amp;cursor=c2" rel="next"');
    expect(page).toMatch(/<title>[^<:]+: [^<,]+, top · Fanfare<\/title>/u);
    expect(page).toMatch(/<option (?=[^>]*value="pauseRule")[^>]*\bselected\b/u);
    expect((await auditOf('?action=nonsense&target=', [])).asked).toEqual([{ limit: 50 }]);
  });

  test('long values are cut, and foreign texts stay texts', async () => {
    const { page } = await auditOf('', [
      entry({ by: { name: ATTACK, via: 'api' }, target: ATTACK, after: { text: ATTACK + 'x'.repeat(5000) } }),
    ]);

    expect(page.match(/<script/gu)).toHaveLength(2);
    expect(page).not.toMatch(/<img src=x|<!--/u);
    expect(shownOf(page)).toMatchObject({ data: { items: [{ after: expect.stringMatching(/^.{300}…$/su) }] } });
  });

  test('a long value does not cut a character in two', async () => {
    const { page } = await auditOf('', [entry({ after: { text: '🎉'.repeat(400) } })]);

    expect(shownOf(page)).toMatchObject({ data: { items: [{ after: expect.stringMatching(/^\{"text":"🎉{291}…$/u) }] } });
  });
});
