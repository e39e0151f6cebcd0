import { Hono } from 'hono';
import { html, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { textWithout } from '#src/clients/operation/text/content-warning.ts';
import type { Media } from '#src/clients/social/records/media.ts';
import type { Poll, Post } from '#src/clients/social/records/post.ts';
import type { User } from '#src/clients/social/records/user.ts';
import { SELF } from './people.ts';
import type { StoredPost } from './posts.ts';
import { toPost, toUser } from './records.ts';
import type { Snapshot } from './snapshot.ts';

type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

const STYLE = raw(`
  :root { color-scheme: light dark; --line: light-dark(#e3e3ea, #34343c); --soft: light-dark(#6a6a76, #a0a0ac); --link: light-dark(#5a3fd0, #b3a2ff); }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 38rem; margin: 2rem auto; padding: 0 1rem; }
  header { display: flex; flex-wrap: wrap; gap: 0 1rem; justify-content: space-between; color: var(--soft); margin-bottom: 1rem; }
  a { color: var(--link); text-decoration: none; }
  article { border: 1px solid var(--line); border-radius: .75rem; padding: 1rem 1.25rem; margin-bottom: .75rem; }
  article p { margin: .25rem 0 .5rem; white-space: pre-wrap; overflow-wrap: anywhere; }
  article :is(img, video) { display: block; max-width: 100%; border-radius: .5rem; margin-bottom: .5rem; }
  article ul { list-style: none; padding: 0; margin: 0; }
  blockquote { border-inline-start: 3px solid var(--line); margin: 0 0 .5rem; padding-inline-start: .75rem; color: var(--soft); }
  small, footer { color: var(--soft); }
  h1 { font-size: 1.25rem; overflow-wrap: anywhere; }
`);

/** A whole page around `body`. It does not reload itself: that would close opened texts, end a video and move the cursor of a screen reader. */
function layout(title: string, home: string, body: string | readonly Html[], heading = title): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${title}</title>
        <style>
          ${STYLE}
        </style>
      </head>
      <body>
        <header>
          <a href="${home}">Fanfare Sandbox</a><a href="${home}/@${SELF.handle}">@${SELF.handle}</a>
          <span>a simulated social platform</span>
        </header>
        <main>
          <h1 dir="auto">${heading}</h1>
          ${body}
        </main>
        <footer>To see newer posts and reactions, reload the page.</footer>
      </body>
    </html>`;
}

function postCard({
  author,
  text,
  warning,
  createdAt,
  editedAt,
  url,
  counts,
  replyTo,
  repostOf,
  quoted,
  media,
  poll,
  place,
  hidden,
  sensitive,
}: Post): Html {
  const below = textWithout(warning, text);
  const files = html`${media.map(mediaView)}`;
  // Some posts are only a warning, and some cover only their files.
  const isCovered = warning !== undefined && (below !== '' || media.length > 0 || poll !== undefined);
  const covered = sensitive === true && media.length > 0 ? fold('Sensitive content', files) : files;
  const content = html`${textView(isCovered ? below : text)} ${isCovered ? files : covered} ${poll && pollView(poll)}`;
  return html`<article>
    <strong><a href="${author.url}" dir="auto">${author.displayName}</a></strong> <small>@${author.handle}</small>
    ${repostOf && html`<small>reposted</small>`} ${replyTo && html`<small>replied to a post</small>`}
    ${hidden && html`<small>hidden by the author of the conversation</small>`} ${isCovered ? fold(warning, content) : content}
    ${quoted && html`<blockquote dir="auto">${quoted.warning ?? quoted.text ?? 'This post is not available.'}</blockquote>`}
    <small
      ><a href="${url}">${minuteOf(createdAt)}</a>${editedAt && html` · edited ${minuteOf(editedAt)}`}${place && html` · ${place.name}`} ·
      ${counted(counts.likes, 'like')} · ${counted(counts.reposts, 'repost')} · ${counted(counts.quotes, 'quote')} ·
      ${counted(counts.replies, 'reply', 'replies')}</small
    >
  </article>`;
}

function textView(text: string): Html | '' {
  return text === '' ? '' : html`<p dir="auto">${text}</p>`;
}

/** What readers see after a click. */
function fold(warning: string, content: Html): Html {
  return html`<details>
    <summary dir="auto">${warning}</summary>
    ${content}
  </details>`;
}

function mediaView({ kind, url, altText = '' }: Media): Html {
  if (kind === 'video') return html`<video controls src="${url}" aria-label="${altText}"></video>`;
  if (kind === 'audio') return html`<audio controls src="${url}" aria-label="${altText}"></audio>`;
  return html`<img src="${url}" alt="${altText}" />`;
}

function pollView({ options, totalVotes = 0, endsAt, closed }: Poll): Html {
  return html`<ul>
      ${options.map(
        ({ label, votes = 0 }) =>
          html`<li>
            <span dir="auto">${label}</span>
            <meter aria-label="${label}" max="${Math.max(1, totalVotes)}" value="${votes}"></meter> ${votes}
          </li>`,
      )}
    </ul>
    <small>${counted(totalVotes, 'vote')} · ${closed ? 'closed' : 'open until'} ${minuteOf(endsAt)}</small><br />`;
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

function minuteOf(instant: Date): Html {
  const iso = instant.toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}

function userCard({ displayName, handle, bio, followerCount = 0 }: User): Html {
  return html`<article>
    <strong dir="auto">${displayName}</strong> <small>@${handle}</small>
    <p dir="auto">${bio}</p>
    <small>${counted(followerCount, 'follower')}</small>
  </article>`;
}

const SHOWN = 40;

/** Pages with the latest posts, with one post and its replies, and with one account. */
export function socialPages(currentSnapshot: () => Snapshot): Hono {
  const pages = new Hono();

  pages.get('/', (c) => {
    const snapshot = currentSnapshot();
    return c.html(layout('Latest posts', snapshot.url, cards(snapshot.feed.timeline().slice(0, SHOWN), snapshot)));
  });

  pages.get('/posts/:id', (c) => {
    const snapshot = currentSnapshot();
    const post = snapshot.feed.find(c.req.param('id'));
    if (!post) return c.html(layout('Not found', snapshot.url, 'This post does not exist.'), 404);
    const shown = toPost(post, snapshot);
    const title = `${shown.author.displayName}: ${shown.warning ?? (shown.text || 'a post')}`;
    return c.html(layout(title, snapshot.url, cards([post, ...snapshot.feed.answersTo(post.repostOf ?? post.id)], snapshot), 'Post'));
  });

  pages.get('/:handle{@.+}', (c) => {
    const snapshot = currentSnapshot();
    const person = snapshot.people.find(c.req.param('handle'));
    if (!person) return c.html(layout('Not found', snapshot.url, 'This account does not exist.'), 404);
    const posts = snapshot.feed.timeline().filter(({ authorId }) => authorId === person.id);
    const body = [userCard(toUser(person, snapshot)), ...cards(posts.slice(0, SHOWN), snapshot)];
    return c.html(layout(person.displayName, snapshot.url, body));
  });

  return pages;
}

function cards(posts: readonly StoredPost[], snapshot: Snapshot): readonly ReturnType<typeof postCard>[] {
  return posts.map((post) => postCard(toPost(post, snapshot)));
}
