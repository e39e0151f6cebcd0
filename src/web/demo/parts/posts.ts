import { html } from 'hono/html';
import type { Post } from '#src/clients/social/records/post.ts';
import { avatar, type Html, instant } from '../../page/inline/elements.ts';
import { link, linkedText } from '../../page/inline/link.ts';
import { empty } from '../panel.ts';

/** The posts as a timeline, newest first. */
export function timeline(posts: readonly Post[]): Html {
  if (posts.length === 0) {
    return empty('No posts yet.', 'Posts of your accounts appear here. In the sandbox, the first post takes less than a minute.');
  }
  return html`<ol class="posts">
    ${posts.map(entry)}
  </ol>`;
}

function entry({ platform, id, url, author, text, createdAt, editedAt }: Post): Html {
  return html`<li class="post" data-key="${platform}:${id}" data-say="New post by ${author.displayName}: ${text}">
    ${avatar({ id: author.id, name: author.displayName })}
    <article>
      <p class="byline">
        <bdi class="name">${author.displayName}</bdi>
        <span class="muted when">${link(url, instant(createdAt))}${editedAt ? html` (edited)` : ''}</span>
      </p>
      <p class="meta"><bdi>@${author.handle}</bdi> <span>${platform}</span></p>
      <p class="text" dir="auto">${linkedText(text)}</p>
    </article>
  </li>`;
}
