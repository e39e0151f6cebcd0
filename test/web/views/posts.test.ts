import { describe, expect, test } from 'vitest';
import type { SentPost } from '#src/engine/posting/posting.ts';
import { POSTS_TEXTS } from '#src/web/views/texts/posts.ts';
import { noOperations } from '../../support/operations.ts';
import { formsIn } from '../../support/page-forms.ts';
import { textOf } from '../../support/page-text.ts';
import { minutesAgo, NOW } from '../../support/view-records.ts';
import { openSite } from '../open-site.ts';

const SERVER = '1202584131993600001';
const ATTACK = '</script><script>document.title="taken"</script><!--"\'><img src=x onerror=alert(1)>';

const POST: SentPost = {
  id: 'p1',
  server: SERVER,
  by: { id: '7', name: 'linus' },
  text: 'Doors open\nat six',
  hasPicture: false,
  madeAt: NOW,
  at: minutesAgo(-90),
  isQueued: false,
  edits: 2,
  targets: [
    { account: 'x', state: 'pending' },
    { account: 'club', state: 'pending' },
  ],
};

async function pageOf(waiting: readonly SentPost[], path = '/posts', language = 'en'): Promise<string> {
  const { routes } = await openSite({
    operations: {
      ...noOperations,
      waitingPosts: () => Promise.resolve(waiting),
      servers: () => Promise.resolve([{ id: SERVER, name: 'Chess Club', roles: {}, joinedAt: minutesAgo(9) }]),
    },
  });
  return (await routes.request(path, { headers: { 'accept-language': language } })).text();
}

describe('the view of waiting posts', () => {
  test('shows each post with its text, time, accounts, person and server', async () => {
    const page = await pageOf([POST]);

    expect(textOf(page)).toContain('20 Nov, 19:30:00 UTC');
    expect(textOf(page)).toContain('Doors open at six to x , club by linus Discord server Chess Club Edit :');
    expect(page).toContain('<p class="text" dir="auto">Doors open\nat six</p>');
    expect(page).toContain('<title>Waiting posts · Fanfare</title>');
  });

  test('shows the queue, a picture, and the person who edited a post', async () => {
    const text = textOf(await pageOf([{ ...POST, text: '', isQueued: true, hasPicture: true, editedBy: { id: '8', name: 'grace' } }]));

    expect(text).toContain('A picture without a text.');
    expect(text).toContain('time of the queue with a picture edited by grace');
  });

  test('edits, moves, sends and cancels each post', async () => {
    const page = await pageOf([POST]);

    expect(formsIn(page)).toEqual([
      ['editPost', { post: 'p1', text: '', warning: '', edits: 2 }],
      ['movePost', { post: 'p1' }],
      ['movePost', { post: 'p1', at: '1970-01-01T00:00:00.000Z' }],
      ['cancelPost', { post: 'p1' }],
    ]);
    expect(page).toMatch(/<textarea[^>]* maxlength="6000" required[^>]*>Doors open\nat six<\/textarea>/u);
    expect(page).not.toContain('name="altText"');
    expect(page).toContain('data-question="Cancel this post to x, club? “Doors open at six”"');
  });

  test('a post with a picture can have no text, and has a description', async () => {
    const page = await pageOf([{ ...POST, hasPicture: true, altText: 'A <door>', warning: 'Loud & long' }]);

    expect(page).not.toMatch(/<textarea[^>]* required/u);
    expect(formsIn(page)[0]).toEqual(['editPost', { post: 'p1', text: '', warning: '', altText: '', edits: 2 }]);
    expect(page).toMatch(/<input name="altText"[^>]* value="A &lt;door>"/u);
    expect(page).toMatch(/<input name="warning"[^>]* value="Loud &amp; long"/u);
    expect(page).toContain('Content warning: <bdi>Loud &amp; long</bdi>');
  });

  test('an empty list says what a waiting post is, and how a member makes one', async () => {
    expect(textOf(await pageOf([]))).toBe(
      `Waiting posts ${POSTS_TEXTS.en.about} ${POSTS_TEXTS.en.none} /post schedule time: friday 18:00 text: Doors open at six!`,
    );
    expect(textOf(await pageOf([], '/posts', 'de'))).toContain('/post planen zeit: freitag 18:00');
  });

  test('markup in a post and in a name stays text', async () => {
    const page = await pageOf([{ ...POST, text: ATTACK, by: { id: '7', name: ATTACK }, editedBy: { id: '8', name: ATTACK } }]);

    expect(page).not.toContain('<img src=x');
    expect(page).not.toContain('<script>document');
    expect(page.match(/&lt;\/script>&lt;script>document\.title/gu)?.length).toBeGreaterThan(3);
  });

  test('a long name does not cut a character in two', async () => {
    const page = await pageOf([{ ...POST, text: '🎉'.repeat(100) }]);

    expect(page).toContain(`Edit<span class="unseen">: <bdi>${'🎉'.repeat(60)}…</bdi></span>`);
  });

  test('has pages', async () => {
    const many = Array.from({ length: 45 }, (_, index) => ({ ...POST, id: `p${index}` }));

    const [first, last] = [await pageOf(many), await pageOf(many, '/posts?from=40')];
    expect(first.match(/data-operation="cancelPost"/gu)).toHaveLength(20);
    expect(first).toContain('href="/posts?from=20" rel="next"');
    expect(last.match(/data-operation="cancelPost"/gu)).toHaveLength(5);
    expect(last).not.toContain('rel="next"');
  });
});
