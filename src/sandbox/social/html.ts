import { html, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { Post } from '#src/social/records/post.ts';
import type { User } from '#src/social/records/user.ts';

type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

const STYLE = raw(`
  :root { color-scheme: light dark; --line: light-dark(#e3e3ea, #34343c); --soft: light-dark(#6a6a76, #a0a0ac); --link: light-dark(#5a3fd0, #b3a2ff); }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 38rem; margin: 2rem auto; padding: 0 1rem; }
  header { display: flex; justify-content: space-between; color: var(--soft); margin-bottom: 1rem; }
  a { color: var(--link); text-decoration: none; }
  article { border: 1px solid var(--line); border-radius: .75rem; padding: 1rem 1.25rem; margin-bottom: .75rem; }
  article p { margin: .25rem 0 .5rem; white-space: pre-wrap; overflow-wrap: anywhere; }
  small { color: var(--soft); }
`);

/** A whole page around `body`. */
export function layout(title: string, home: string, body: string | readonly Html[]): Html {
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
        <header><a href="${home}">Fanfare Sandbox</a><span>a social platform that nobody else sees</span></header>
        ${body}
      </body>
    </html>`;
}

export function postCard({ author, text, createdAt, url, counts, replyTo }: Post): Html {
  return html`<article>
    <strong><a href="${author.url}" dir="auto">${author.displayName}</a></strong> <small>@${author.handle}</small>
    ${replyTo && html`<small>answers a post</small>`}
    <p dir="auto">${text}</p>
    <small
      ><a href="${url}">${createdAt.toISOString().slice(0, 16).replace('T', ' ')}</a> · ${counts.likes} likes · ${counts.replies}
      replies</small
    >
  </article>`;
}

export function userCard({ displayName, handle, bio, followerCount = 0 }: User): Html {
  return html`<article>
    <strong dir="auto">${displayName}</strong> <small>@${handle}</small>
    <p dir="auto">${bio}</p>
    <small>${followerCount} followers</small>
  </article>`;
}
