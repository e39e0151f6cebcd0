import { html } from '../../page/inline/html.ts';
import { textWithout } from '#src/clients/operation/text/content-warning.ts';
import type { Post } from '#src/clients/social/records/post.ts';
import { avatar, type Html, instant } from '../../page/inline/elements.ts';
import { link, linkedText } from '../../page/inline/link.ts';
import type { Language } from '../../language.ts';
import { empty } from '../panel.ts';
import { DEMO_TEXTS } from '../texts.ts';

/** The posts as a timeline, newest first. */
export function timeline(posts: readonly Post[], language: Language): Html {
  if (posts.length === 0) return empty(DEMO_TEXTS[language].panels.posts.empty);
  return html`<ol class="posts">
    ${posts.map((post) => entry(post, language))}
  </ol>`;
}

function entry({ platform, id, url, author, text, warning, createdAt, editedAt }: Post, language: Language): Html {
  const t = DEMO_TEXTS[language];
  const below = textWithout(warning, text);
  // Some warnings cover only the pictures, and some posts are only a warning.
  const cover = below === text || below === '' ? undefined : warning;
  const written = html`<p class="text" dir="auto">${linkedText(cover === undefined ? text : below)}</p>`;
  return html`<li class="post" data-key="${platform}:${id}" data-say="${t.newPost(author.displayName)} ${cover ?? text}">
    ${avatar({ id: author.id, name: author.displayName })}
    <article>
      <p class="byline">
        <bdi class="name">${author.displayName}</bdi>
        <span class="muted when">${link(url, instant(createdAt, language))}${editedAt ? ` ${t.edited}` : ''}</span>
      </p>
      <p class="meta"><bdi>@${author.handle}</bdi> <span>${platform}</span></p>
      ${
        cover === undefined
          ? written
          : html`<details>
              <summary dir="auto">${cover}</summary>
              ${written}
            </details>`
      }
    </article>
  </li>`;
}
